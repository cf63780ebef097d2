package dev.millrace.format.otlp;

import dev.millrace.bytes.ByteArray;
import dev.millrace.model.MetricCursor;
import dev.millrace.model.MetricDescriptor;
import dev.millrace.model.Resource;
import dev.millrace.model.Scope;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Groups the metrics of a source, and encodes what describes them. What the plan before has the
 * bytes of is not encoded again, and what has left the source is not kept. Used for one plan.
 */
final class MetricsPlanner {
  /**
   * What the bytes of resources, scopes, names, descriptions and units may take in all: those of a
   * hundred thousand metrics. What is over it is encoded again for each request.
   */
  static final int MAX_KEPT_BYTES = 16 * 1024 * 1024;

  private final Map<Object, byte[]> known;
  private final Map<Object, byte[]> kept = new HashMap<>();
  private final Map<Resource, ResourceDraft> drafts = new HashMap<>();
  private final List<MetricsPlan.ResourceGroup> resources = new ArrayList<>();
  private final ByteArray encoded = new ByteArray();
  private final ByteArray scratch = new ByteArray();
  private long keptBytes;

  /** A resource that still takes scopes. */
  private record ResourceDraft(
      MetricsPlan.ResourceGroup group, Map<Scope, MetricsPlan.ScopeGroup> scopes) {}

  /**
   * A planner.
   *
   * @param before the plan of the same encoder before this one, if there is one
   */
  MetricsPlanner(@Nullable MetricsPlan before) {
    known = before == null ? Map.of() : before.kept();
  }

  /** Makes the plan of all metrics of a cursor. */
  MetricsPlan plan(MetricCursor cursor) {
    for (int i = 0; i < cursor.metricCount(); i++) {
      cursor.seekMetric(i);
      MetricDescriptor metric = cursor.metric();
      scopeOf(resourceOf(cursor.resource()), cursor.scope())
          .metrics()
          .add(new MetricsPlan.Metric(i, metric, bytesOf(metric)));
    }
    return new MetricsPlan(cursor, resources, kept);
  }

  private ResourceDraft resourceOf(Resource resource) {
    ResourceDraft draft = drafts.get(resource);
    if (draft == null) {
      MetricsPlan.ResourceGroup group =
          new MetricsPlan.ResourceGroup(resource, bytesOf(resource), new ArrayList<>());
      draft = new ResourceDraft(group, new HashMap<>());
      drafts.put(resource, draft);
      resources.add(group);
    }
    return draft;
  }

  private MetricsPlan.ScopeGroup scopeOf(ResourceDraft draft, Scope scope) {
    MetricsPlan.ScopeGroup group = draft.scopes().get(scope);
    if (group == null) {
      group = new MetricsPlan.ScopeGroup(scope, bytesOf(scope), new ArrayList<>());
      draft.scopes().put(scope, group);
      draft.group().scopes().add(group);
    }
    return group;
  }

  /** The bytes of a part; {@code null} where there is no room to keep them. */
  private byte @Nullable [] bytesOf(Object part) {
    byte[] bytes = kept.get(part);
    if (bytes != null) {
      return bytes;
    }
    bytes = known.get(part);
    if (bytes == null) {
      encoded.clear();
      if (part instanceof Resource resource) {
        Metadata.appendResource(resource, encoded, scratch);
      } else if (part instanceof Scope scope) {
        Metadata.appendScope(scope, encoded, scratch);
      } else if (part instanceof MetricDescriptor metric) {
        Metadata.appendMetric(metric, encoded);
      }
      if (keptBytes + encoded.lengthBytes() > MAX_KEPT_BYTES) {
        return null;
      }
      bytes = encoded.toByteArray();
    }
    if (keptBytes + bytes.length > MAX_KEPT_BYTES) {
      return null;
    }
    keptBytes += bytes.length;
    kept.put(part, bytes);
    return bytes;
  }
}

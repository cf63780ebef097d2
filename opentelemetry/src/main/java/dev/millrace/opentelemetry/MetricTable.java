package dev.millrace.opentelemetry;

import dev.millrace.model.EncodedLabelsBudget;
import dev.millrace.model.Resource;
import dev.millrace.model.Scope;
import io.opentelemetry.sdk.common.InstrumentationScopeInfo;
import io.opentelemetry.sdk.metrics.data.MetricData;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The metrics of one source, found again from one collection to the next: by position first, and by
 * equality once the list has changed. Guarded by the source's lock.
 */
final class MetricTable {
  private static final SdkMetric[] NO_METRICS = {};
  private static final MetricData[] NO_DATA = {};

  private final EncodedLabelsBudget budget;
  private final AttributeLabels labels = new AttributeLabels();

  private SdkMetric[] metrics = NO_METRICS;
  private long membershipVersion;
  private Map<InstrumentationScopeInfo, Scope> scopes = Map.of();
  private Map<io.opentelemetry.sdk.resources.Resource, Resource> resources = Map.of();

  /** The data of a collection while it begins; kept for its memory only. */
  private @Nullable MetricData[] scratch = NO_DATA;

  MetricTable(EncodedLabelsBudget budget) {
    this.budget = budget;
  }

  int count() {
    return metrics.length;
  }

  SdkMetric get(int index) {
    return metrics[index];
  }

  long membershipVersion() {
    return membershipVersion;
  }

  /** How many series are kept. */
  int seriesCount() {
    int count = 0;
    for (SdkMetric metric : metrics) {
      count += metric.series.size();
    }
    return count;
  }

  /** Begins a collection. */
  void begin(Collection<? extends MetricData> collected) {
    int count = collected.size();
    MetricData[] data = collected.toArray(scratch);
    scratch = data;
    if (!isSameList(data, count)) {
      replace(data, count);
    }
    for (int i = 0; i < count; i++) {
      metrics[i].begin(data[i]);
    }
    Arrays.fill(scratch, 0, count, null);
  }

  /** Ends a collection. */
  void end() {
    for (SdkMetric metric : metrics) {
      metric.end();
    }
  }

  private boolean isSameList(MetricData[] data, int count) {
    if (count != metrics.length) {
      return false;
    }
    for (int i = 0; i < count; i++) {
      if (!metrics[i].identity.describes(data[i])) {
        return false;
      }
    }
    return true;
  }

  private void replace(MetricData[] data, int count) {
    // Metrics that nothing tells apart are taken in the order in which they come.
    Map<MetricIdentity, ArrayDeque<SdkMetric>> last = new HashMap<>();
    for (SdkMetric metric : metrics) {
      last.computeIfAbsent(metric.identity, identity -> new ArrayDeque<>(1)).add(metric);
    }
    Map<InstrumentationScopeInfo, Scope> nextScopes = new HashMap<>();
    Map<io.opentelemetry.sdk.resources.Resource, Resource> nextResources = new HashMap<>();
    SdkMetric[] next = new SdkMetric[count];
    for (int i = 0; i < count; i++) {
      MetricIdentity identity = MetricIdentity.of(data[i]);
      Scope scope = nextScopes.computeIfAbsent(identity.scope(), this::scope);
      Resource resource = nextResources.computeIfAbsent(identity.resource(), this::resource);
      ArrayDeque<SdkMetric> same = last.get(identity);
      SdkMetric metric = same == null ? null : same.poll();
      next[i] =
          metric == null
              ? new SdkMetric(identity, resource, scope, new SeriesTable(budget, labels))
              : metric;
    }
    for (ArrayDeque<SdkMetric> gone : last.values()) {
      for (SdkMetric metric : gone) {
        metric.close();
      }
    }
    metrics = next;
    scopes = nextScopes;
    resources = nextResources;
    membershipVersion++;
  }

  private Scope scope(InstrumentationScopeInfo scope) {
    Scope known = scopes.get(scope);
    return known != null
        ? known
        : new Scope(
            scope.getName(),
            orEmpty(scope.getVersion()),
            orEmpty(scope.getSchemaUrl()),
            labels.of(scope.getAttributes()));
  }

  private Resource resource(io.opentelemetry.sdk.resources.Resource resource) {
    Resource known = resources.get(resource);
    return known != null
        ? known
        : new Resource(labels.of(resource.getAttributes()), orEmpty(resource.getSchemaUrl()));
  }

  private static String orEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }
}

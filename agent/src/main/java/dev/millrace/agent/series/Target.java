package dev.millrace.agent.series;

import dev.millrace.model.Labels;
import dev.millrace.model.Resource;
import org.jspecify.annotations.Nullable;

/**
 * What one process sends: its resource, its scopes and its metrics.
 *
 * <p>The resource and the target's place in the table are guarded by the table's lock, scopes and
 * metrics by the target's own, which is taken after the table's where both are.
 */
final class Target implements Linked<Target> {
  /**
   * The labels by which Prometheus tells targets apart (OpenTelemetry specification, Prometheus
   * compatibility, "Resource Attributes").
   *
   * @param resource the attributes of the resource where they, too, tell targets apart; else empty
   * @param hash of all by the table's {@link LabelHash}
   */
  record Key(String job, String instance, Labels resource, int hash) {
    /** By the table's own hash: senders could choose texts of which Java's are all the same. */
    @Override
    public int hashCode() {
      return hash;
    }
  }

  final Key key;

  /** Read without a lock by cursors; written under the table's lock. */
  private volatile Resource resource;

  private byte[] schemaUrl;
  private int hash;
  private @Nullable Target next;

  /** Whether the target is the agent's own, whose resource no other may replace. */
  boolean own;

  private final HashIndex<ScopeEntry> scopes = new HashIndex<>();
  private final HashIndex<MetricEntry> metrics = new HashIndex<>();

  Target(Key key, Resource resource, byte[] schemaUrl, int hash) {
    this.key = key;
    this.resource = resource;
    this.schemaUrl = schemaUrl;
    this.hash = hash;
  }

  Resource resource() {
    return resource;
  }

  /** Replaces the resource; the target must not be in an index by its hash meanwhile. */
  void setResource(Resource newest, byte[] newestSchemaUrl, int newestHash) {
    resource = newest;
    schemaUrl = newestSchemaUrl;
    hash = newestHash;
  }

  boolean hasResource(AttributeSet attributes, ByteSlice otherSchemaUrl) {
    return otherSchemaUrl.contentEquals(schemaUrl) && attributes.matches(resource.attributes());
  }

  synchronized @Nullable ScopeEntry findScope(Recorder recorder) {
    int scopeHash = recorder.scopeHash();
    for (ScopeEntry s = scopes.first(scopeHash); s != null; s = s.linkNext()) {
      if (s.linkHash() == scopeHash && recorder.matches(s)) {
        return s;
      }
    }
    return null;
  }

  synchronized @Nullable MetricEntry findMetric(Recorder recorder, ScopeEntry scope) {
    int metricHash = recorder.metricHash();
    for (MetricEntry m = metrics.first(metricHash); m != null; m = m.linkNext()) {
      if (m.linkHash() == metricHash && m.matches(recorder, scope)) {
        return m;
      }
    }
    return null;
  }

  synchronized void add(MetricEntry metric) {
    if (metric.scope.metricCount++ == 0) {
      scopes.add(metric.scope);
    }
    metrics.add(metric);
  }

  /** Takes a metric out, and its scope with the last metric of it. */
  synchronized void remove(MetricEntry metric) {
    metrics.remove(metric);
    if (--metric.scope.metricCount == 0) {
      scopes.remove(metric.scope);
    }
  }

  synchronized boolean isEmpty() {
    return metrics.size() == 0;
  }

  @Override
  public int linkHash() {
    return hash;
  }

  @Override
  public @Nullable Target linkNext() {
    return next;
  }

  @Override
  public void setLinkNext(@Nullable Target next) {
    this.next = next;
  }
}

package dev.millrace.format.otlp;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.Payload;
import dev.millrace.model.MetricCursor;
import dev.millrace.model.MetricKind;
import dev.millrace.model.Problem;
import dev.millrace.model.Problems;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes metrics as {@code ExportMetricsServiceRequest}s in protobuf (opentelemetry-proto 1.11),
 * byte for byte as protobuf's own libraries do.
 *
 * <p>Metrics are grouped by resource, then by scope, each in the order in which the source has
 * them; a metric without points is left out. Points that are flagged as "no recorded value" have
 * the flag, their times and their attributes, and nothing else. Histograms are left out and counted
 * whose bounds do not rise, or whose buckets are not one more than bounds: receivers refuse the
 * whole request for them.
 *
 * <p><b>Memory.</b> The bytes of resources, scopes, names, descriptions and units are made once and
 * kept for the source that was encoded last, up to a bound, until they leave it; those of a series'
 * attributes are kept with the series, within the source's budget. In steady state an encoding
 * allocates its payloads, of a few words each, and nothing for points, beside what the source
 * allocates for the attributes of exemplars.
 *
 * <p>One walk over each metric, so a source whose points change meanwhile may be read as well. Not
 * thread-safe: one for each thread, and best for one source.
 *
 * <pre>{@code
 * try (MetricCursor cursor = source.open()) {
 *   encoder.encode(cursor, 4_000_000, (payload, points) -> queue.add(payload));
 * }
 * }</pre>
 */
public final class OtlpMetricsEncoder {
  /** The media type of what is written. */
  public static final String CONTENT_TYPE = "application/x-protobuf";

  /** For {@link #encode(MetricCursor, long, PayloadSink)}: one payload, whatever its size. */
  public static final long NO_LIMIT = Long.MAX_VALUE;

  private final MetricsRequests requests;
  private final PointWriter points;
  private final HistogramShape shape = new HistogramShape();
  private final Problem inconsistentHistogram;
  private final Whole whole = new Whole();
  private @Nullable MetricsPlan plan;

  /** Takes the one payload of a whole collection. */
  private static final class Whole implements PayloadSink {
    private @Nullable Payload payload;

    @Override
    public void accept(Payload all, int items) {
      payload = all;
    }

    private @Nullable Payload take() {
      Payload taken = payload;
      payload = null;
      return taken;
    }
  }

  /**
   * An encoder.
   *
   * @param pool where the chunks of payloads come from
   * @param problems told of points that are left out
   */
  public OtlpMetricsEncoder(ChunkPool pool, Problems problems) {
    requests = new MetricsRequests(pool);
    points = new PointWriter(requests.out());
    inconsistentHistogram = problems.kind("otlp_inconsistent_histogram");
  }

  /**
   * Writes all metrics of a cursor into one payload.
   *
   * @param cursor stays open; it stands anywhere afterwards
   * @return the request, which the caller owns; {@code null} where there are no points
   */
  public @Nullable Payload encode(MetricCursor cursor) {
    encode(cursor, NO_LIMIT, whole);
    return whole.take();
  }

  /**
   * Writes all metrics of a cursor into as many payloads as they need. Each is a request of its
   * own; points keep their order, and a metric whose points do not fit into one is in several.
   *
   * @param cursor stays open; it stands anywhere afterwards
   * @param maxPayloadBytes no payload is larger, unless a single point is; 1 or more
   * @param sink takes each payload as soon as it is finished; none where there are no points
   */
  public void encode(MetricCursor cursor, long maxPayloadBytes, PayloadSink sink) {
    if (maxPayloadBytes < 1) {
      throw new IllegalArgumentException(
          "maxPayloadBytes: expected 1 or more, found " + maxPayloadBytes);
    }
    MetricsPlan current = plan;
    if (current == null || !current.isFor(cursor)) {
      current = new MetricsPlanner(current).plan(cursor);
      plan = current;
    }
    requests.begin(maxPayloadBytes, sink);
    try {
      encode(cursor, current);
      requests.finish();
    } finally {
      requests.close();
      points.trim();
      shape.forget();
    }
  }

  private void encode(MetricCursor cursor, MetricsPlan current) {
    List<MetricsPlan.ResourceGroup> resources = current.resources();
    for (int r = 0; r < resources.size(); r++) {
      MetricsPlan.ResourceGroup resource = resources.get(r);
      requests.enter(resource);
      for (int s = 0; s < resource.scopes().size(); s++) {
        MetricsPlan.ScopeGroup scope = resource.scopes().get(s);
        requests.enter(scope);
        for (int m = 0; m < scope.metrics().size(); m++) {
          encode(cursor, scope.metrics().get(m));
        }
      }
    }
  }

  private void encode(MetricCursor cursor, MetricsPlan.Metric metric) {
    requests.enter(metric);
    cursor.seekMetric(metric.index());
    MetricKind kind = metric.descriptor().kind();
    long inconsistent = 0;
    while (cursor.nextPoint()) {
      if (kind == MetricKind.HISTOGRAM && !shape.isConsistent(cursor)) {
        inconsistent++;
        continue;
      }
      points.load(cursor, kind);
      do {
        requests.beginPoint();
        points.write(cursor, kind);
      } while (!requests.endPoint());
    }
    if (inconsistent > 0) {
      report(metric, inconsistent);
    }
  }

  private void report(MetricsPlan.Metric metric, long count) {
    Supplier<String> detail =
        () ->
            "metric "
                + metric.descriptor().name()
                + ": expected rising bounds and one bucket more than bounds, or no buckets, found a"
                + " point that breaks this; the point is left out; mend its producer";
    inconsistentHistogram.add(count, detail);
  }
}

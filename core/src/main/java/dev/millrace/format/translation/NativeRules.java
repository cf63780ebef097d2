package dev.millrace.format.translation;

import dev.millrace.model.MetricCursor;
import org.jspecify.annotations.Nullable;

/**
 * Which exponential histograms can be native ones, and how (OpenTelemetry specification, Prometheus
 * compatibility, "Exponential Histograms"; Prometheus documentation, "Native Histograms"). Scales
 * above the highest schema are lowered to it, which merges buckets. A server refuses a point whose
 * count is not that of all its buckets, unless the sum says that NaN was observed. Stateless.
 */
public final class NativeRules {
  /** The lowest schema that Prometheus has. */
  public static final int MIN_SCHEMA = -4;

  /** The highest. */
  public static final int MAX_SCHEMA = 8;

  /**
   * The width of a zero bucket that does not say how wide it is. As it is more than 0, no point
   * without observations passes for a histogram with explicit bounds.
   */
  public static final double DEFAULT_ZERO_THRESHOLD = 1e-128;

  private NativeRules() {}

  /**
   * Looks at the point on which the cursor stands.
   *
   * @param point reads it
   * @return what keeps it from being written, or {@code null}
   */
  public static @Nullable Fault check(MetricCursor cursor, ExponentialPoint point) {
    if (cursor.scale() < MIN_SCHEMA) {
      return Fault.EXPONENTIAL_SCALE;
    }
    Fault fault = point.read(cursor);
    if (fault != null) {
      return fault;
    }
    // Differences of buckets are signed, so that one side's buckets can have 63 bits.
    boolean fits = point.negative().total() >= 0 && point.positive().total() >= 0;
    fits &= point.total() == cursor.count() || (cursor.hasSum() && Double.isNaN(cursor.sum()));
    return fits ? null : Fault.HISTOGRAM;
  }

  /** The schema that a point is written with. */
  public static int schema(MetricCursor cursor) {
    return Math.min(cursor.scale(), MAX_SCHEMA);
  }

  /** By how much its scale is lowered for that. */
  public static int shift(MetricCursor cursor) {
    // By 63 every index has become 0 or -1 already.
    return Math.min(cursor.scale() - schema(cursor), Long.SIZE - 1);
  }

  /** The width of its zero bucket, more than 0. */
  public static double zeroThreshold(MetricCursor cursor) {
    double threshold = cursor.zeroThreshold();
    return threshold > 0 ? threshold : DEFAULT_ZERO_THRESHOLD;
  }
}

package dev.millrace.format.translation;

import dev.millrace.model.MetricCursor;

/**
 * An exponential histogram as one with explicit bounds: rising bounds, and how many values lie at
 * or below each. Not thread-safe; it keeps its memory between points.
 *
 * <p>The bounds are those of all buckets between the lowest and the highest that hold something,
 * the empty ones too: a bound that was there once stays, as long as values only come and the scale
 * holds, and after a change to a lower scale those that are left are the same numbers. The lower
 * bound of the lowest bucket and the zero bucket's are there because quantiles are interpolated
 * between neighbours.
 */
public final class ExplicitBuckets {
  /** The most buckets, as many as OpenTelemetry SDKs keep on each side unless told otherwise. */
  public static final int MAX_BUCKETS = 160;

  /** With the lower bound of each side and that of the zero bucket. */
  private static final int MAX_BOUNDS = MAX_BUCKETS + 3;

  private final double[] bounds = new double[MAX_BOUNDS];
  private final long[] cumulative = new long[MAX_BOUNDS];
  private int size;

  /** Without bounds. */
  public void clear() {
    size = 0;
  }

  /** Takes the buckets of the point that {@code point} has read. */
  public void set(MetricCursor cursor, ExponentialPoint point) {
    size = 0;
    int scale = Math.min(cursor.scale(), ExponentialBounds.MAX_SCALE);
    // By 63 every index has become 0 or -1 already.
    int shift = Math.min(cursor.scale() - scale, Long.SIZE - 1);
    while (point.negative().width(shift) + point.positive().width(shift) > MAX_BUCKETS) {
      shift++;
      scale--;
    }
    long count = 0;
    ExponentialSide negative = point.negative();
    if (!negative.isEmpty()) {
      long index = negative.highest(shift);
      add(-ExponentialBounds.lowerBound(scale, index + 1), count);
      for (; index >= negative.lowest(shift); index--) {
        count += negative.count(cursor, index, shift);
        add(-ExponentialBounds.lowerBound(scale, index), count);
      }
    }
    count += cursor.zeroCount();
    add(cursor.zeroThreshold(), count);
    ExponentialSide positive = point.positive();
    if (!positive.isEmpty()) {
      long index = positive.lowest(shift);
      add(ExponentialBounds.lowerBound(scale, index), count);
      for (; index <= positive.highest(shift); index++) {
        count += positive.count(cursor, index, shift);
        add(ExponentialBounds.lowerBound(scale, index + 1), count);
      }
    }
  }

  /** How many bounds there are, without that of the last bucket, which has none. */
  public int size() {
    return size;
  }

  /** The bounds; the first {@link #size()} are valid until the next point. */
  public double[] bounds() {
    return bounds;
  }

  /** How many values lie at or below a bound; unsigned. */
  public long cumulative(int index) {
    return cumulative[index];
  }

  private void add(double bound, long count) {
    if (size > 0 && !(bound > bounds[size - 1])) {
      // Bounds closer than doubles are, or inside of the zero bucket: no bucket of their own.
      cumulative[size - 1] = count;
    } else if (!Double.isInfinite(bound)) {
      bounds[size] = bound;
      cumulative[size] = count;
      size++;
    }
  }
}

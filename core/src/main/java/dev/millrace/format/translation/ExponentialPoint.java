package dev.millrace.format.translation;

import dev.millrace.model.MetricCursor;
import org.jspecify.annotations.Nullable;

/** The exponential histogram on which a cursor stands, read and checked. Not thread-safe. */
public final class ExponentialPoint {
  private final ExponentialSide negative = new ExponentialSide(true);
  private final ExponentialSide positive = new ExponentialSide(false);
  private long total;

  /**
   * Reads a point.
   *
   * @return what keeps it from being written in any format, or {@code null}
   */
  public @Nullable Fault read(MetricCursor cursor) {
    negative.read(cursor);
    positive.read(cursor);
    int scale = cursor.scale();
    double threshold = cursor.zeroThreshold();
    boolean fits = threshold >= 0 && threshold < Double.POSITIVE_INFINITY;
    fits &= negative.isInRange(scale) && positive.isInRange(scale);
    fits &= !negative.isOverflowing() && !positive.isOverflowing();
    long sides = negative.total() + positive.total();
    total = sides + cursor.zeroCount();
    fits &= Long.compareUnsigned(sides, negative.total()) >= 0;
    fits &= Long.compareUnsigned(total, sides) >= 0;
    return fits && Long.compareUnsigned(total, cursor.count()) <= 0 ? null : Fault.HISTOGRAM;
  }

  /** The negative buckets; what their indices say of absolute values. */
  public ExponentialSide negative() {
    return negative;
  }

  public ExponentialSide positive() {
    return positive;
  }

  /** What all buckets hold, the zero bucket too; unsigned, and at most the point's count. */
  public long total() {
    return total;
  }
}

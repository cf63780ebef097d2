package dev.millrace.format.translation;

import dev.millrace.model.MetricCursor;

/**
 * The positive or the negative buckets of the exponential histogram on which a cursor stands: which
 * of them hold anything, and what several neighbours hold together at a lower scale. Not
 * thread-safe.
 */
public final class ExponentialSide {
  private final boolean negative;
  private boolean empty;
  private boolean overflowing;
  private long lowest;
  private long highest;
  private long total;

  public ExponentialSide(boolean negative) {
    this.negative = negative;
  }

  /** Looks at all buckets of a point. */
  public void read(MetricCursor cursor) {
    empty = true;
    overflowing = false;
    total = 0;
    long offset = offset(cursor);
    int buckets = bucketCount(cursor);
    for (int i = 0; i < buckets; i++) {
      long count = bucket(cursor, i);
      if (count != 0) {
        if (empty) {
          empty = false;
          lowest = offset + i;
        }
        highest = offset + i;
        long sum = total + count;
        overflowing |= Long.compareUnsigned(sum, total) < 0;
        total = sum;
      }
    }
  }

  /** Whether no bucket holds anything. */
  public boolean isEmpty() {
    return empty;
  }

  /** Whether all buckets together hold more than 64 bits can count. */
  public boolean isOverflowing() {
    return overflowing;
  }

  /** What all buckets hold, unsigned. */
  public long total() {
    return total;
  }

  /** The lowest bucket that holds something, at the point's scale lowered by {@code shift}. */
  public long lowest(int shift) {
    return lowest >> shift;
  }

  /** The highest bucket that holds something, at the point's scale lowered by {@code shift}. */
  public long highest(int shift) {
    return highest >> shift;
  }

  /** How many buckets there are from the lowest to the highest that hold something. */
  public long width(int shift) {
    return empty ? 0 : highest(shift) - lowest(shift) + 1;
  }

  /** Whether all that is held lies where doubles can lie. */
  public boolean isInRange(int scale) {
    return empty
        || (lowest >= ExponentialBounds.leastIndex(scale)
            && highest <= ExponentialBounds.greatestIndex(scale));
  }

  /** What a bucket holds at the point's scale lowered by {@code shift}. */
  public long count(MetricCursor cursor, long index, int shift) {
    long offset = offset(cursor);
    int from = (int) (Math.max(lowest, index << shift) - offset);
    int to = (int) (Math.min(highest, (index << shift) + (1L << shift) - 1) - offset);
    long count = 0;
    for (int i = from; i <= to; i++) {
      count += bucket(cursor, i);
    }
    return count;
  }

  private long offset(MetricCursor cursor) {
    return negative ? cursor.negativeOffset() : cursor.positiveOffset();
  }

  private int bucketCount(MetricCursor cursor) {
    return negative ? cursor.negativeBucketCount() : cursor.positiveBucketCount();
  }

  private long bucket(MetricCursor cursor, int index) {
    return negative ? cursor.negativeBucket(index) : cursor.positiveBucket(index);
  }
}

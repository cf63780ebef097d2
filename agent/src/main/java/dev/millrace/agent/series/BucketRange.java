package dev.millrace.agent.series;

import java.util.Arrays;

/**
 * The buckets of one side of an exponential histogram: counts of consecutive indexes from an offset
 * on. Not thread-safe.
 */
public final class BucketRange {
  private static final long[] NO_COUNTS = new long[0];

  private long[] counts = NO_COUNTS;
  private int offset;
  private int size;

  /** No buckets. */
  public BucketRange() {}

  /** The index of the first bucket; 0 where there is none. */
  public int offset() {
    return offset;
  }

  /** Sets the index of the first bucket. */
  public void setOffset(int offset) {
    this.offset = offset;
  }

  /** How many buckets there are. */
  public int size() {
    return size;
  }

  /** The count of a bucket, from 0 to {@link #size()} - 1; unsigned. */
  public long count(int bucket) {
    return counts[bucket];
  }

  /**
   * Appends a bucket.
   *
   * @param limit how many buckets are kept at most; those beyond are counted in {@link #size()} and
   *     not kept, so that the size tells that the limit was passed
   */
  public void append(long count, int limit) {
    if (size < limit) {
      if (size == counts.length) {
        counts = Arrays.copyOf(counts, Math.min(limit, Math.max(32, 2 * size)));
      }
      counts[size] = count;
    }
    size++;
  }

  /** Takes all buckets away, and keeps the memory. */
  public void clear() {
    offset = 0;
    size = 0;
  }

  /** The index of the last bucket, which may be beyond an {@code int}. */
  long lastIndex() {
    return (long) offset + size - 1;
  }

  /** Takes empty buckets away from both ends, which changes nothing of what is said. */
  void trim() {
    int from = 0;
    while (from < size && counts[from] == 0) {
      from++;
    }
    int to = size;
    while (to > from && counts[to - 1] == 0) {
      to--;
    }
    if (from > 0) {
      System.arraycopy(counts, from, counts, 0, to - from);
      offset += from;
    }
    size = to - from;
    if (size == 0) {
      offset = 0;
    }
  }

  /** Makes this a copy, in an array that fits. */
  void copyFrom(BucketRange other) {
    if (counts.length < other.size || counts.length > 2 * other.size) {
      counts = other.size == 0 ? NO_COUNTS : new long[other.size];
    }
    System.arraycopy(other.counts, 0, counts, 0, other.size);
    offset = other.offset;
    size = other.size;
  }

  /** As {@link #copyFrom}, in an array that only grows. */
  void readFrom(BucketRange other) {
    if (counts.length < other.size) {
      counts = new long[other.size];
    }
    System.arraycopy(other.counts, 0, counts, 0, other.size);
    offset = other.offset;
    size = other.size;
  }

  /**
   * The index that a bucket has at a lower scale.
   *
   * @param by how much lower, 0 or more
   */
  static long indexAt(long index, long by) {
    return index >> Math.min(by, Long.SIZE - 1);
  }

  /** Merges buckets into those of a scale that is lower by so much. */
  void lowerScale(long by) {
    if (by == 0 || size == 0) {
      return;
    }
    long first = indexAt(offset, by);
    int last = -1;
    for (int i = 0; i < size; i++) {
      long count = counts[i];
      int to = (int) (indexAt((long) offset + i, by) - first);
      counts[to] = to == last ? counts[to] + count : count;
      last = to;
    }
    offset = (int) first;
    size = last + 1;
  }

  /** Adds buckets of the same scale; the caller has seen to it that the union is not too large. */
  void add(BucketRange other) {
    if (other.size == 0) {
      return;
    }
    if (size == 0) {
      copyFrom(other);
      return;
    }
    int first = Math.min(offset, other.offset);
    int all = (int) (Math.max(lastIndex(), other.lastIndex()) - first + 1);
    if (all != size) {
      long[] wider = all <= counts.length ? counts : new long[all];
      System.arraycopy(counts, 0, wider, offset - first, size);
      Arrays.fill(wider, 0, offset - first, 0);
      Arrays.fill(wider, offset - first + size, all, 0);
      counts = wider;
      offset = first;
      size = all;
    }
    for (int i = 0; i < other.size; i++) {
      counts[other.offset - first + i] += other.counts[i];
    }
  }

  /**
   * Takes the lowest buckets away, up to the bucket that ends above a width; the caller puts them
   * into the zero bucket.
   *
   * @return their count
   */
  long takeBelow(double width, int scale) {
    long taken = 0;
    int gone = 0;
    while (gone < size && lowerBound((long) offset + gone, scale) < width) {
      taken += counts[gone++];
    }
    System.arraycopy(counts, gone, counts, 0, size - gone);
    offset += gone;
    size -= gone;
    return taken;
  }

  /** The upper bound of the highest bucket that begins below a width and is not empty, or 0. */
  double upperBoundBelow(double width, int scale) {
    double bound = 0;
    for (int i = 0; i < size && lowerBound((long) offset + i, scale) < width; i++) {
      if (counts[i] != 0) {
        bound = lowerBound((long) offset + i + 1, scale);
      }
    }
    return bound;
  }

  private static double lowerBound(long index, int scale) {
    return Math.pow(2, index * Math.pow(2, -scale));
  }
}

package dev.millrace.store.file;

/**
 * Adds exponential histograms of different scales and offsets: first all are measured, which gives
 * the greatest scale at which their filled buckets fit, then all are added at that scale
 * (OpenTelemetry metrics data model, "Exponential Histograms", "Scale and merge": halving the scale
 * by one joins buckets 2i and 2i+1). One thread at a time; used again.
 */
final class ExponentialMerge {
  private int maxBuckets;
  private int scale;
  private final Range positive = new Range();
  private final Range negative = new Range();
  private Shape shape = Shape.NONE;

  /** Indexes of filled buckets at one scale. */
  private static final class Range {
    boolean empty = true;
    int low;
    int high;

    void clear() {
      empty = true;
      low = 0;
      high = -1;
    }

    void include(int index) {
      low = empty ? index : Math.min(low, index);
      high = empty ? index : Math.max(high, index);
      empty = false;
    }

    void shift(int by) {
      if (!empty) {
        low >>= by;
        high >>= by;
      }
    }

    int buckets() {
      return empty ? 0 : high - low + 1;
    }

    long width() {
      return empty ? 0 : (long) high - low + 1;
    }
  }

  /** Begins a point. */
  void begin(int maxScale, int maxBucketsASign) {
    maxBuckets = Math.max(2, maxBucketsASign);
    scale = maxScale;
    positive.clear();
    negative.clear();
  }

  /** Takes the filled buckets of one histogram into account. */
  void measure(long[] source, int cell, Shape part) {
    if (part.scale() < scale) {
      int by = scale - part.scale();
      positive.shift(by);
      negative.shift(by);
      scale = part.scale();
    }
    int by = part.scale() - scale;
    int at = cell + CellLayout.FIRST_EXPONENTIAL_CELL;
    measure(positive, source, at, part.positiveOffset(), part.positiveBuckets(), by);
    measure(
        negative,
        source,
        at + part.positiveBuckets(),
        part.negativeOffset(),
        part.negativeBuckets(),
        by);
  }

  private static void measure(Range range, long[] source, int at, int offset, int buckets, int by) {
    int first = 0;
    while (first < buckets && source[at + first] == 0) {
      first++;
    }
    if (first == buckets) {
      return;
    }
    int last = buckets - 1;
    while (source[at + last] == 0) {
      last--;
    }
    range.include((offset + first) >> by);
    range.include((offset + last) >> by);
  }

  /**
   * Ends measuring.
   *
   * @return how many cells the sum has
   */
  int settle() {
    while ((positive.width() > maxBuckets || negative.width() > maxBuckets)
        && scale > Shape.MIN_SCALE) {
      positive.shift(1);
      negative.shift(1);
      scale--;
    }
    shape = new Shape(scale, positive.low, positive.buckets(), negative.low, negative.buckets());
    return CellLayout.FIRST_EXPONENTIAL_CELL + positive.buckets() + negative.buckets();
  }

  /** The sum's shape, after {@link #settle}. */
  Shape shape() {
    return shape;
  }

  /** Adds the buckets of one histogram to the sum's cells. */
  void add(long[] source, int cell, Shape part, long[] target) {
    target[CellLayout.ZERO_BUCKET_CELL] += source[cell + CellLayout.ZERO_BUCKET_CELL];
    int by = part.scale() - scale;
    int at = cell + CellLayout.FIRST_EXPONENTIAL_CELL;
    int to = CellLayout.FIRST_EXPONENTIAL_CELL;
    add(source, at, part.positiveOffset(), part.positiveBuckets(), by, target, to - positive.low);
    add(
        source,
        at + part.positiveBuckets(),
        part.negativeOffset(),
        part.negativeBuckets(),
        by,
        target,
        to + positive.buckets() - negative.low);
  }

  private static void add(
      long[] source, int at, int offset, int buckets, int by, long[] target, int to) {
    for (int i = 0; i < buckets; i++) {
      long more = source[at + i];
      if (more != 0) {
        target[to + ((offset + i) >> by)] += more;
      }
    }
  }
}

package dev.millrace.format.remotewrite;

import dev.millrace.bytes.ByteArray;
import dev.millrace.bytes.ProtobufWriter;
import dev.millrace.format.translation.ExponentialSide;
import dev.millrace.model.MetricCursor;

/**
 * One {@code Histogram} message, the same in both versions but for its start time. Buckets are
 * spans of neighbours, and what each holds as the difference to the one before it (Prometheus
 * documentation, "Native Histograms", "Buckets"). Not thread-safe; it keeps its memory.
 */
final class NativeHistogram {
  /**
   * So many empty buckets are cheaper to write than another span; Prometheus' own client agrees.
   */
  private static final long MAX_GAP = 2;

  /** The most bytes of all fields but the buckets and bounds: nine of 11 bytes at most. */
  private static final int OTHER_BYTES = 128;

  private final Side negative = new Side();
  private final Side positive = new Side();
  private double[] customValues = {};
  private int customCount;
  private long count;
  private long sumBits;
  private int schema;
  private double zeroThreshold;
  private long zeroCount;
  private long unixMillis;
  private long startUnixMillis;

  /** Spans and differences of one side's buckets. */
  private static final class Side {
    final ByteArray spans = new ByteArray();
    final ByteArray deltas = new ByteArray();
    private final ByteArray span = new ByteArray();
    private int field;
    private long previous;
    private long offset;
    private long length;
    private long gap;

    /**
     * Begins a side.
     *
     * @param spansField the number of the field of spans
     * @param firstIndex of the first bucket that holds something
     */
    void begin(int spansField, long firstIndex) {
      spans.clear();
      deltas.clear();
      field = spansField;
      previous = 0;
      offset = firstIndex;
      length = 0;
      gap = 0;
    }

    void add(long bucketCount) {
      if (bucketCount == 0) {
        gap++;
        return;
      }
      if (gap > MAX_GAP && length > 0) {
        writeSpan();
        offset = gap;
        length = 0;
        gap = 0;
      }
      for (; gap > 0; gap--) {
        addDelta(0);
      }
      addDelta(bucketCount);
    }

    private void addDelta(long bucketCount) {
      LabelList.appendVarint(deltas, zigZag(bucketCount - previous));
      previous = bucketCount;
      length++;
    }

    void end() {
      if (length > 0) {
        writeSpan();
      }
    }

    private void writeSpan() {
      span.clear();
      if (offset != 0) {
        span.append(WriteSchema.SPAN_OFFSET << 3);
        LabelList.appendVarint(span, zigZag(offset));
      }
      span.append(WriteSchema.SPAN_LENGTH << 3);
      LabelList.appendVarint(span, length);
      spans.append(field << 3 | 2);
      LabelList.appendVarint(spans, span.lengthBytes());
      spans.append(span.bytes(), 0, span.lengthBytes());
    }
  }

  /** The time of the histogram. */
  long unixMillis() {
    return unixMillis;
  }

  /** The most bytes that {@link #write} writes. */
  int maxBytes() {
    return OTHER_BYTES
        + negative.spans.lengthBytes()
        + negative.deltas.lengthBytes()
        + positive.spans.lengthBytes()
        + positive.deltas.lengthBytes()
        + Double.BYTES * customCount;
  }

  /** Makes a stale marker. */
  void setStale(long atUnixMillis) {
    reset(atUnixMillis, 0);
    sumBits = WriteSchema.STALE_NAN_BITS;
  }

  /**
   * Takes an exponential histogram that was read and checked.
   *
   * @param schemaOfPoint its scale, lowered by {@code shift}
   * @param threshold the width of the zero bucket, more than 0
   */
  void setExponential(
      MetricCursor cursor,
      ExponentialSide negativeBuckets,
      ExponentialSide positiveBuckets,
      int schemaOfPoint,
      int shift,
      double threshold,
      long atUnixMillis,
      long startedUnixMillis) {
    reset(atUnixMillis, startedUnixMillis);
    count = cursor.count();
    sumBits = cursor.hasSum() ? WriteSchema.bits(cursor.sum()) : 0;
    schema = schemaOfPoint;
    zeroThreshold = threshold;
    zeroCount = cursor.zeroCount();
    fill(negative, WriteSchema.HISTOGRAM_NEGATIVE_SPANS, cursor, negativeBuckets, shift);
    fill(positive, WriteSchema.HISTOGRAM_POSITIVE_SPANS, cursor, positiveBuckets, shift);
  }

  private static void fill(
      Side side, int field, MetricCursor cursor, ExponentialSide buckets, int shift) {
    if (buckets.isEmpty()) {
      return;
    }
    long first = buckets.lowest(shift);
    // Prometheus counts buckets by their upper bounds: its bucket 0 ends where ours begins.
    side.begin(field, first + 1);
    for (long index = first; index <= buckets.highest(shift); index++) {
      side.add(buckets.count(cursor, index, shift));
    }
    side.end();
  }

  /**
   * Takes a histogram with explicit bounds that was checked. What its buckets do not hold of its
   * count goes to the last one, as it does in classic series.
   *
   * @param bounds of all buckets but the last; used until {@link #write}
   * @param boundCount how many there are
   */
  void setCustom(
      MetricCursor cursor,
      double[] bounds,
      int boundCount,
      long atUnixMillis,
      long startedUnixMillis) {
    reset(atUnixMillis, startedUnixMillis);
    count = cursor.count();
    sumBits = cursor.hasSum() ? WriteSchema.bits(cursor.sum()) : 0;
    schema = WriteSchema.CUSTOM_BUCKETS_SCHEMA;
    customValues = bounds;
    customCount = boundCount;
    long rest = count;
    int first = 0;
    while (first < boundCount && cursor.bucket(first) == 0) {
      first++;
    }
    positive.begin(WriteSchema.HISTOGRAM_POSITIVE_SPANS, first);
    for (int i = first; i < boundCount; i++) {
      positive.add(cursor.bucket(i));
      rest -= cursor.bucket(i);
    }
    positive.add(rest);
    positive.end();
  }

  private void reset(long atUnixMillis, long startedUnixMillis) {
    unixMillis = atUnixMillis;
    startUnixMillis = startedUnixMillis;
    count = 0;
    sumBits = 0;
    schema = 0;
    zeroThreshold = 0;
    zeroCount = 0;
    customCount = 0;
    negative.begin(0, 0);
    positive.begin(0, 0);
  }

  /** Writes the message as a field. */
  void write(int field, boolean hasStart, ProtobufWriter out) {
    out.begin(field);
    out.writeVarint(WriteSchema.HISTOGRAM_COUNT_INT, count);
    if (sumBits != 0) {
      out.writeFixed64(WriteSchema.HISTOGRAM_SUM, sumBits);
    }
    if (schema != 0) {
      out.writeZigZag(WriteSchema.HISTOGRAM_SCHEMA, schema);
    }
    if (zeroThreshold != 0) {
      out.writeDouble(WriteSchema.HISTOGRAM_ZERO_THRESHOLD, zeroThreshold);
    }
    out.writeVarint(WriteSchema.HISTOGRAM_ZERO_COUNT_INT, zeroCount);
    write(negative, WriteSchema.HISTOGRAM_NEGATIVE_DELTAS, out);
    write(positive, WriteSchema.HISTOGRAM_POSITIVE_DELTAS, out);
    if (unixMillis != 0) {
      out.writeVarint(WriteSchema.HISTOGRAM_TIMESTAMP, unixMillis);
    }
    if (customCount > 0) {
      out.writeLength(WriteSchema.HISTOGRAM_CUSTOM_VALUES, customCount * Double.BYTES);
      for (int i = 0; i < customCount; i++) {
        out.writeRawFixed64(Double.doubleToRawLongBits(customValues[i]));
      }
    }
    if (hasStart && startUnixMillis != 0) {
      out.writeVarint(WriteSchema.V2_HISTOGRAM_START_TIMESTAMP, startUnixMillis);
    }
    out.end();
  }

  private static void write(Side side, int deltasField, ProtobufWriter out) {
    ByteArray spans = side.spans;
    ByteArray deltas = side.deltas;
    if (deltas.lengthBytes() > 0) {
      out.writeRaw(spans.bytes(), 0, spans.lengthBytes());
      out.writeBytes(deltasField, deltas.bytes(), 0, deltas.lengthBytes());
    }
  }

  private static long zigZag(long value) {
    return (value << 1) ^ (value >> (Long.SIZE - 1));
  }
}

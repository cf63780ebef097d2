package dev.millrace.format.remotewrite;

import dev.millrace.bytes.DoubleText;
import dev.millrace.bytes.MalformedProtobufException;
import dev.millrace.bytes.ProtobufReader;
import java.util.Arrays;

/** A native histogram with custom buckets as classic series have it. Used again and again. */
final class CustomHistogram {
  private final LongList spans = new LongList();
  private final LongList deltas = new LongList();
  private final LongList counts = new LongList();
  private final LongList bounds = new LongList();
  private double[] cumulative = new double[16];
  private double count;
  private long sumBits;
  private long unixMillis;
  private int schema;

  /** Numbers in a row. */
  private static final class LongList {
    long[] values = new long[32];
    int size;

    void add(long value) {
      if (size == values.length) {
        values = Arrays.copyOf(values, 2 * size);
      }
      values[size++] = value;
    }
  }

  /**
   * Reads a {@code Histogram} message up to the reader's limit.
   *
   * @return whether it has custom buckets
   */
  boolean read(ProtobufReader reader) throws MalformedProtobufException {
    spans.size = 0;
    deltas.size = 0;
    counts.size = 0;
    bounds.size = 0;
    count = 0;
    sumBits = 0;
    unixMillis = 0;
    schema = 0;
    for (int tag = reader.readTag(); tag != ProtobufReader.END; tag = reader.readTag()) {
      switch (ProtobufReader.fieldNumber(tag)) {
        case WriteSchema.HISTOGRAM_COUNT_INT -> count = unsigned(varint(reader, tag));
        case WriteSchema.HISTOGRAM_COUNT_FLOAT ->
            count = Double.longBitsToDouble(fixed(reader, tag));
        case WriteSchema.HISTOGRAM_SUM -> sumBits = fixed(reader, tag);
        case WriteSchema.HISTOGRAM_SCHEMA ->
            schema = (int) ProtobufReader.decodeZigZag(varint(reader, tag));
        case WriteSchema.HISTOGRAM_POSITIVE_SPANS -> readSpan(reader, tag);
        case WriteSchema.HISTOGRAM_POSITIVE_DELTAS -> readPacked(reader, tag, deltas, false);
        case WriteSchema.HISTOGRAM_POSITIVE_COUNTS -> readPacked(reader, tag, counts, true);
        case WriteSchema.HISTOGRAM_CUSTOM_VALUES -> readPacked(reader, tag, bounds, true);
        case WriteSchema.HISTOGRAM_TIMESTAMP -> unixMillis = varint(reader, tag);
        default -> reader.skip(tag);
      }
    }
    return schema == WriteSchema.CUSTOM_BUCKETS_SCHEMA;
  }

  private static long varint(ProtobufReader reader, int tag) throws MalformedProtobufException {
    RequestBytes.requireType(reader, tag, ProtobufReader.VARINT);
    return reader.readVarint();
  }

  private static long fixed(ProtobufReader reader, int tag) throws MalformedProtobufException {
    RequestBytes.requireType(reader, tag, ProtobufReader.FIXED64);
    return reader.readFixed64();
  }

  private void readSpan(ProtobufReader reader, int messageTag) throws MalformedProtobufException {
    int outer = RequestBytes.enter(reader, messageTag);
    long offset = 0;
    long length = 0;
    for (int tag = reader.readTag(); tag != ProtobufReader.END; tag = reader.readTag()) {
      switch (ProtobufReader.fieldNumber(tag)) {
        case WriteSchema.SPAN_OFFSET -> offset = ProtobufReader.decodeZigZag(varint(reader, tag));
        case WriteSchema.SPAN_LENGTH -> length = varint(reader, tag) & 0xffff_ffffL;
        default -> reader.skip(tag);
      }
    }
    reader.leave(outer);
    spans.add(offset);
    spans.add(length);
  }

  private static void readPacked(ProtobufReader reader, int tag, LongList target, boolean isFixed)
      throws MalformedProtobufException {
    if (ProtobufReader.wireType(tag) != ProtobufReader.LENGTH_DELIMITED) {
      target.add(isFixed ? fixed(reader, tag) : varint(reader, tag));
      return;
    }
    int outer = RequestBytes.enter(reader, tag);
    while (reader.positionBytes() < reader.limitBytes()) {
      target.add(isFixed ? reader.readFixed64() : reader.readVarint());
    }
    reader.leave(outer);
  }

  /** Makes the cumulative counts of the buckets. Spans that lead out of the buckets are ignored. */
  void sumUp() {
    int buckets = bounds.size + 1;
    if (buckets > cumulative.length) {
      cumulative = new double[2 * buckets];
    }
    Arrays.fill(cumulative, 0, buckets, 0);
    long index = 0;
    int next = 0;
    long held = 0;
    int total = Math.max(deltas.size, counts.size);
    for (int span = 0; span < spans.size; span += 2) {
      index += spans.values[span];
      for (long i = 0; i < spans.values[span + 1] && next < total; i++, index++, next++) {
        if (next < deltas.size) {
          held += ProtobufReader.decodeZigZag(deltas.values[next]);
        }
        if (index >= 0 && index < buckets) {
          cumulative[(int) index] =
              next < deltas.size ? held : Double.longBitsToDouble(counts.values[next]);
        }
      }
    }
    for (int i = 1; i < buckets; i++) {
      cumulative[i] += cumulative[i - 1];
    }
  }

  int boundCount() {
    return bounds.size;
  }

  /** The text of a bucket's bound. */
  byte[] le(int bucket) {
    double bound =
        bucket == bounds.size
            ? Double.POSITIVE_INFINITY
            : Double.longBitsToDouble(bounds.values[bucket]);
    byte[] text = new byte[DoubleText.MAX_BYTES];
    return Arrays.copyOf(text, DoubleText.writeCanonical(bound, text, 0));
  }

  /** The sample of a bucket; the last one is the count. */
  long cumulativeBits(int bucket) {
    return isStale() ? sumBits : bits(bucket == bounds.size ? count : cumulative[bucket]);
  }

  long sumBits() {
    return sumBits;
  }

  long countBits() {
    return isStale() ? sumBits : bits(count);
  }

  long unixMillis() {
    return unixMillis;
  }

  private boolean isStale() {
    return sumBits == WriteSchema.STALE_NAN_BITS;
  }

  private static long bits(double value) {
    return WriteSchema.bits(value);
  }

  private static double unsigned(long value) {
    return Double.longBitsToDouble(BucketsWriter.bits(value));
  }
}

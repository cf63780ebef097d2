package dev.millrace.format.otlp;

import dev.millrace.bytes.ByteArray;
import dev.millrace.bytes.ProtobufReader;
import dev.millrace.bytes.ProtobufWriter;
import dev.millrace.bytes.Varint;
import dev.millrace.model.MetricCursor;
import dev.millrace.model.MetricKind;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Writes single points: {@code NumberDataPoint}, {@code HistogramDataPoint}, {@code
 * ExponentialHistogramDataPoint} and {@code SummaryDataPoint} (opentelemetry-proto 1.11, {@code
 * metrics/v1/metrics.proto}). Fields stand in the order of their numbers. Not thread-safe.
 */
final class PointWriter {
  /** The field of each kind of data that the points are in. */
  private static final int DATA_POINTS = 1;

  /** Fields that all messages but the one of exponential histograms have by these numbers. */
  private static final int START_TIME = 2;

  private static final int TIME = 3;
  private static final int COUNT = 4;
  private static final int SUM = 5;

  private static final int NUMBER_AS_DOUBLE = 4;
  private static final int NUMBER_EXEMPLARS = 5;
  private static final int NUMBER_AS_INT = 6;
  private static final int NUMBER_FLAGS = 8;

  private static final int HISTOGRAM_BUCKETS = 6;
  private static final int HISTOGRAM_BOUNDS = 7;
  private static final int HISTOGRAM_EXEMPLARS = 8;
  private static final int HISTOGRAM_FLAGS = 10;
  private static final int HISTOGRAM_MIN = 11;
  private static final int HISTOGRAM_MAX = 12;

  private static final int EXPONENTIAL_SCALE = 6;
  private static final int EXPONENTIAL_ZERO_COUNT = 7;
  private static final int EXPONENTIAL_POSITIVE = 8;
  private static final int EXPONENTIAL_NEGATIVE = 9;
  private static final int EXPONENTIAL_FLAGS = 10;
  private static final int EXPONENTIAL_EXEMPLARS = 11;
  private static final int EXPONENTIAL_MIN = 12;
  private static final int EXPONENTIAL_MAX = 13;
  private static final int EXPONENTIAL_ZERO_THRESHOLD = 14;

  private static final int BUCKETS_OFFSET = 1;
  private static final int BUCKETS_COUNTS = 2;

  private static final int SUMMARY_QUANTILES = 6;
  private static final int QUANTILE = 1;
  private static final int QUANTILE_VALUE = 2;

  private static final int NO_RECORDED_VALUE = 1;

  /** A tag of one byte, and eight bytes. */
  private static final int FIXED64_FIELD_BYTES = 1 + Long.BYTES;

  /** A point of a number without its attributes: a tag, a length and three fields. */
  private static final int NUMBER_FRAME_BYTES = 3 + 3 * FIXED64_FIELD_BYTES;

  /** The longest attributes whose point is laid out in one reserved place. */
  private static final int MAX_PLAIN_ATTRIBUTES_BYTES =
      ProtobufWriter.MAX_RESERVE_BYTES - NUMBER_FRAME_BYTES;

  /** How many numbers of eight bytes are written into one reserved place. */
  private static final int VALUES_AT_ONCE = ProtobufWriter.MAX_RESERVE_BYTES / Long.BYTES;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final ProtobufWriter out;
  private final ByteArray encodedBounds = new ByteArray();
  private double @Nullable [] lastBounds;
  private final SeriesAttributes attributes = new SeriesAttributes();
  private final ExemplarWriter exemplars;

  PointWriter(ProtobufWriter out) {
    this.out = out;
    exemplars = new ExemplarWriter(out);
  }

  /** Goes to the attributes of the point on which a cursor stands. */
  void load(MetricCursor cursor, MetricKind kind) {
    AttributesField field =
        switch (kind) {
          case GAUGE, SUM, SUMMARY -> AttributesField.NUMBER;
          case HISTOGRAM -> AttributesField.HISTOGRAM;
          case EXPONENTIAL_HISTOGRAM -> AttributesField.EXPONENTIAL_HISTOGRAM;
        };
    attributes.load(cursor.series(), field, cursor.encodedLabelsBudget());
  }

  /** Writes the point on which a cursor stands, whose attributes are loaded. */
  void write(MetricCursor cursor, MetricKind kind) {
    switch (kind) {
      case GAUGE, SUM -> writeNumber(cursor);
      case HISTOGRAM -> writeHistogram(cursor);
      case EXPONENTIAL_HISTOGRAM -> writeExponential(cursor);
      case SUMMARY -> writeSummary(cursor);
    }
  }

  /** Ends a collection. */
  void trim() {
    attributes.trim();
    exemplars.trim();
    // The source may fill the array with others.
    lastBounds = null;
  }

  private void writeNumber(MetricCursor cursor) {
    boolean missing = cursor.noRecordedValue();
    int exemplarCount = missing ? 0 : cursor.exemplarCount();
    if (missing || exemplarCount > 0 || attributes.lengthBytes() > MAX_PLAIN_ATTRIBUTES_BYTES) {
      writeRareNumber(cursor, missing, exemplarCount);
      return;
    }
    // Nearly all points are such: how long they are is known beforehand, and that they fit.
    long start = cursor.startTimeUnixNanos();
    long time = cursor.timeUnixNanos();
    int attributesBytes = attributes.lengthBytes();
    int lengthBytes =
        (start == 0 ? 0 : FIXED64_FIELD_BYTES)
            + (time == 0 ? 0 : FIXED64_FIELD_BYTES)
            + FIXED64_FIELD_BYTES
            + attributesBytes;
    int at = out.reserve(NUMBER_FRAME_BYTES + attributesBytes);
    byte[] target = out.reservedBytes();
    target[at] = DATA_POINTS << 3 | ProtobufReader.LENGTH_DELIMITED;
    at = Varint.put(lengthBytes, target, at + 1);
    if (start != 0) {
      at = putFixed64(START_TIME, start, target, at);
    }
    if (time != 0) {
      at = putFixed64(TIME, time, target, at);
    }
    at =
        cursor.isLong()
            ? putFixed64(NUMBER_AS_INT, cursor.longValue(), target, at)
            : putFixed64(
                NUMBER_AS_DOUBLE, Double.doubleToRawLongBits(cursor.doubleValue()), target, at);
    System.arraycopy(attributes.bytes(), 0, target, at, attributesBytes);
    out.advanceTo(at + attributesBytes);
  }

  private static int putFixed64(int field, long bits, byte[] target, int at) {
    target[at] = (byte) (field << 3 | ProtobufReader.FIXED64);
    LONGS.set(target, at + 1, bits);
    return at + FIXED64_FIELD_BYTES;
  }

  private void writeRareNumber(MetricCursor cursor, boolean missing, int exemplarCount) {
    out.begin(DATA_POINTS);
    writeFixed64(START_TIME, cursor.startTimeUnixNanos());
    writeFixed64(TIME, cursor.timeUnixNanos());
    boolean whole = !missing && cursor.isLong();
    if (!missing && !whole) {
      out.writeDouble(NUMBER_AS_DOUBLE, cursor.doubleValue());
    }
    if (exemplarCount > 0) {
      exemplars.write(NUMBER_EXEMPLARS, cursor, exemplarCount);
    }
    if (whole) {
      out.writeFixed64(NUMBER_AS_INT, cursor.longValue());
    }
    writeAttributes();
    if (missing) {
      out.writeVarint(NUMBER_FLAGS, NO_RECORDED_VALUE);
    }
    out.end();
  }

  private void writeHistogram(MetricCursor cursor) {
    out.begin(DATA_POINTS);
    writeFixed64(START_TIME, cursor.startTimeUnixNanos());
    writeFixed64(TIME, cursor.timeUnixNanos());
    boolean missing = cursor.noRecordedValue();
    if (!missing) {
      writeFixed64(COUNT, cursor.count());
      if (cursor.hasSum()) {
        out.writeDouble(SUM, cursor.sum());
      }
      writeBuckets(cursor);
      exemplars.write(HISTOGRAM_EXEMPLARS, cursor, cursor.exemplarCount());
    }
    writeAttributes();
    if (missing) {
      out.writeVarint(HISTOGRAM_FLAGS, NO_RECORDED_VALUE);
    } else if (cursor.hasMinMax()) {
      out.writeDouble(HISTOGRAM_MIN, cursor.min());
      out.writeDouble(HISTOGRAM_MAX, cursor.max());
    }
    out.end();
  }

  private void writeBuckets(MetricCursor cursor) {
    int count = cursor.bucketCount();
    if (count == 0) {
      return;
    }
    out.writeLength(HISTOGRAM_BUCKETS, count * Long.BYTES);
    int next = 0;
    while (next < count) {
      int end = Math.min(count, next + VALUES_AT_ONCE);
      int at = out.reserve((end - next) * Long.BYTES);
      byte[] target = out.reservedBytes();
      for (; next < end; next++) {
        LONGS.set(target, at, cursor.bucket(next));
        at += Long.BYTES;
      }
      out.advanceTo(at);
    }
    writeBounds(cursor.explicitBounds());
  }

  /** Writes bounds, which are encoded once for all points in a row that share them. */
  private void writeBounds(double[] bounds) {
    if (bounds != lastBounds) {
      lastBounds = bounds;
      encodedBounds.clear();
      if (bounds.length > 0) {
        encodedBounds.append(HISTOGRAM_BOUNDS << 3 | ProtobufReader.LENGTH_DELIMITED);
        KeyValues.appendVarint((long) bounds.length * Double.BYTES, encodedBounds);
        for (double bound : bounds) {
          encodedBounds.reserve(Double.BYTES);
          int at = encodedBounds.lengthBytes();
          LONGS.set(encodedBounds.bytes(), at, Double.doubleToRawLongBits(bound));
          encodedBounds.advanceTo(at + Double.BYTES);
        }
      }
    }
    out.writeRaw(encodedBounds.bytes(), 0, encodedBounds.lengthBytes());
  }

  private void writeExponential(MetricCursor cursor) {
    out.begin(DATA_POINTS);
    writeAttributes();
    writeFixed64(START_TIME, cursor.startTimeUnixNanos());
    writeFixed64(TIME, cursor.timeUnixNanos());
    if (cursor.noRecordedValue()) {
      out.writeVarint(EXPONENTIAL_FLAGS, NO_RECORDED_VALUE);
    } else {
      writeFixed64(COUNT, cursor.count());
      if (cursor.hasSum()) {
        out.writeDouble(SUM, cursor.sum());
      }
      if (cursor.scale() != 0) {
        out.writeZigZag(EXPONENTIAL_SCALE, cursor.scale());
      }
      writeFixed64(EXPONENTIAL_ZERO_COUNT, cursor.zeroCount());
      writePositive(cursor);
      writeNegative(cursor);
      exemplars.write(EXPONENTIAL_EXEMPLARS, cursor, cursor.exemplarCount());
      if (cursor.hasMinMax()) {
        out.writeDouble(EXPONENTIAL_MIN, cursor.min());
        out.writeDouble(EXPONENTIAL_MAX, cursor.max());
      }
      writeFixed64(EXPONENTIAL_ZERO_THRESHOLD, Double.doubleToRawLongBits(cursor.zeroThreshold()));
    }
    out.end();
  }

  private void writePositive(MetricCursor cursor) {
    int count = cursor.positiveBucketCount();
    if (count == 0) {
      return;
    }
    beginBuckets(EXPONENTIAL_POSITIVE, cursor.positiveOffset());
    for (int i = 0; i < count; i++) {
      out.writeRawVarint(cursor.positiveBucket(i));
    }
    out.end();
    out.end();
  }

  private void writeNegative(MetricCursor cursor) {
    int count = cursor.negativeBucketCount();
    if (count == 0) {
      return;
    }
    beginBuckets(EXPONENTIAL_NEGATIVE, cursor.negativeOffset());
    for (int i = 0; i < count; i++) {
      out.writeRawVarint(cursor.negativeBucket(i));
    }
    out.end();
    out.end();
  }

  private void beginBuckets(int field, int offset) {
    out.begin(field);
    if (offset != 0) {
      out.writeZigZag(BUCKETS_OFFSET, offset);
    }
    out.begin(BUCKETS_COUNTS);
  }

  private void writeSummary(MetricCursor cursor) {
    out.begin(DATA_POINTS);
    writeFixed64(START_TIME, cursor.startTimeUnixNanos());
    writeFixed64(TIME, cursor.timeUnixNanos());
    boolean missing = cursor.noRecordedValue();
    if (!missing) {
      writeFixed64(COUNT, cursor.count());
      writeFixed64(SUM, Double.doubleToRawLongBits(cursor.sum()));
      for (int i = 0; i < cursor.quantileCount(); i++) {
        long quantile = Double.doubleToRawLongBits(cursor.quantile(i));
        long value = Double.doubleToRawLongBits(cursor.quantileValue(i));
        out.writeLength(
            SUMMARY_QUANTILES,
            (quantile == 0 ? 0 : FIXED64_FIELD_BYTES) + (value == 0 ? 0 : FIXED64_FIELD_BYTES));
        writeFixed64(QUANTILE, quantile);
        writeFixed64(QUANTILE_VALUE, value);
      }
    }
    writeAttributes();
    if (missing) {
      out.writeVarint(NUMBER_FLAGS, NO_RECORDED_VALUE);
    }
    out.end();
  }

  private void writeAttributes() {
    out.writeRaw(attributes.bytes(), 0, attributes.lengthBytes());
  }

  /** Writes a field whose absence means zero. */
  private void writeFixed64(int field, long bits) {
    if (bits != 0) {
      out.writeFixed64(field, bits);
    }
  }
}

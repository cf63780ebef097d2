package dev.millrace.agent.otlp;

import dev.millrace.agent.series.PointValues;
import dev.millrace.bytes.MalformedProtobufException;
import dev.millrace.bytes.ProtobufReader;
import dev.millrace.model.MetricKind;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Reads one data point, whose bytes lie in one piece, into {@link PointValues} and its attributes.
 * Used again and again; not thread-safe.
 */
final class OtlpPointReader {
  private static final int START_TIME = 2 << 3 | ProtobufReader.FIXED64;
  private static final int TIME = 3 << 3 | ProtobufReader.FIXED64;
  private static final int COUNT = 4 << 3 | ProtobufReader.FIXED64;
  private static final int SUM = 5 << 3 | ProtobufReader.FIXED64;

  private static final int NUMBER_AS_DOUBLE = 4 << 3 | ProtobufReader.FIXED64;
  private static final int NUMBER_EXEMPLARS = 5 << 3 | ProtobufReader.LENGTH_DELIMITED;
  private static final int NUMBER_AS_INT = 6 << 3 | ProtobufReader.FIXED64;
  private static final int NUMBER_ATTRIBUTES = 7 << 3 | ProtobufReader.LENGTH_DELIMITED;
  private static final int NUMBER_FLAGS = 8 << 3 | ProtobufReader.VARINT;

  private static final int HISTOGRAM_BUCKET = 6 << 3 | ProtobufReader.FIXED64;
  private static final int HISTOGRAM_BUCKETS = 6 << 3 | ProtobufReader.LENGTH_DELIMITED;
  private static final int HISTOGRAM_BOUND = 7 << 3 | ProtobufReader.FIXED64;
  private static final int HISTOGRAM_BOUNDS = 7 << 3 | ProtobufReader.LENGTH_DELIMITED;
  private static final int HISTOGRAM_EXEMPLARS = 8 << 3 | ProtobufReader.LENGTH_DELIMITED;
  private static final int HISTOGRAM_ATTRIBUTES = 9 << 3 | ProtobufReader.LENGTH_DELIMITED;
  private static final int HISTOGRAM_FLAGS = 10 << 3 | ProtobufReader.VARINT;
  private static final int HISTOGRAM_MIN = 11 << 3 | ProtobufReader.FIXED64;
  private static final int HISTOGRAM_MAX = 12 << 3 | ProtobufReader.FIXED64;

  private static final int EXPONENTIAL_ATTRIBUTES = 1 << 3 | ProtobufReader.LENGTH_DELIMITED;
  private static final int EXPONENTIAL_SCALE = 6 << 3 | ProtobufReader.VARINT;
  private static final int EXPONENTIAL_ZERO_COUNT = 7 << 3 | ProtobufReader.FIXED64;
  private static final int EXPONENTIAL_POSITIVE = 8 << 3 | ProtobufReader.LENGTH_DELIMITED;
  private static final int EXPONENTIAL_NEGATIVE = 9 << 3 | ProtobufReader.LENGTH_DELIMITED;
  private static final int EXPONENTIAL_FLAGS = 10 << 3 | ProtobufReader.VARINT;
  private static final int EXPONENTIAL_EXEMPLARS = 11 << 3 | ProtobufReader.LENGTH_DELIMITED;
  private static final int EXPONENTIAL_MIN = 12 << 3 | ProtobufReader.FIXED64;
  private static final int EXPONENTIAL_MAX = 13 << 3 | ProtobufReader.FIXED64;
  private static final int EXPONENTIAL_ZERO_THRESHOLD = 14 << 3 | ProtobufReader.FIXED64;

  private static final int BUCKETS_OFFSET = 1 << 3 | ProtobufReader.VARINT;
  private static final int BUCKETS_COUNT = 2 << 3 | ProtobufReader.VARINT;
  private static final int BUCKETS_COUNTS = 2 << 3 | ProtobufReader.LENGTH_DELIMITED;

  private static final int SUMMARY_QUANTILE = 6 << 3 | ProtobufReader.LENGTH_DELIMITED;
  private static final int SUMMARY_ATTRIBUTES = 7 << 3 | ProtobufReader.LENGTH_DELIMITED;
  private static final int SUMMARY_FLAGS = 8 << 3 | ProtobufReader.VARINT;
  private static final int QUANTILE = 1 << 3 | ProtobufReader.FIXED64;
  private static final int QUANTILE_VALUE = 2 << 3 | ProtobufReader.FIXED64;

  /** {@code DATA_POINT_FLAGS_NO_RECORDED_VALUE_MASK}. */
  private static final long NO_RECORDED_VALUE = 1;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final byte[] NO_BYTES = new byte[0];

  private final ProtobufReader reader = new ProtobufReader();
  private final PointValues point;
  private final WireAttributes attributes;
  private final OtlpExemplarReader exemplars;
  private boolean hasExemplars;
  private byte[] bytes = NO_BYTES;
  private int base;

  /**
   * A reader.
   *
   * @param exemplarAttributes memory for those of one exemplar at a time
   */
  OtlpPointReader(PointValues point, WireAttributes attributes, WireAttributes exemplarAttributes) {
    this.point = point;
    this.attributes = attributes;
    exemplars = new OtlpExemplarReader(reader, point, exemplarAttributes);
  }

  /** Reads a data point of a metric of that kind. */
  void read(MetricKind kind, byte[] source, int offset, int lengthBytes)
      throws MalformedProtobufException {
    bytes = source;
    base = offset;
    reader.reset(source, offset, lengthBytes);
    point.clear();
    attributes.clear();
    hasExemplars = false;
    switch (kind) {
      case GAUGE, SUM -> readNumber();
      case HISTOGRAM -> readHistogram();
      case EXPONENTIAL_HISTOGRAM -> readExponential();
      case SUMMARY -> readSummary();
    }
    if (hasExemplars && !point.noRecordedValue) {
      readExemplars(kind);
    }
  }

  /** Once the rest is known, because the bounds tell which bucket an exemplar lies in. */
  private void readExemplars(MetricKind kind) throws MalformedProtobufException {
    int exemplarTag =
        switch (kind) {
          case GAUGE, SUM, SUMMARY -> NUMBER_EXEMPLARS;
          case HISTOGRAM -> HISTOGRAM_EXEMPLARS;
          case EXPONENTIAL_HISTOGRAM -> EXPONENTIAL_EXEMPLARS;
        };
    reader.seek(0);
    exemplars.begin(kind, bytes, base);
    for (int tag = reader.readTag(); tag != ProtobufReader.END; tag = reader.readTag()) {
      if (tag == exemplarTag) {
        exemplars.read();
      } else {
        reader.skip(tag);
      }
    }
    exemplars.end();
  }

  private void skipExemplar(int tag) throws MalformedProtobufException {
    hasExemplars = true;
    reader.skip(tag);
  }

  /** Lets go of what was read. */
  void clear() {
    bytes = NO_BYTES;
    reader.clear();
    attributes.clear();
    point.clear();
  }

  private void readNumber() throws MalformedProtobufException {
    for (int tag = reader.readTag(); tag != ProtobufReader.END; tag = reader.readTag()) {
      switch (tag) {
        case START_TIME -> point.startTimeUnixNanos = reader.readFixed64();
        case TIME -> point.timeUnixNanos = reader.readFixed64();
        case NUMBER_AS_DOUBLE -> point.setDouble(reader.readDouble());
        case NUMBER_AS_INT -> point.setLong(reader.readFixed64());
        case NUMBER_EXEMPLARS -> skipExemplar(tag);
        case NUMBER_ATTRIBUTES -> readAttribute();
        case NUMBER_FLAGS -> readFlags();
        default -> reader.skip(tag);
      }
    }
  }

  private void readHistogram() throws MalformedProtobufException {
    for (int tag = reader.readTag(); tag != ProtobufReader.END; tag = reader.readTag()) {
      switch (tag) {
        case START_TIME -> point.startTimeUnixNanos = reader.readFixed64();
        case TIME -> point.timeUnixNanos = reader.readFixed64();
        case COUNT -> point.count = reader.readFixed64();
        case SUM -> readSum();
        case HISTOGRAM_BUCKET -> point.addBucket(reader.readFixed64());
        case HISTOGRAM_BUCKETS -> readBuckets();
        case HISTOGRAM_BOUND -> point.addBound(reader.readDouble());
        case HISTOGRAM_BOUNDS -> readBounds();
        case HISTOGRAM_EXEMPLARS -> skipExemplar(tag);
        case HISTOGRAM_ATTRIBUTES -> readAttribute();
        case HISTOGRAM_FLAGS -> readFlags();
        case HISTOGRAM_MIN -> readMin();
        case HISTOGRAM_MAX -> readMax();
        default -> reader.skip(tag);
      }
    }
  }

  private void readBuckets() throws MalformedProtobufException {
    int length = reader.readLength();
    int start = base + reader.positionBytes();
    for (int at = start; at < start + length; at += Long.BYTES) {
      point.addBucket((long) LONGS.get(bytes, at));
    }
    reader.skipBytes(length);
  }

  private void readBounds() throws MalformedProtobufException {
    int length = reader.readLength();
    int start = base + reader.positionBytes();
    for (int at = start; at < start + length; at += Long.BYTES) {
      point.addBound(Double.longBitsToDouble((long) LONGS.get(bytes, at)));
    }
    reader.skipBytes(length);
  }

  private void readExponential() throws MalformedProtobufException {
    for (int tag = reader.readTag(); tag != ProtobufReader.END; tag = reader.readTag()) {
      switch (tag) {
        case EXPONENTIAL_ATTRIBUTES -> readAttribute();
        case START_TIME -> point.startTimeUnixNanos = reader.readFixed64();
        case TIME -> point.timeUnixNanos = reader.readFixed64();
        case COUNT -> point.count = reader.readFixed64();
        case SUM -> readSum();
        case EXPONENTIAL_SCALE ->
            point.scale = (int) ProtobufReader.decodeZigZag(reader.readVarint() & 0xffff_ffffL);
        case EXPONENTIAL_ZERO_COUNT -> point.zeroCount = reader.readFixed64();
        case EXPONENTIAL_POSITIVE -> readSide(true);
        case EXPONENTIAL_NEGATIVE -> readSide(false);
        case EXPONENTIAL_EXEMPLARS -> skipExemplar(tag);
        case EXPONENTIAL_FLAGS -> readFlags();
        case EXPONENTIAL_MIN -> readMin();
        case EXPONENTIAL_MAX -> readMax();
        case EXPONENTIAL_ZERO_THRESHOLD -> point.zeroThreshold = reader.readDouble();
        default -> reader.skip(tag);
      }
    }
  }

  private void readSide(boolean positive) throws MalformedProtobufException {
    int outer = reader.enter(reader.readLength());
    for (int tag = reader.readTag(); tag != ProtobufReader.END; tag = reader.readTag()) {
      switch (tag) {
        case BUCKETS_OFFSET -> {
          int offset = (int) ProtobufReader.decodeZigZag(reader.readVarint() & 0xffff_ffffL);
          (positive ? point.positive : point.negative).setOffset(offset);
        }
        case BUCKETS_COUNT -> addExponential(positive, reader.readVarint());
        case BUCKETS_COUNTS -> {
          int around = reader.enter(reader.readLength());
          while (reader.positionBytes() < reader.limitBytes()) {
            addExponential(positive, reader.readVarint());
          }
          reader.leave(around);
        }
        default -> reader.skip(tag);
      }
    }
    reader.leave(outer);
  }

  private void addExponential(boolean positive, long count) {
    if (positive) {
      point.addPositive(count);
    } else {
      point.addNegative(count);
    }
  }

  private void readSummary() throws MalformedProtobufException {
    for (int tag = reader.readTag(); tag != ProtobufReader.END; tag = reader.readTag()) {
      switch (tag) {
        case START_TIME -> point.startTimeUnixNanos = reader.readFixed64();
        case TIME -> point.timeUnixNanos = reader.readFixed64();
        case COUNT -> point.count = reader.readFixed64();
        case SUM -> readSum();
        case SUMMARY_QUANTILE -> readQuantile();
        case SUMMARY_ATTRIBUTES -> readAttribute();
        case SUMMARY_FLAGS -> readFlags();
        default -> reader.skip(tag);
      }
    }
  }

  private void readQuantile() throws MalformedProtobufException {
    int outer = reader.enter(reader.readLength());
    double quantile = 0;
    double value = 0;
    for (int tag = reader.readTag(); tag != ProtobufReader.END; tag = reader.readTag()) {
      switch (tag) {
        case QUANTILE -> quantile = reader.readDouble();
        case QUANTILE_VALUE -> value = reader.readDouble();
        default -> reader.skip(tag);
      }
    }
    reader.leave(outer);
    point.addQuantile(quantile, value);
  }

  private void readAttribute() throws MalformedProtobufException {
    attributes.add(reader, bytes, base, reader.readLength());
  }

  private void readFlags() throws MalformedProtobufException {
    point.noRecordedValue = (reader.readVarint() & NO_RECORDED_VALUE) != 0;
  }

  private void readSum() throws MalformedProtobufException {
    point.hasSum = true;
    point.sum = reader.readDouble();
  }

  private void readMin() throws MalformedProtobufException {
    point.hasMin = true;
    point.min = reader.readDouble();
  }

  private void readMax() throws MalformedProtobufException {
    point.hasMax = true;
    point.max = reader.readDouble();
  }
}

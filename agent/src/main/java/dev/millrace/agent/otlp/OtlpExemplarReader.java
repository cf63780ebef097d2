package dev.millrace.agent.otlp;

import dev.millrace.agent.series.ExemplarSet;
import dev.millrace.agent.series.PointValues;
import dev.millrace.bytes.MalformedProtobufException;
import dev.millrace.bytes.ProtobufReader;
import dev.millrace.model.Labels;
import dev.millrace.model.MetricKind;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Reads the exemplars of one data point into {@link PointValues}: of each slot the newest, however
 * many there are. Attributes are made only of those that stay; without any, nothing is allocated.
 *
 * <p>An exemplar that is not valid, because it has no value, a value that is not a number in a
 * histogram, or an id of a wrong length, is left out and counted; it harms neither its point nor
 * the request. Used again and again; not thread-safe.
 */
final class OtlpExemplarReader {
  /**
   * 1 KiB for keys and values: Prometheus takes 128 characters, ids included, which are 512 bytes
   * at the most.
   */
  static final int MAX_ATTRIBUTE_BYTES = 1_024;

  private static final int TIME = 2 << 3 | ProtobufReader.FIXED64;
  private static final int AS_DOUBLE = 3 << 3 | ProtobufReader.FIXED64;
  private static final int SPAN_ID = 4 << 3 | ProtobufReader.LENGTH_DELIMITED;
  private static final int TRACE_ID = 5 << 3 | ProtobufReader.LENGTH_DELIMITED;
  private static final int AS_INT = 6 << 3 | ProtobufReader.FIXED64;
  private static final int ATTRIBUTES = 7 << 3 | ProtobufReader.LENGTH_DELIMITED;

  private static final int TRACE_ID_BYTES = 16;
  private static final int SPAN_ID_BYTES = 8;

  /** The origin of an exemplar that has no attributes; others have the offset of their message. */
  private static final int NO_ATTRIBUTES = -1;

  private static final VarHandle BIG_ENDIAN =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private static final byte[] NO_BYTES = new byte[0];

  private final ProtobufReader reader;
  private final PointValues point;
  private final WireAttributes attributes;
  private MetricKind kind = MetricKind.GAUGE;
  private byte[] bytes = NO_BYTES;
  private int base;

  private boolean hasValue;
  private boolean isLong;
  private long valueBits;
  private long timeUnixNanos;
  private boolean validTraceId;
  private long traceIdHigh;
  private long traceIdLow;
  private boolean validSpanId;
  private long spanId;
  private int origin;

  /**
   * A reader of exemplars.
   *
   * @param reader of the data point
   * @param point takes the exemplars
   * @param attributes memory for those of one exemplar at a time
   */
  OtlpExemplarReader(ProtobufReader reader, PointValues point, WireAttributes attributes) {
    this.reader = reader;
    this.point = point;
    this.attributes = attributes;
  }

  /**
   * Begins with a data point, of which everything else has been read.
   *
   * @param source the array that the reader reads
   * @param offset where in it the reader's position 0 is
   */
  void begin(MetricKind ofKind, byte[] source, int offset) {
    kind = ofKind;
    bytes = source;
    base = offset;
  }

  /** Reads the exemplar whose tag was read. */
  void read() throws MalformedProtobufException {
    int start = reader.positionBytes();
    forgetLast();
    int outer = reader.enter(reader.readLength());
    for (int tag = reader.readTag(); tag != ProtobufReader.END; tag = reader.readTag()) {
      switch (tag) {
        case TIME -> timeUnixNanos = reader.readFixed64();
        case AS_DOUBLE -> setValue(false);
        case AS_INT -> setValue(true);
        case TRACE_ID -> readTraceId();
        case SPAN_ID -> readSpanId();
        case ATTRIBUTES -> {
          origin = start;
          reader.skip(tag);
        }
        default -> reader.skip(tag);
      }
    }
    reader.leave(outer);
    double value = isLong ? valueBits : Double.longBitsToDouble(valueBits);
    int slot = point.exemplarSlot(kind, value);
    if (!hasValue || !validTraceId || !validSpanId || slot < 0) {
      point.malformedExemplars++;
      return;
    }
    point.exemplars.offer(
        slot, isLong, valueBits, timeUnixNanos, traceIdHigh, traceIdLow, spanId, origin);
  }

  /** Ends with the data point: the exemplars that stay get their attributes. */
  void end() throws MalformedProtobufException {
    ExemplarSet exemplars = point.exemplars;
    for (int i = 0; i < exemplars.count(); i++) {
      int start = exemplars.origin(i);
      if (start != NO_ATTRIBUTES) {
        readAttributes(start);
        Labels labels =
            attributes.lengthBytes() <= MAX_ATTRIBUTE_BYTES ? attributes.toLabels() : null;
        if (labels == null) {
          point.exemplarsWithoutAttributes++;
        } else {
          exemplars.setLabels(i, labels);
        }
      }
    }
    attributes.clear();
    bytes = NO_BYTES;
  }

  private void forgetLast() {
    hasValue = false;
    isLong = false;
    valueBits = 0;
    timeUnixNanos = 0;
    validTraceId = true;
    traceIdHigh = 0;
    traceIdLow = 0;
    validSpanId = true;
    spanId = 0;
    origin = NO_ATTRIBUTES;
  }

  private void setValue(boolean whole) throws MalformedProtobufException {
    hasValue = true;
    isLong = whole;
    valueBits = reader.readFixed64();
  }

  private void readTraceId() throws MalformedProtobufException {
    int length = reader.readLength();
    int at = base + reader.positionBytes();
    reader.skipBytes(length);
    boolean present = length == TRACE_ID_BYTES;
    validTraceId = present || length == 0;
    traceIdHigh = present ? (long) BIG_ENDIAN.get(bytes, at) : 0;
    traceIdLow = present ? (long) BIG_ENDIAN.get(bytes, at + Long.BYTES) : 0;
  }

  private void readSpanId() throws MalformedProtobufException {
    int length = reader.readLength();
    int at = base + reader.positionBytes();
    reader.skipBytes(length);
    boolean present = length == SPAN_ID_BYTES;
    validSpanId = present || length == 0;
    spanId = present ? (long) BIG_ENDIAN.get(bytes, at) : 0;
  }

  private void readAttributes(int start) throws MalformedProtobufException {
    attributes.clear();
    reader.seek(start);
    int outer = reader.enter(reader.readLength());
    for (int tag = reader.readTag(); tag != ProtobufReader.END; tag = reader.readTag()) {
      if (tag == ATTRIBUTES) {
        attributes.add(reader, bytes, base, reader.readLength());
      } else {
        reader.skip(tag);
      }
    }
    reader.leave(outer);
  }
}

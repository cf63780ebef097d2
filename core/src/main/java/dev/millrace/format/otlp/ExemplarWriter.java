package dev.millrace.format.otlp;

import dev.millrace.bytes.ProtobufReader;
import dev.millrace.bytes.ProtobufWriter;
import dev.millrace.model.Labels;
import dev.millrace.model.MetricCursor;

/**
 * Writes exemplars (opentelemetry-proto 1.11, {@code Exemplar} in {@code
 * metrics/v1/metrics.proto}), all that a point has. Not thread-safe.
 */
final class ExemplarWriter {
  private static final int TIME = 2;
  private static final int AS_DOUBLE = 3;
  private static final int SPAN_ID = 4;
  private static final int TRACE_ID = 5;
  private static final int AS_INT = 6;
  private static final int FILTERED_ATTRIBUTES = 7 << 3 | ProtobufReader.LENGTH_DELIMITED;

  private final ProtobufWriter out;
  private final SeriesAttributes attributes = new SeriesAttributes();

  ExemplarWriter(ProtobufWriter out) {
    this.out = out;
  }

  /** Writes the exemplars of the point on which a cursor stands. */
  void write(int field, MetricCursor cursor, int count) {
    for (int i = 0; i < count; i++) {
      out.begin(field);
      write(cursor, i);
      out.end();
    }
  }

  /** Ends a collection. */
  void trim() {
    attributes.trim();
  }

  private void write(MetricCursor cursor, int index) {
    long time = cursor.exemplarTimeUnixNanos(index);
    if (time != 0) {
      out.writeFixed64(TIME, time);
    }
    boolean whole = cursor.exemplarIsLong(index);
    if (!whole) {
      out.writeDouble(AS_DOUBLE, cursor.exemplarDoubleValue(index));
    }
    long spanId = cursor.exemplarSpanId(index);
    if (spanId != 0) {
      out.writeLength(SPAN_ID, Long.BYTES);
      writeId(spanId);
    }
    long high = cursor.exemplarTraceIdHigh(index);
    long low = cursor.exemplarTraceIdLow(index);
    if ((high | low) != 0) {
      out.writeLength(TRACE_ID, 2 * Long.BYTES);
      writeId(high);
      writeId(low);
    }
    if (whole) {
      out.writeFixed64(AS_INT, cursor.exemplarLongValue(index));
    }
    Labels filtered = cursor.exemplarLabels(index);
    if (filtered.size() > 0) {
      attributes.encode(filtered, FILTERED_ATTRIBUTES);
      out.writeRaw(attributes.bytes(), 0, attributes.lengthBytes());
    }
  }

  /** Writes bytes of an id, of which the first is in the highest bits. */
  private void writeId(long bits) {
    out.writeRawFixed64(Long.reverseBytes(bits));
  }
}

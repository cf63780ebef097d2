package dev.millrace.agent.otlp;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The messages of OTLP metrics requests: what is needed to check their structure and to read them
 * from JSON, and to name what is wrong in them (opentelemetry-proto 1.11, {@code metrics.proto},
 * {@code common.proto}, {@code resource.proto}, {@code metrics_service.proto}).
 */
final class OtlpSchema {
  /** The types that fields of these messages have. */
  enum Type {
    MESSAGE,
    STRING,
    BYTES,
    /** Bytes that OTLP writes in hexadecimal in JSON: trace and span ids. */
    ID,
    BOOL,
    INT32,
    UINT32,
    SINT32,
    INT64,
    UINT64,
    FIXED64,
    SFIXED64,
    DOUBLE,
    TEMPORALITY
  }

  /** A field of a message. */
  static final class Field {
    final int number;
    final String name;
    final String jsonName;
    final Type type;
    final boolean repeated;

    /** The type of an embedded message. */
    final @Nullable Message message;

    /**
     * A bit of the field's own among the fields of its message, for finding it twice; fields of
     * which a message has only one share theirs.
     */
    final long bit;

    Field(int number, String name, Type type, boolean repeated, @Nullable Message of, long bit) {
      this.number = number;
      this.name = name;
      this.jsonName = camelCase(name);
      this.type = type;
      this.repeated = repeated;
      this.message = of;
      this.bit = bit;
    }

    private static String camelCase(String name) {
      StringBuilder camel = new StringBuilder();
      for (int i = 0; i < name.length(); i++) {
        char c = name.charAt(i);
        if (c == '_') {
          camel.append(Character.toUpperCase(name.charAt(++i)));
        } else {
          camel.append(c);
        }
      }
      return camel.toString();
    }
  }

  /** A message. */
  static final class Message {
    /** Greater than every field number of OTLP's metrics. */
    private static final int NUMBERS = 16;

    private final @Nullable Field[] byNumber = new @Nullable Field[NUMBERS];
    private final Map<String, Field> byJsonName = new HashMap<>();

    /** The bit that the fields of a choice share: no field has number 0. */
    private long choice;

    @Nullable Field field(int number) {
      return number < NUMBERS ? byNumber[number] : null;
    }

    @Nullable Field field(String jsonName) {
      return byJsonName.get(jsonName);
    }

    private Message one(int number, String name, Type type) {
      return add(number, name, type, false, null);
    }

    /** Makes the fields from here on a choice, until {@link #endChoice}. */
    private Message choice() {
      choice = 1;
      return this;
    }

    private Message endChoice() {
      choice = 0;
      return this;
    }

    private Message one(int number, String name, Message type) {
      return add(number, name, Type.MESSAGE, false, type);
    }

    private Message many(int number, String name, Type type) {
      return add(number, name, type, true, null);
    }

    private Message many(int number, String name, Message type) {
      return add(number, name, Type.MESSAGE, true, type);
    }

    private Message add(
        int number, String name, Type type, boolean repeated, @Nullable Message of) {
      Field field =
          new Field(number, name, type, repeated, of, choice != 0 ? choice : 1L << number);
      byNumber[number] = field;
      byJsonName.put(field.jsonName, field);
      return this;
    }
  }

  /** {@code ExportMetricsServiceRequest}. */
  static final Message REQUEST;

  /** {@code KeyValue}. */
  static final Message KEY_VALUE;

  static {
    Message value = new Message();
    Message keyValue =
        new Message()
            .one(1, "key", Type.STRING)
            .one(2, "value", value)
            .one(3, "key_strindex", Type.INT32);
    value
        .choice()
        .one(1, "string_value", Type.STRING)
        .one(2, "bool_value", Type.BOOL)
        .one(3, "int_value", Type.INT64)
        .one(4, "double_value", Type.DOUBLE)
        .one(5, "array_value", new Message().many(1, "values", value))
        .one(6, "kvlist_value", new Message().many(1, "values", keyValue))
        .one(7, "bytes_value", Type.BYTES)
        .one(8, "string_value_strindex", Type.INT32);
    Message entity =
        new Message()
            .one(1, "schema_url", Type.STRING)
            .one(2, "type", Type.STRING)
            .many(3, "id_keys", Type.STRING)
            .many(4, "description_keys", Type.STRING);
    Message resource =
        new Message()
            .many(1, "attributes", keyValue)
            .one(2, "dropped_attributes_count", Type.UINT32)
            .many(3, "entity_refs", entity);
    Message scope =
        new Message()
            .one(1, "name", Type.STRING)
            .one(2, "version", Type.STRING)
            .many(3, "attributes", keyValue)
            .one(4, "dropped_attributes_count", Type.UINT32);
    Message scopeMetrics =
        new Message()
            .one(1, "scope", scope)
            .many(2, "metrics", metric(keyValue))
            .one(3, "schema_url", Type.STRING);
    Message resourceMetrics =
        new Message()
            .one(1, "resource", resource)
            .many(2, "scope_metrics", scopeMetrics)
            .one(3, "schema_url", Type.STRING);
    KEY_VALUE = keyValue;
    REQUEST = new Message().many(1, "resource_metrics", resourceMetrics);
  }

  private OtlpSchema() {}

  private static Message metric(Message keyValue) {
    Message exemplar =
        new Message()
            .one(2, "time_unix_nano", Type.FIXED64)
            .one(4, "span_id", Type.ID)
            .one(5, "trace_id", Type.ID)
            .many(7, "filtered_attributes", keyValue)
            .choice()
            .one(3, "as_double", Type.DOUBLE)
            .one(6, "as_int", Type.SFIXED64);
    Message number = numberPoint(keyValue, exemplar);
    Message sum =
        new Message()
            .many(1, "data_points", number)
            .one(2, "aggregation_temporality", Type.TEMPORALITY)
            .one(3, "is_monotonic", Type.BOOL);
    Message histogram =
        new Message()
            .many(1, "data_points", histogramPoint(keyValue, exemplar))
            .one(2, "aggregation_temporality", Type.TEMPORALITY);
    Message exponential =
        new Message()
            .many(1, "data_points", exponentialPoint(keyValue, exemplar))
            .one(2, "aggregation_temporality", Type.TEMPORALITY);
    return new Message()
        .one(1, "name", Type.STRING)
        .one(2, "description", Type.STRING)
        .one(3, "unit", Type.STRING)
        .choice()
        .one(5, "gauge", new Message().many(1, "data_points", number))
        .one(7, "sum", sum)
        .one(9, "histogram", histogram)
        .one(10, "exponential_histogram", exponential)
        .one(11, "summary", new Message().many(1, "data_points", summaryPoint(keyValue)))
        .endChoice()
        .many(12, "metadata", keyValue);
  }

  private static Message numberPoint(Message keyValue, Message exemplar) {
    return new Message()
        .one(2, "start_time_unix_nano", Type.FIXED64)
        .one(3, "time_unix_nano", Type.FIXED64)
        .many(5, "exemplars", exemplar)
        .many(7, "attributes", keyValue)
        .one(8, "flags", Type.UINT32)
        .choice()
        .one(4, "as_double", Type.DOUBLE)
        .one(6, "as_int", Type.SFIXED64);
  }

  private static Message histogramPoint(Message keyValue, Message exemplar) {
    return new Message()
        .one(2, "start_time_unix_nano", Type.FIXED64)
        .one(3, "time_unix_nano", Type.FIXED64)
        .one(4, "count", Type.FIXED64)
        .one(5, "sum", Type.DOUBLE)
        .many(6, "bucket_counts", Type.FIXED64)
        .many(7, "explicit_bounds", Type.DOUBLE)
        .many(8, "exemplars", exemplar)
        .many(9, "attributes", keyValue)
        .one(10, "flags", Type.UINT32)
        .one(11, "min", Type.DOUBLE)
        .one(12, "max", Type.DOUBLE);
  }

  private static Message exponentialPoint(Message keyValue, Message exemplar) {
    Message buckets =
        new Message().one(1, "offset", Type.SINT32).many(2, "bucket_counts", Type.UINT64);
    return new Message()
        .many(1, "attributes", keyValue)
        .one(2, "start_time_unix_nano", Type.FIXED64)
        .one(3, "time_unix_nano", Type.FIXED64)
        .one(4, "count", Type.FIXED64)
        .one(5, "sum", Type.DOUBLE)
        .one(6, "scale", Type.SINT32)
        .one(7, "zero_count", Type.FIXED64)
        .one(8, "positive", buckets)
        .one(9, "negative", buckets)
        .one(10, "flags", Type.UINT32)
        .many(11, "exemplars", exemplar)
        .one(12, "min", Type.DOUBLE)
        .one(13, "max", Type.DOUBLE)
        .one(14, "zero_threshold", Type.DOUBLE);
  }

  private static Message summaryPoint(Message keyValue) {
    Message quantile = new Message().one(1, "quantile", Type.DOUBLE).one(2, "value", Type.DOUBLE);
    return new Message()
        .one(2, "start_time_unix_nano", Type.FIXED64)
        .one(3, "time_unix_nano", Type.FIXED64)
        .one(4, "count", Type.FIXED64)
        .one(5, "sum", Type.DOUBLE)
        .many(6, "quantile_values", quantile)
        .many(7, "attributes", keyValue)
        .one(8, "flags", Type.UINT32);
  }
}

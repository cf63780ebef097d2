package dev.millrace.format.otlp;

import dev.millrace.bytes.ProtobufReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The messages of OTLP's export requests: what is needed to check their structure, to read them
 * from JSON and to write them as JSON, and to name what is wrong in them (opentelemetry-proto
 * 1.11). Immutable once the class is initialized.
 */
public final class OtlpSchema {
  /** The types that fields of these messages have. */
  public enum Type {
    /** An embedded message: {@link Field#message()}. */
    MESSAGE(ProtobufReader.LENGTH_DELIMITED),
    /** Text in UTF-8. */
    STRING(ProtobufReader.LENGTH_DELIMITED),
    /** Bytes that JSON has in base64. */
    BYTES(ProtobufReader.LENGTH_DELIMITED),
    /** Bytes that OTLP writes in hexadecimal in JSON: trace and span ids. */
    ID(ProtobufReader.LENGTH_DELIMITED),
    /** {@code bool}. */
    BOOL(ProtobufReader.VARINT),
    /** {@code int32}. */
    INT32(ProtobufReader.VARINT),
    /** {@code uint32}. */
    UINT32(ProtobufReader.VARINT),
    /** {@code sint32}. */
    SINT32(ProtobufReader.VARINT),
    /** {@code int64}. */
    INT64(ProtobufReader.VARINT),
    /** {@code uint64}. */
    UINT64(ProtobufReader.VARINT),
    /** {@code fixed32}. */
    FIXED32(ProtobufReader.FIXED32),
    /** {@code fixed64}. */
    FIXED64(ProtobufReader.FIXED64),
    /** {@code sfixed64}. */
    SFIXED64(ProtobufReader.FIXED64),
    /** {@code double}. */
    DOUBLE(ProtobufReader.FIXED64),
    /** An enum, which JSON has as its number: {@link Field#enumNames()}. */
    ENUM(ProtobufReader.VARINT);

    private final int wireType;

    Type(int wireType) {
      this.wireType = wireType;
    }

    /** The wire type of a single value. */
    public int wireType() {
      return wireType;
    }
  }

  /** A field of a message. Immutable. */
  public static final class Field {
    private final int number;
    private final String name;
    private final String jsonName;
    private final byte[] jsonKey;
    private final Type type;
    private final boolean repeated;
    private final @Nullable Message message;
    private final List<String> enumNames;
    private final long bit;

    private Field(
        int number,
        String name,
        Type type,
        boolean repeated,
        @Nullable Message of,
        List<String> enumNames,
        long bit) {
      this.number = number;
      this.name = name;
      this.jsonName = camelCase(name);
      this.jsonKey = ('"' + jsonName + "\":").getBytes(StandardCharsets.US_ASCII);
      this.type = type;
      this.repeated = repeated;
      this.message = of;
      this.enumNames = enumNames;
      this.bit = bit;
    }

    /** The field's number, from 1 to 16. */
    public int number() {
      return number;
    }

    /** The name that the {@code .proto} file has. */
    public String name() {
      return name;
    }

    /** The name in JSON: in lower camel case. */
    public String jsonName() {
      return jsonName;
    }

    /** The field's type; of a repeated one that of its elements. */
    public Type type() {
      return type;
    }

    /** Whether the field may stand any number of times. */
    public boolean isRepeated() {
      return repeated;
    }

    /** The type of an embedded message; {@code null} for every other type. */
    public @Nullable Message message() {
      return message;
    }

    /** The names of an enum's values, by their numbers; empty for every other type. */
    public List<String> enumNames() {
      return enumNames;
    }

    /**
     * A bit of the field's own among the fields of its message, for finding it twice; fields of
     * which a message has only one (a {@code oneof}) share theirs.
     */
    public long bit() {
      return bit;
    }

    /** The name in JSON with its quotes and the colon after it; nobody may change it. */
    byte[] jsonKey() {
      return jsonKey;
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

  /** A message. Immutable once the schema is made. */
  public static final class Message {
    /** Greater than every field number of OTLP. */
    static final int NUMBERS = 17;

    private final @Nullable Field[] byNumber = new @Nullable Field[NUMBERS];
    private final Map<String, Field> byJsonName = new HashMap<>();

    /** The bit that the fields of a choice share: no field has number 0. */
    private long choice;

    private Message() {}

    /**
     * The field of a number, or {@code null} where there is none.
     *
     * @param number 0 or more
     */
    public @Nullable Field field(int number) {
      return number < NUMBERS ? byNumber[number] : null;
    }

    /** The field of a name in JSON, or {@code null} where there is none. */
    public @Nullable Field field(String jsonName) {
      return byJsonName.get(jsonName);
    }

    private Message one(int number, String name, Type type) {
      return add(number, name, type, false, null, List.of());
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
      return add(number, name, Type.MESSAGE, false, type, List.of());
    }

    private Message one(int number, String name, List<String> enumNames) {
      return add(number, name, Type.ENUM, false, null, enumNames);
    }

    private Message many(int number, String name, Type type) {
      return add(number, name, type, true, null, List.of());
    }

    private Message many(int number, String name, Message type) {
      return add(number, name, Type.MESSAGE, true, type, List.of());
    }

    private Message add(
        int number,
        String name,
        Type type,
        boolean repeated,
        @Nullable Message of,
        List<String> enumNames) {
      long bit = choice != 0 ? choice : 1L << number;
      Field field = new Field(number, name, type, repeated, of, enumNames, bit);
      byNumber[number] = field;
      byJsonName.put(field.jsonName, field);
      return this;
    }
  }

  private static final List<String> TEMPORALITIES =
      List.of(
          "AGGREGATION_TEMPORALITY_UNSPECIFIED",
          "AGGREGATION_TEMPORALITY_DELTA",
          "AGGREGATION_TEMPORALITY_CUMULATIVE");
  private static final List<String> SPAN_KINDS =
      List.of(
          "SPAN_KIND_UNSPECIFIED",
          "SPAN_KIND_INTERNAL",
          "SPAN_KIND_SERVER",
          "SPAN_KIND_CLIENT",
          "SPAN_KIND_PRODUCER",
          "SPAN_KIND_CONSUMER");
  private static final List<String> STATUS_CODES =
      List.of("STATUS_CODE_UNSET", "STATUS_CODE_OK", "STATUS_CODE_ERROR");

  /** {@code KeyValue}. */
  private static final Message KEY_VALUE;

  private static final Message METRICS;
  private static final Message TRACES;
  private static final Message LOGS;

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
    KEY_VALUE = keyValue;
    METRICS = request("metrics", metric(keyValue), resource, scope);
    TRACES = request("spans", span(keyValue), resource, scope);
    LOGS = request("logs", logRecord(keyValue, value), resource, scope);
  }

  private OtlpSchema() {}

  /** The export request of a signal. */
  public static Message request(OtlpSignal signal) {
    return switch (signal) {
      case METRICS -> METRICS;
      case TRACES -> TRACES;
      case LOGS -> LOGS;
    };
  }

  /** {@code KeyValue}: an attribute. */
  public static Message keyValue() {
    return KEY_VALUE;
  }

  private static Message request(String what, Message item, Message resource, Message scope) {
    Message byScope =
        new Message()
            .one(1, "scope", scope)
            .many(2, what.equals("logs") ? "log_records" : what, item)
            .one(3, "schema_url", Type.STRING);
    Message byResource =
        new Message()
            .one(1, "resource", resource)
            .many(2, "scope_" + what, byScope)
            .one(3, "schema_url", Type.STRING);
    return new Message().many(1, "resource_" + what, byResource);
  }

  private static Message span(Message keyValue) {
    Message event =
        new Message()
            .one(1, "time_unix_nano", Type.FIXED64)
            .one(2, "name", Type.STRING)
            .many(3, "attributes", keyValue)
            .one(4, "dropped_attributes_count", Type.UINT32);
    Message link =
        new Message()
            .one(1, "trace_id", Type.ID)
            .one(2, "span_id", Type.ID)
            .one(3, "trace_state", Type.STRING)
            .many(4, "attributes", keyValue)
            .one(5, "dropped_attributes_count", Type.UINT32)
            .one(6, "flags", Type.FIXED32);
    Message status = new Message().one(2, "message", Type.STRING).one(3, "code", STATUS_CODES);
    return new Message()
        .one(1, "trace_id", Type.ID)
        .one(2, "span_id", Type.ID)
        .one(3, "trace_state", Type.STRING)
        .one(4, "parent_span_id", Type.ID)
        .one(5, "name", Type.STRING)
        .one(6, "kind", SPAN_KINDS)
        .one(7, "start_time_unix_nano", Type.FIXED64)
        .one(8, "end_time_unix_nano", Type.FIXED64)
        .many(9, "attributes", keyValue)
        .one(10, "dropped_attributes_count", Type.UINT32)
        .many(11, "events", event)
        .one(12, "dropped_events_count", Type.UINT32)
        .many(13, "links", link)
        .one(14, "dropped_links_count", Type.UINT32)
        .one(15, "status", status)
        .one(16, "flags", Type.FIXED32);
  }

  private static Message logRecord(Message keyValue, Message value) {
    return new Message()
        .one(1, "time_unix_nano", Type.FIXED64)
        .one(2, "severity_number", severities())
        .one(3, "severity_text", Type.STRING)
        .one(5, "body", value)
        .many(6, "attributes", keyValue)
        .one(7, "dropped_attributes_count", Type.UINT32)
        .one(8, "flags", Type.FIXED32)
        .one(9, "trace_id", Type.ID)
        .one(10, "span_id", Type.ID)
        .one(11, "observed_time_unix_nano", Type.FIXED64)
        .one(12, "event_name", Type.STRING);
  }

  /** Each of the six severities has four numbers, of which the first has its plain name. */
  private static List<String> severities() {
    List<String> names = new ArrayList<>();
    names.add("SEVERITY_NUMBER_UNSPECIFIED");
    for (String severity : List.of("TRACE", "DEBUG", "INFO", "WARN", "ERROR", "FATAL")) {
      for (int i = 1; i <= 4; i++) {
        names.add("SEVERITY_NUMBER_" + severity + (i == 1 ? "" : i));
      }
    }
    return List.copyOf(names);
  }

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
            .one(2, "aggregation_temporality", TEMPORALITIES)
            .one(3, "is_monotonic", Type.BOOL);
    Message histogram =
        new Message()
            .many(1, "data_points", histogramPoint(keyValue, exemplar))
            .one(2, "aggregation_temporality", TEMPORALITIES);
    Message exponential =
        new Message()
            .many(1, "data_points", exponentialPoint(keyValue, exemplar))
            .one(2, "aggregation_temporality", TEMPORALITIES);
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

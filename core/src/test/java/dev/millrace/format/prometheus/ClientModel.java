package dev.millrace.format.prometheus;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumDescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumValueDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.TimestampProto;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Prometheus' client model ({@code io/prometheus/client/metrics.proto}) for protobuf's own library,
 * and the way from its messages to what a test compares.
 */
final class ClientModel {
  /** Fields as number, type and name; a star is one that repeats. */
  private static final Map<String, List<String>> MESSAGES =
      Map.ofEntries(
          Map.entry("LabelPair", List.of("1 string name", "2 string value")),
          Map.entry("Gauge", List.of("1 double value")),
          Map.entry(
              "Counter",
              List.of("1 double value", "2 Exemplar exemplar", "3 Timestamp created_timestamp")),
          Map.entry("Quantile", List.of("1 double quantile", "2 double value")),
          Map.entry(
              "Summary",
              List.of(
                  "1 uint64 sample_count",
                  "2 double sample_sum",
                  "3* Quantile quantile",
                  "4 Timestamp created_timestamp")),
          Map.entry("Untyped", List.of("1 double value")),
          Map.entry(
              "Histogram",
              List.of(
                  "1 uint64 sample_count",
                  "4 double sample_count_float",
                  "2 double sample_sum",
                  "3* Bucket bucket",
                  "15 Timestamp created_timestamp",
                  "5 sint32 schema",
                  "6 double zero_threshold",
                  "7 uint64 zero_count",
                  "8 double zero_count_float",
                  "9* BucketSpan negative_span",
                  "10* sint64 negative_delta",
                  "11* double negative_count",
                  "12* BucketSpan positive_span",
                  "13* sint64 positive_delta",
                  "14* double positive_count",
                  "16* Exemplar exemplars")),
          Map.entry(
              "Bucket",
              List.of(
                  "1 uint64 cumulative_count",
                  "4 double cumulative_count_float",
                  "2 double upper_bound",
                  "3 Exemplar exemplar")),
          Map.entry("BucketSpan", List.of("1 sint32 offset", "2 uint32 length")),
          Map.entry(
              "Exemplar", List.of("1* LabelPair label", "2 double value", "3 Timestamp timestamp")),
          Map.entry(
              "Metric",
              List.of(
                  "1* LabelPair label",
                  "2 Gauge gauge",
                  "3 Counter counter",
                  "4 Summary summary",
                  "5 Untyped untyped",
                  "7 Histogram histogram",
                  "6 int64 timestamp_ms")),
          Map.entry(
              "MetricFamily",
              List.of(
                  "1 string name",
                  "2 string help",
                  "3 MetricType type",
                  "4* Metric metric",
                  "5 string unit")));

  private static final List<String> TYPES =
      List.of("COUNTER", "GAUGE", "SUMMARY", "UNTYPED", "HISTOGRAM", "GAUGE_HISTOGRAM");

  private static final Descriptor FAMILY = file().findMessageTypeByName("MetricFamily");

  private ClientModel() {}

  private static FileDescriptor file() {
    FileDescriptorProto.Builder file =
        FileDescriptorProto.newBuilder()
            .setName("io/prometheus/client/metrics.proto")
            .setPackage("io.prometheus.client")
            .setSyntax("proto2")
            .addDependency("google/protobuf/timestamp.proto");
    EnumDescriptorProto.Builder types = EnumDescriptorProto.newBuilder().setName("MetricType");
    for (int i = 0; i < TYPES.size(); i++) {
      types.addValue(EnumValueDescriptorProto.newBuilder().setName(TYPES.get(i)).setNumber(i));
    }
    file.addEnumType(types);
    MESSAGES.forEach(
        (name, fields) -> {
          DescriptorProto.Builder message = DescriptorProto.newBuilder().setName(name);
          fields.forEach(field -> message.addField(field(field)));
          file.addMessageType(message);
        });
    try {
      return FileDescriptor.buildFrom(
          file.build(), new FileDescriptor[] {TimestampProto.getDescriptor()});
    } catch (DescriptorValidationException e) {
      throw new AssertionError(e);
    }
  }

  private static FieldDescriptorProto field(String text) {
    String[] words = text.split(" ", 3);
    boolean repeated = words[0].endsWith("*");
    FieldDescriptorProto.Builder field =
        FieldDescriptorProto.newBuilder()
            .setNumber(Integer.parseInt(words[0].replace("*", "")))
            .setName(words[2])
            .setLabel(
                repeated
                    ? FieldDescriptorProto.Label.LABEL_REPEATED
                    : FieldDescriptorProto.Label.LABEL_OPTIONAL);
    if (Character.isLowerCase(words[1].charAt(0))) {
      field.setType(FieldDescriptorProto.Type.valueOf("TYPE_" + words[1].toUpperCase(Locale.ROOT)));
    } else {
      String scope = words[1].equals("Timestamp") ? ".google.protobuf." : ".io.prometheus.client.";
      field.setTypeName(scope + words[1]);
    }
    return field.build();
  }

  /** Parses a delimited exposition; what is not in the schema is an error. */
  static List<Message> parse(byte[] exposition) throws IOException {
    ByteArrayInputStream in = new ByteArrayInputStream(exposition);
    List<Message> families = new ArrayList<>();
    DynamicMessage.Builder builder = DynamicMessage.newBuilder(FAMILY);
    while (builder.mergeDelimitedFrom(in)) {
      families.add(new Message(builder.build()));
      builder = DynamicMessage.newBuilder(FAMILY);
    }
    return families;
  }

  /** What protobuf's library writes for the same messages. */
  static byte[] serialize(List<Message> families) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (Message family : families) {
      family.message.writeDelimitedTo(out);
    }
    return out.toByteArray();
  }

  /** A message whose fields are asked for by name. */
  static final class Message {
    private final DynamicMessage message;

    private Message(DynamicMessage message) {
      if (!message.getUnknownFields().asMap().isEmpty()) {
        throw new AssertionError("not in the schema: " + message.getUnknownFields());
      }
      this.message = message;
    }

    boolean has(String name) {
      return message.hasField(field(name));
    }

    String text(String name) {
      return (String) message.getField(field(name));
    }

    /** The name of an enum's value. */
    String constant(String name) {
      return ((EnumValueDescriptor) message.getField(field(name))).getName();
    }

    double real(String name) {
      return (Double) message.getField(field(name));
    }

    long whole(String name) {
      return ((Number) message.getField(field(name))).longValue();
    }

    Message message(String name) {
      return new Message((DynamicMessage) message.getField(field(name)));
    }

    List<Message> messages(String name) {
      List<Message> all = new ArrayList<>();
      for (Object each : (List<?>) message.getField(field(name))) {
        all.add(new Message((DynamicMessage) each));
      }
      return all;
    }

    List<Long> wholes(String name) {
      List<Long> all = new ArrayList<>();
      for (Object each : (List<?>) message.getField(field(name))) {
        all.add(((Number) each).longValue());
      }
      return all;
    }

    /** A timestamp as nanoseconds since the Unix epoch. */
    long unixNanos(String name) {
      com.google.protobuf.Message timestamp =
          (com.google.protobuf.Message) message.getField(field(name));
      Descriptor type = timestamp.getDescriptorForType();
      long seconds = (Long) timestamp.getField(type.findFieldByName("seconds"));
      int nanos = (Integer) timestamp.getField(type.findFieldByName("nanos"));
      return Math.addExact(Math.multiplyExact(seconds, 1_000_000_000L), nanos);
    }

    private FieldDescriptor field(String name) {
      FieldDescriptor field = message.getDescriptorForType().findFieldByName(name);
      if (field == null) {
        throw new AssertionError(
            "no field " + name + " in " + message.getDescriptorForType().getFullName());
      }
      return field;
    }

    @Override
    public String toString() {
      return message.toString();
    }
  }
}

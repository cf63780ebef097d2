package dev.millrace.format.otlp;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import dev.millrace.bytes.ByteArray;
import dev.millrace.bytes.DoubleText;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** OTLP's JSON encoding, slow and obvious, by protobuf's own descriptors. */
final class ReferenceJson {
  private ReferenceJson() {}

  static String of(Message message) {
    List<String> members = new ArrayList<>();
    for (Map.Entry<FieldDescriptor, Object> entry : message.getAllFields().entrySet()) {
      FieldDescriptor field = entry.getKey();
      String value =
          field.isRepeated()
              ? ((List<?>) entry.getValue())
                  .stream().map(v -> value(field, v)).collect(Collectors.joining(",", "[", "]"))
              : value(field, entry.getValue());
      members.add(quote(field.getJsonName()) + ":" + value);
    }
    return String.join(",", members).transform(all -> "{" + all + "}");
  }

  private static String value(FieldDescriptor field, Object value) {
    return switch (field.getType()) {
      case MESSAGE -> of((Message) value);
      case STRING -> quote((String) value);
      case BYTES -> {
        byte[] bytes = ((ByteString) value).toByteArray();
        boolean id = field.getName().endsWith("trace_id") || field.getName().endsWith("span_id");
        yield quote(
            id ? HexFormat.of().formatHex(bytes) : Base64.getEncoder().encodeToString(bytes));
      }
      case ENUM -> "" + ((EnumValueDescriptor) value).getNumber();
      case DOUBLE -> floating((double) value);
      case UINT32, FIXED32 -> "" + Integer.toUnsignedLong((int) value);
      case INT64, SFIXED64 -> quote(value.toString());
      case UINT64, FIXED64 -> quote(Long.toUnsignedString((long) value));
      default -> value.toString();
    };
  }

  private static String floating(double value) {
    if (Double.isNaN(value) || Double.isInfinite(value)) {
      return quote("" + value);
    }
    ByteArray text = new ByteArray();
    text.reserve(DoubleText.MAX_BYTES);
    text.advanceTo(DoubleText.writeJson(value, text.bytes(), 0));
    return new String(text.toByteArray(), StandardCharsets.US_ASCII);
  }

  private static String quote(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"', '\\' -> quoted.append('\\').append(c);
        case '\n' -> quoted.append("\\n");
        case '\r' -> quoted.append("\\r");
        case '\t' -> quoted.append("\\t");
        default -> quoted.append(c < ' ' ? String.format(Locale.ROOT, "\\u%04x", (int) c) : "" + c);
      }
    }
    return quoted.append('"').toString();
  }
}

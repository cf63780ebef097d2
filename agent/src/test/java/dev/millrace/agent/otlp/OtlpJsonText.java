package dev.millrace.agent.otlp;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/**
 * Writes messages in OTLP's JSON encoding, in each of the ways that it leaves open: fields in any
 * order, numbers as numbers or text, ids in either case, white space, fields that are not known,
 * {@code null} for what is not set.
 */
final class OtlpJsonText {
  private final SplittableRandom random;

  OtlpJsonText(SplittableRandom random) {
    this.random = random;
  }

  String write(Message message) {
    List<String> members = new ArrayList<>();
    for (Map.Entry<FieldDescriptor, Object> entry : message.getAllFields().entrySet()) {
      FieldDescriptor field = entry.getKey();
      String value =
          field.isRepeated()
              ? ((List<?>) entry.getValue())
                  .stream().map(v -> value(field, v)).collect(Collectors.joining(",", "[", "]"))
              : value(field, entry.getValue());
      members.add(quote(field.getJsonName()) + space() + ":" + space() + value);
    }
    if (oneIn(4)) {
      members.add("\"unknown\":{\"a\":[1,null,{\"b\":\"\\u00e9\"}],\"c\":-1.5e3}");
    }
    for (FieldDescriptor field : message.getDescriptorForType().getFields()) {
      boolean unset =
          field.isRepeated()
              ? message.getRepeatedFieldCount(field) == 0
              : !message.getAllFields().containsKey(field);
      if (unset && oneIn(6)) {
        members.add(quote(field.getJsonName()) + ":null");
      }
      if (!field.getName().equals(field.getJsonName()) && oneIn(8)) {
        // Names as the .proto files have them are not names in JSON.
        members.add(quote(field.getName()) + ":\"ignored\"");
      }
    }
    Collections.shuffle(members, new Random(random.nextLong()));
    return members.stream().collect(Collectors.joining("," + space(), "{" + space(), "}"));
  }

  private String value(FieldDescriptor field, Object value) {
    return switch (field.getType()) {
      case MESSAGE -> write((Message) value);
      case STRING -> quote((String) value);
      case BYTES -> bytes(field, ((ByteString) value).toByteArray());
      case BOOL -> value.toString();
      case ENUM -> {
        EnumValueDescriptor e = (EnumValueDescriptor) value;
        yield oneIn(3) ? quote(e.getName()) : "" + e.getNumber();
      }
      case DOUBLE -> floating((double) value);
      case UINT32 -> whole("" + Integer.toUnsignedLong((int) value));
      case UINT64, FIXED64 -> whole(Long.toUnsignedString((long) value));
      default -> whole(value.toString());
    };
  }

  private String bytes(FieldDescriptor field, byte[] value) {
    if (field.getName().equals("trace_id") || field.getName().equals("span_id")) {
      String hex = HexFormat.of().formatHex(value);
      return quote(random.nextBoolean() ? hex : hex.toUpperCase(Locale.ROOT));
    }
    Base64.Encoder encoder = random.nextBoolean() ? Base64.getEncoder() : Base64.getUrlEncoder();
    return quote((random.nextBoolean() ? encoder : encoder.withoutPadding()).encodeToString(value));
  }

  private String whole(String digits) {
    return switch (random.nextInt(4)) {
      case 0 -> digits;
      case 1 -> digits + ".0";
      case 2 ->
          digits.endsWith("0")
              ? digits.substring(0, digits.length() - 1) + (digits.length() > 1 ? "e1" : "0")
              : digits;
      default -> quote(digits);
    };
  }

  private String floating(double value) {
    if (Double.isNaN(value) || Double.isInfinite(value)) {
      return quote("" + value);
    }
    return random.nextBoolean() ? "" + value : quote("" + value);
  }

  private String quote(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    text.codePoints()
        .forEach(
            c -> {
              if (c < ' ' || c == '"' || c == '\\' || oneIn(20)) {
                for (char unit : Character.toChars(c)) {
                  quoted.append(String.format(Locale.ROOT, "\\u%04x", (int) unit));
                }
              } else {
                quoted.appendCodePoint(c);
              }
            });
    return quoted.append('"').toString();
  }

  private String space() {
    return oneIn(5) ? " \n\t" : "";
  }

  private boolean oneIn(int n) {
    return random.nextInt(n) == 0;
  }
}

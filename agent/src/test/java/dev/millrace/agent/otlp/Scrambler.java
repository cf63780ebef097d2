package dev.millrace.agent.otlp;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.WireFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Writes messages in forms that nobody sends and every reader has to take: fields in any order, one
 * embedded message in several pieces, packed fields unpacked, values that later ones replace,
 * fields and groups that are not known.
 */
final class Scrambler {
  private final SplittableRandom random;

  Scrambler(SplittableRandom random) {
    this.random = random;
  }

  byte[] scramble(Message message) {
    List<List<byte[]>> queues = new ArrayList<>();
    for (Map.Entry<FieldDescriptor, Object> entry : message.getAllFields().entrySet()) {
      FieldDescriptor field = entry.getKey();
      List<byte[]> queue = new ArrayList<>();
      if (field.isRepeated()) {
        repeated(field, (List<?>) entry.getValue(), queue);
      } else if (field.getType() == FieldDescriptor.Type.MESSAGE) {
        pieces(field, (Message) entry.getValue(), queue);
      } else {
        if (oneIn(4)) {
          queue.add(field(field, otherValue(field)));
        }
        queue.add(field(field, entry.getValue()));
      }
      queues.add(queue);
    }
    List<byte[]> unknown = new ArrayList<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      unknown.add(unknownField(random.nextInt(4)));
    }
    queues.add(unknown);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    queues.removeIf(List::isEmpty);
    while (!queues.isEmpty()) {
      List<byte[]> queue = queues.get(random.nextInt(queues.size()));
      out.writeBytes(queue.remove(0));
      queues.removeIf(List::isEmpty);
    }
    return out.toByteArray();
  }

  private void repeated(FieldDescriptor field, List<?> values, List<byte[]> queue) {
    if (!field.isPackable()) {
      values.forEach(value -> queue.add(field(field, value)));
      return;
    }
    int at = 0;
    while (at < values.size()) {
      int run = Math.min(values.size() - at, random.nextInt(4));
      List<?> packed = values.subList(at, at + run);
      queue.add(
          write(
              out -> {
                byte[] content = write(o -> packed.forEach(value -> raw(o, field, value)));
                out.writeTag(field.getNumber(), WireFormat.WIRETYPE_LENGTH_DELIMITED);
                out.writeUInt32NoTag(content.length);
                out.writeRawBytes(content);
              }));
      at += run;
      if (at < values.size() && random.nextBoolean()) {
        queue.add(field(field, values.get(at++)));
      }
    }
  }

  /** One embedded message, sometimes as two with a part of the fields each. */
  private void pieces(FieldDescriptor field, Message message, List<byte[]> queue) {
    if (!oneIn(3)) {
      queue.add(field(field, message));
      return;
    }
    Message.Builder first = message.newBuilderForType();
    Message.Builder second = message.newBuilderForType();
    message
        .getAllFields()
        .forEach((f, value) -> (random.nextBoolean() ? first : second).setField(f, value));
    queue.add(field(field, first.build()));
    queue.add(field(field, second.build()));
  }

  private byte[] field(FieldDescriptor field, Object value) {
    return write(
        out -> {
          if (field.getType() == FieldDescriptor.Type.MESSAGE) {
            byte[] content = scramble((Message) value);
            out.writeTag(field.getNumber(), WireFormat.WIRETYPE_LENGTH_DELIMITED);
            out.writeUInt32NoTag(content.length);
            out.writeRawBytes(content);
          } else {
            int type =
                switch (field.getType()) {
                  case DOUBLE, FIXED64, SFIXED64 -> WireFormat.WIRETYPE_FIXED64;
                  case STRING, BYTES -> WireFormat.WIRETYPE_LENGTH_DELIMITED;
                  default -> WireFormat.WIRETYPE_VARINT;
                };
            out.writeTag(field.getNumber(), type);
            raw(out, field, value);
          }
        });
  }

  private static void raw(CodedOutputStream out, FieldDescriptor field, Object value) {
    try {
      switch (field.getType()) {
        case DOUBLE -> out.writeDoubleNoTag((double) value);
        case FIXED64, SFIXED64 -> out.writeFixed64NoTag((long) value);
        case STRING -> out.writeStringNoTag((String) value);
        case BYTES -> out.writeBytesNoTag((ByteString) value);
        case SINT32 -> out.writeSInt32NoTag((int) value);
        case UINT32 -> out.writeUInt32NoTag((int) value);
        case INT32 -> out.writeInt32NoTag((int) value);
        case INT64, UINT64 -> out.writeUInt64NoTag((long) value);
        case ENUM -> out.writeEnumNoTag(((EnumValueDescriptor) value).getNumber());
        case BOOL -> out.writeBoolNoTag((boolean) value);
        default -> throw new AssertionError("no such field in OTLP: " + field);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Object otherValue(FieldDescriptor field) {
    return switch (field.getJavaType()) {
      case INT -> 77;
      case LONG -> 77L;
      case DOUBLE -> 77.5;
      case BOOLEAN -> true;
      case STRING -> "replaced";
      case BYTE_STRING -> ByteString.copyFromUtf8("replaced");
      case ENUM -> field.getEnumType().getValues().get(1);
      default -> throw new AssertionError("no such field in OTLP: " + field);
    };
  }

  private byte[] unknownField(int depth) {
    int number = random.nextInt(100, 5_000);
    return write(
        out -> {
          switch (depth == 0 ? random.nextInt(4) : random.nextInt(5)) {
            case 0 -> out.writeInt64(number, random.nextLong());
            case 1 -> out.writeFixed64(number, random.nextLong());
            case 2 -> out.writeFixed32(number, random.nextInt());
            case 3 -> out.writeByteArray(number, new byte[random.nextInt(300)]);
            default -> {
              out.writeTag(number, WireFormat.WIRETYPE_START_GROUP);
              out.writeRawBytes(unknownField(depth - 1));
              out.writeRawBytes(unknownField(depth - 1));
              out.writeTag(number, WireFormat.WIRETYPE_END_GROUP);
            }
          }
        });
  }

  private boolean oneIn(int n) {
    return random.nextInt(n) == 0;
  }

  private interface Writing {
    void to(CodedOutputStream out) throws IOException;
  }

  private static byte[] write(Writing writing) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    try {
      writing.to(out);
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }
}

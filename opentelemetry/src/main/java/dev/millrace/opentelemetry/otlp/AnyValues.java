package dev.millrace.opentelemetry.otlp;

import dev.millrace.bytes.ProtobufWriter;
import dev.millrace.bytes.Utf8;
import dev.millrace.bytes.Varint;
import io.opentelemetry.api.common.KeyValue;
import io.opentelemetry.api.common.Value;
import io.opentelemetry.api.common.ValueType;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/**
 * Writes values that have an inner structure (opentelemetry-proto, {@code common/v1/common.proto}):
 *
 * <pre>
 *   AnyValue      one of 1: string  2: bool  3: int64  4: double  5: ArrayValue  6: KeyValueList
 *                 7: bytes, or nothing
 *   ArrayValue    1: repeated AnyValue
 *   KeyValueList  1: repeated KeyValue
 *   KeyValue      1: string key   2: AnyValue value
 * </pre>
 *
 * <p>Stateless; allocates nothing itself.
 */
final class AnyValues {
  /**
   * How many values may lie within each other; what lies deeper is written as empty. At three
   * messages a level, and those around the attribute of a span's event, a request stays within the
   * 100 nested messages that protobuf readers accept by default. It also bounds the stack that is
   * used here.
   */
  static final int MAX_DEPTH = 30;

  static final int STRING_FIELD = 1;
  static final int BOOL_FIELD = 2;
  static final int INT_FIELD = 3;
  static final int DOUBLE_FIELD = 4;
  static final int ARRAY_FIELD = 5;
  static final int LIST_FIELD = 6;
  static final int BYTES_FIELD = 7;

  static final int KEY_FIELD = 1;
  static final int KEY_VALUE_FIELD = 2;
  private static final int REPEATED_FIELD = 1;

  /** The most bytes of tags and lengths around a text that is laid out in one go. */
  private static final int TEXT_FRAME_BYTES = 8;

  private static final int MAX_TEXT_CHARS =
      (ProtobufWriter.MAX_RESERVE_BYTES - TEXT_FRAME_BYTES) / Utf8.MAX_BYTES_PER_CHAR;

  private AnyValues() {}

  /**
   * Writes a field that is an {@code AnyValue}.
   *
   * @param field its number, from 1 to 15
   */
  static void writeField(ProtobufWriter out, int field, Value<?> value) {
    if (value.getType() == ValueType.STRING
        && value.getValue() instanceof String text
        && text.length() <= MAX_TEXT_CHARS) {
      // Nearly all bodies of log records are such.
      writeText(out, field, text);
      return;
    }
    out.begin(field);
    write(out, value);
    out.end();
  }

  private static void writeText(ProtobufWriter out, int field, String text) {
    int chars = text.length();
    int at = out.reserve(TEXT_FRAME_BYTES + Utf8.MAX_BYTES_PER_CHAR * chars);
    byte[] bytes = out.reservedBytes();
    int start = textFrame(field, chars, bytes, at);
    int end = Utf8.write(text, bytes, start);
    int lengthBytes = end - start;
    if (lengthBytes != chars) {
      // Not ASCII, as it mostly is; now the length is known.
      end = Utf8.write(text, bytes, textFrame(field, lengthBytes, bytes, at));
    }
    out.advanceTo(end);
  }

  private static int textFrame(int field, int lengthBytes, byte[] bytes, int offset) {
    bytes[offset] = (byte) (field << 3 | 2);
    int at = Varint.put(1L + Varint.sizeOf(lengthBytes) + lengthBytes, bytes, offset + 1);
    bytes[at] = STRING_FIELD << 3 | 2;
    return Varint.put(lengthBytes, bytes, at + 1);
  }

  /**
   * Writes the content of an {@code AnyValue}.
   *
   * @param value what an attribute or a body holds; {@code null} is an empty value
   */
  static void write(ProtobufWriter out, @Nullable Object value) {
    write(out, value, 0);
  }

  private static void write(ProtobufWriter out, @Nullable Object value, int depth) {
    if (value == null || depth > MAX_DEPTH) {
      return;
    }
    if (value instanceof Value<?> typed) {
      writeTyped(out, typed, depth);
    } else {
      writePlain(out, value, depth);
    }
  }

  private static void writeTyped(ProtobufWriter out, Value<?> value, int depth) {
    switch (value.getType()) {
      case EMPTY -> {
        // Nothing in the message is the empty value.
      }
      case KEY_VALUE_LIST -> keyValueList(out, (List<?>) value.getValue(), depth);
      case STRING, BOOLEAN, LONG, DOUBLE, ARRAY, BYTES -> writePlain(out, value.getValue(), depth);
    }
  }

  private static void writePlain(ProtobufWriter out, Object value, int depth) {
    if (value instanceof String text) {
      out.writeUtf8(STRING_FIELD, text);
    } else if (value instanceof Boolean flag) {
      out.writeBoolean(BOOL_FIELD, flag);
    } else if (value instanceof Long number) {
      out.writeVarint(INT_FIELD, number);
    } else if (value instanceof Double number) {
      out.writeDouble(DOUBLE_FIELD, number);
    } else if (value instanceof List<?> values) {
      arrayValue(out, values, depth);
    } else if (value instanceof ByteBuffer buffer) {
      bytes(out, buffer);
    } else {
      out.writeUtf8(STRING_FIELD, value.toString());
    }
  }

  private static void arrayValue(ProtobufWriter out, List<?> values, int depth) {
    out.begin(ARRAY_FIELD);
    if (values instanceof RandomAccess) {
      // By index: an iterator would be garbage.
      int size = values.size();
      for (int i = 0; i < size; i++) {
        element(out, values.get(i), depth);
      }
    } else {
      for (Object value : values) {
        element(out, value, depth);
      }
    }
    out.end();
  }

  private static void element(ProtobufWriter out, @Nullable Object value, int depth) {
    out.begin(REPEATED_FIELD);
    write(out, value, depth + 1);
    out.end();
  }

  private static void keyValueList(ProtobufWriter out, List<?> keyValues, int depth) {
    out.begin(LIST_FIELD);
    int size = keyValues.size();
    for (int i = 0; i < size; i++) {
      KeyValue keyValue = (KeyValue) keyValues.get(i);
      out.begin(REPEATED_FIELD);
      String key = keyValue.getKey();
      if (!key.isEmpty()) {
        out.writeUtf8(KEY_FIELD, key);
      }
      out.begin(KEY_VALUE_FIELD);
      write(out, keyValue.getValue(), depth + 1);
      out.end();
      out.end();
    }
    out.end();
  }

  private static void bytes(ProtobufWriter out, ByteBuffer buffer) {
    out.begin(BYTES_FIELD);
    int from = buffer.position();
    int end = buffer.limit();
    while (from < end) {
      int step = Math.min(end - from, ProtobufWriter.MAX_RESERVE_BYTES);
      int at = out.reserve(step);
      buffer.get(from, out.reservedBytes(), at, step);
      out.advanceTo(at + step);
      from += step;
    }
    out.end();
  }
}

package dev.millrace.opentelemetry;

import dev.millrace.bytes.ByteArray;
import io.opentelemetry.api.common.KeyValue;
import io.opentelemetry.api.common.Value;
import io.opentelemetry.api.common.ValueType;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Attribute values that have an inner structure, as OTLP has them (opentelemetry-proto, {@code
 * common/v1/common.proto}):
 *
 * <pre>
 *   ArrayValue    1: repeated AnyValue
 *   KeyValueList  1: repeated KeyValue
 *   KeyValue      1: string key   2: AnyValue value
 *   AnyValue      one of 1: string  2: bool  3: int64  4: double  5: ArrayValue  6: KeyValueList
 *                 7: bytes, or nothing
 * </pre>
 *
 * <p>This runs once for each new series, so it may allocate.
 */
final class AnyValueBytes {
  /**
   * How many values may lie within each other; what lies deeper is written as empty. At three
   * messages a level, and those around a point's attribute, a request stays within the 100 nested
   * messages that protobuf readers accept by default. It also bounds the stack that is used here.
   */
  static final int MAX_DEPTH = 30;

  private static final int VARINT = 0;
  private static final int FIXED64 = 1;
  private static final int LENGTH_DELIMITED = 2;

  private static final int REPEATED_FIELD = 1;
  private static final int KEY_FIELD = 1;
  private static final int KEY_VALUE_FIELD = 2;
  private static final int STRING_FIELD = 1;
  private static final int BOOL_FIELD = 2;
  private static final int INT_FIELD = 3;
  private static final int DOUBLE_FIELD = 4;
  private static final int ARRAY_FIELD = 5;
  private static final int LIST_FIELD = 6;
  private static final int BYTES_FIELD = 7;

  private AnyValueBytes() {}

  /** The bytes of an {@code ArrayValue}; a {@code null} in it is an empty value. */
  static byte[] arrayValue(List<?> values) {
    return arrayValue(values, 0).toByteArray();
  }

  /** The bytes of a {@code KeyValueList} of {@link KeyValue}s. */
  static byte[] keyValueList(List<?> keyValues) {
    return keyValueList(keyValues, 0).toByteArray();
  }

  /** A copy of what remains in a buffer. */
  static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }

  private static ByteArray arrayValue(List<?> values, int depth) {
    ByteArray array = new ByteArray();
    for (Object value : values) {
      message(array, REPEATED_FIELD, anyValue(value, depth + 1));
    }
    return array;
  }

  private static ByteArray keyValueList(List<?> keyValues, int depth) {
    ByteArray list = new ByteArray();
    for (Object entry : keyValues) {
      KeyValue keyValue = (KeyValue) entry;
      ByteArray pair = new ByteArray();
      if (!keyValue.getKey().isEmpty()) {
        text(pair, KEY_FIELD, keyValue.getKey());
      }
      message(pair, KEY_VALUE_FIELD, anyValue(keyValue.getValue(), depth + 1));
      message(list, REPEATED_FIELD, pair);
    }
    return list;
  }

  private static ByteArray anyValue(@Nullable Object value, int depth) {
    ByteArray any = new ByteArray();
    if (value == null || depth > MAX_DEPTH) {
      return any;
    }
    Object plain = value;
    if (value instanceof Value<?> typed) {
      plain = typed.getValue();
      if (typed.getType() == ValueType.KEY_VALUE_LIST) {
        message(any, LIST_FIELD, keyValueList((List<?>) plain, depth));
        return any;
      }
      if (typed.getType() == ValueType.EMPTY) {
        return any;
      }
    }
    if (plain instanceof Boolean flag) {
      tag(any, BOOL_FIELD, VARINT);
      any.append(flag ? 1 : 0);
    } else if (plain instanceof Long number) {
      tag(any, INT_FIELD, VARINT);
      varint(any, number);
    } else if (plain instanceof Double number) {
      tag(any, DOUBLE_FIELD, FIXED64);
      fixed64(any, Double.doubleToRawLongBits(number));
    } else if (plain instanceof List<?> values) {
      message(any, ARRAY_FIELD, arrayValue(values, depth));
    } else if (plain instanceof ByteBuffer buffer) {
      byte[] bytes = bytes(buffer);
      tag(any, BYTES_FIELD, LENGTH_DELIMITED);
      varint(any, bytes.length);
      any.append(bytes);
    } else {
      text(any, STRING_FIELD, plain.toString());
    }
    return any;
  }

  private static void text(ByteArray out, int field, String text) {
    ByteArray utf8 = new ByteArray();
    utf8.appendUtf8(text);
    message(out, field, utf8);
  }

  private static void message(ByteArray out, int field, ByteArray content) {
    tag(out, field, LENGTH_DELIMITED);
    varint(out, content.lengthBytes());
    out.append(content.bytes(), 0, content.lengthBytes());
  }

  private static void tag(ByteArray out, int field, int wireType) {
    out.append(field << 3 | wireType);
  }

  private static void varint(ByteArray out, long value) {
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      out.append((int) (rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    out.append((int) rest);
  }

  private static void fixed64(ByteArray out, long value) {
    for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
      out.append((int) (value >>> shift));
    }
  }
}

package dev.millrace.opentelemetry.otlp;

import dev.millrace.bytes.ProtobufWriter;
import dev.millrace.bytes.Utf8;
import dev.millrace.bytes.Varint;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.function.BiConsumer;

/**
 * Writes attributes as repeated {@code KeyValue}s, in the order that they have:
 *
 * <pre>
 *   KeyValue  1: string key   2: AnyValue value
 *   AnyValue  one of 1: string  2: bool  3: int64  4: double  5: ArrayValue  6: KeyValueList
 *             7: bytes, or nothing
 * </pre>
 *
 * <p>Most are short and plain. Their lengths follow from the key's and the value's, so each is laid
 * out in one go, in a reserved place; the others go through {@link AnyValues}. Owned by one
 * encoder; not thread-safe.
 */
final class AttributeWriter implements BiConsumer<AttributeKey<?>, Object> {
  private static final int STRING_TAG = AnyValues.STRING_FIELD << 3 | 2;
  private static final int BOOL_TAG = AnyValues.BOOL_FIELD << 3;
  private static final int INT_TAG = AnyValues.INT_FIELD << 3;
  private static final int DOUBLE_TAG = AnyValues.DOUBLE_FIELD << 3 | 1;

  /** The most bytes of tags and lengths around a key and a value; no field here has a long tag. */
  private static final int FRAME_BYTES = 16;

  private static final int MAX_FAST_CHARS =
      (ProtobufWriter.MAX_RESERVE_BYTES - EncodedKey.HEAD_BYTES - FRAME_BYTES)
          / Utf8.MAX_BYTES_PER_CHAR;

  private static final int MAX_NUMBER_RESERVE_BYTES =
      EncodedKey.HEAD_BYTES + FRAME_BYTES + Varint.MAX_BYTES;

  /** Whole messages up to this length, which nearly all are, have a length of one byte. */
  private static final int MAX_SHORT_BYTES = 0x7f;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final ProtobufWriter out;
  private final EncodedKeys keys = new EncodedKeys();

  /** The field that the attributes are, from 1 to 15. */
  private int field;

  AttributeWriter(ProtobufWriter out) {
    this.out = out;
  }

  /**
   * Writes all attributes.
   *
   * @param field the number of the repeated field, from 1 to 15
   */
  void write(int field, Attributes attributes) {
    if (attributes.isEmpty()) {
      return;
    }
    this.field = field;
    keys.begin(field);
    attributes.forEach(this);
  }

  /** Lets go of what is remembered of the values of earlier attributes. */
  void forgetValues() {
    keys.forgetValues();
  }

  /** Lets go of what is remembered of earlier attributes. */
  void clear() {
    keys.clear();
  }

  /** Writes one attribute, called by {@link Attributes#forEach}. */
  @Override
  public void accept(AttributeKey<?> name, Object value) {
    EncodedKey key = keys.next(name);
    if (key == null) {
      general(name.getKey(), value);
    } else if (value instanceof String text) {
      text(key, text);
    } else if (value instanceof Long number) {
      number(key, number);
    } else if (value instanceof Boolean flag) {
      flag(key, flag);
    } else if (value instanceof Double number) {
      number(key, number);
    } else {
      general(key, value);
    }
  }

  private void text(EncodedKey key, String text) {
    if (key.fieldBytes(text) != 0) {
      again(key);
      return;
    }
    int chars = text.length();
    if (chars > MAX_FAST_CHARS) {
      general(key, text);
      return;
    }
    int at = out.reserve(EncodedKey.HEAD_BYTES + FRAME_BYTES + Utf8.MAX_BYTES_PER_CHAR * chars);
    byte[] bytes = out.reservedBytes();
    int start = textFrame(key, chars, bytes, at);
    int end = Utf8.write(text, bytes, start);
    int lengthBytes = end - start;
    if (lengthBytes != chars) {
      // Not ASCII, as it mostly is; now the length is known.
      end = Utf8.write(text, bytes, textFrame(key, lengthBytes, bytes, at));
    }
    out.advanceTo(end);
    if (key.encoded(text, key.knows(text), bytes, at + 1, end)) {
      keys.refersToValue(key);
    }
  }

  private int textFrame(EncodedKey key, int lengthBytes, byte[] bytes, int offset) {
    int at;
    int shortBytes = key.headBytes() + 3 + lengthBytes;
    if (shortBytes <= MAX_SHORT_BYTES) {
      bytes[offset] = (byte) (field << 3 | 2);
      bytes[offset + 1] = (byte) shortBytes;
      at = key.copyHead(bytes, offset + 2);
      bytes[at] = (byte) (2 + lengthBytes);
      bytes[at + 1] = STRING_TAG;
      bytes[at + 2] = (byte) lengthBytes;
      return at + 3;
    }
    at = frame(key, 1 + Varint.sizeOf(lengthBytes) + lengthBytes, bytes, offset);
    bytes[at] = STRING_TAG;
    return Varint.put(lengthBytes, bytes, at + 1);
  }

  /** Writes what is kept. */
  private void again(EncodedKey key) {
    int at = out.reserve(1 + EncodedKey.MAX_FIELD_BYTES);
    byte[] bytes = out.reservedBytes();
    bytes[at] = (byte) (field << 3 | 2);
    out.advanceTo(key.copyField(bytes, at + 1));
  }

  private void number(EncodedKey key, Long boxed) {
    long number = boxed;
    if (key.fieldBytes(number) != 0) {
      again(key);
      return;
    }
    int start = out.reserve(MAX_NUMBER_RESERVE_BYTES);
    byte[] bytes = out.reservedBytes();
    int at = frame(key, 1 + Varint.sizeOf(number), bytes, start);
    bytes[at] = INT_TAG;
    int end = Varint.put(number, bytes, at + 1);
    out.advanceTo(end);
    if (key.encoded(boxed, key.knows(number), bytes, start + 1, end)) {
      keys.refersToValue(key);
    }
  }

  private void number(EncodedKey key, double number) {
    int at = out.reserve(MAX_NUMBER_RESERVE_BYTES);
    byte[] bytes = out.reservedBytes();
    at = frame(key, 1 + Double.BYTES, bytes, at);
    bytes[at] = DOUBLE_TAG;
    LONGS.set(bytes, at + 1, Double.doubleToRawLongBits(number));
    out.advanceTo(at + 1 + Double.BYTES);
  }

  private void flag(EncodedKey key, boolean flag) {
    int at = out.reserve(MAX_NUMBER_RESERVE_BYTES);
    byte[] bytes = out.reservedBytes();
    at = frame(key, 2, bytes, at);
    bytes[at] = BOOL_TAG;
    bytes[at + 1] = (byte) (flag ? 1 : 0);
    out.advanceTo(at + 2);
  }

  /** Writes everything before the content of the value, and gives the offset after it. */
  private int frame(EncodedKey key, int anyBytes, byte[] bytes, int offset) {
    int at = offset;
    bytes[at++] = (byte) (field << 3 | 2);
    at = Varint.put(key.headBytes() + Varint.sizeOf(anyBytes) + (long) anyBytes, bytes, at);
    at = key.copyHead(bytes, at);
    return Varint.put(anyBytes, bytes, at);
  }

  private void general(EncodedKey key, Object value) {
    out.begin(field);
    int at = out.reserve(EncodedKey.HEAD_BYTES);
    // Without the tag of the value, which is begun as a message.
    out.advanceTo(key.copyHead(out.reservedBytes(), at) - 1);
    value(value);
    out.end();
  }

  private void general(String key, Object value) {
    out.begin(field);
    out.writeUtf8(AnyValues.KEY_FIELD, key);
    value(value);
    out.end();
  }

  private void value(Object value) {
    out.begin(AnyValues.KEY_VALUE_FIELD);
    AnyValues.write(out, value);
    out.end();
  }
}

package dev.millrace.opentelemetry.otlp;

import dev.millrace.bytes.Utf8;
import dev.millrace.bytes.Varint;
import io.opentelemetry.api.common.AttributeKey;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The encoded key of an attribute, and the whole attribute as it was last where the same value
 * comes again and again, as a request's method does:
 *
 * <pre>
 *   head   field 1 of KeyValue: tag, length, text; tag of field 2
 *   field  a KeyValue with its length, but not the tag before it
 * </pre>
 *
 * <p>A value is recognised by the identity of its string, or by its number. Neither ever changes,
 * so what was encoded of it stays true; whoever makes the same string anew is merely not
 * recognised. A value that differs each time costs a comparison, and once in a while a reference.
 *
 * <p>Owned by one encoder; not thread-safe.
 */
final class EncodedKey {
  /** Longer than the keys of the semantic conventions. */
  static final int HEAD_BYTES = 64;

  /** The longest attribute that is kept whole; most that have few values are shorter. */
  static final int MAX_FIELD_BYTES = 128;

  private static final int KEY_TAG = 1 << 3 | 2;
  private static final int VALUE_TAG = AnyValues.KEY_VALUE_FIELD << 3 | 2;

  /** What stands around the text of a key: two tags, and a length of one byte. */
  private static final int AROUND_KEY_BYTES = 3;

  private static final int MAX_KEY_BYTES = HEAD_BYTES - AROUND_KEY_BYTES;

  /** How many other values in a row displace the one that is known. */
  private static final int MISSES = 2;

  /** After more misses only each of so many others is looked out for: a power of two. */
  private static final int MISSES_BETWEEN = 16;

  private final byte[] head = new byte[HEAD_BYTES];
  private int headBytes;
  private @Nullable AttributeKey<?> key;
  private @Nullable String text;
  private int otherObjects;

  private @Nullable Object value;

  /** Whether the value is known to be let go of at the end of the export. */
  private boolean noted;

  private int misses;
  private byte @Nullable [] field;
  private int fieldBytes;

  /** Whether this is that key. */
  @SuppressWarnings("ReferenceEquality") // Another object of the same key is found by its text.
  boolean is(AttributeKey<?> other) {
    return key == other;
  }

  /**
   * Whether this is that key, in another object. Such objects are recognised now and then, so that
   * those which stay come to be known, and those which are made anew each time cost little.
   */
  boolean isEqual(AttributeKey<?> other) {
    if (!other.getKey().equals(text)) {
      return false;
    }
    otherObjects++;
    if ((otherObjects & (MISSES_BETWEEN - 1)) == 0) {
      key = other;
    }
    return true;
  }

  /** Whether a key is short enough to be one of these. */
  static boolean fits(AttributeKey<?> key) {
    String text = key.getKey();
    return text.length() <= MAX_KEY_BYTES / Utf8.MAX_BYTES_PER_CHAR
        || (text.length() <= MAX_KEY_BYTES && Utf8.lengthBytes(text) <= MAX_KEY_BYTES);
  }

  /** Becomes another key, one that fits. */
  void become(AttributeKey<?> other) {
    forgetValue();
    key = other;
    String name = other.getKey();
    text = name;
    int end = 0;
    if (!name.isEmpty()) {
      end = Utf8.write(name, head, 2);
      head[0] = KEY_TAG;
      Varint.put(end - 2L, head, 1);
    }
    head[end] = VALUE_TAG;
    headBytes = end + 1;
  }

  /** How many bytes {@link #copyHead} copies. */
  int headBytes() {
    return headBytes;
  }

  /** Copies the key and the tag of a value, and gives the offset after them. */
  int copyHead(byte[] target, int offset) {
    System.arraycopy(head, 0, target, offset, headBytes);
    return offset + headBytes;
  }

  /** The bytes of the whole attribute if it is kept with this value, or 0. */
  @SuppressWarnings("ReferenceEquality") // That is what it is recognised by.
  int fieldBytes(Object other) {
    return value == other ? fieldBytes : 0;
  }

  /** The bytes of the whole attribute if it is kept with this value, or 0. */
  int fieldBytes(long number) {
    return value instanceof Long known && known == number ? fieldBytes : 0;
  }

  /** Copies the whole attribute, which is kept, and gives the offset after it. */
  int copyField(byte[] target, int offset) {
    misses = 0;
    System.arraycopy(Objects.requireNonNull(field), 0, target, offset, fieldBytes);
    return offset + fieldBytes;
  }

  /**
   * Learns what a value was encoded as that was not kept.
   *
   * @param known whether it was the value that is looked out for
   * @return whether the key refers to a value now, for the first time since {@link #release}
   */
  boolean encoded(Object other, boolean known, byte[] source, int from, int to) {
    if (known) {
      misses = 0;
      keep(source, from, to - from);
      return false;
    }
    misses++;
    if (misses != MISSES && (misses & (MISSES_BETWEEN - 1)) != 0) {
      return false;
    }
    value = other;
    fieldBytes = 0;
    boolean first = !noted;
    noted = true;
    return first;
  }

  /** Whether this value is the one that is looked out for. */
  @SuppressWarnings("ReferenceEquality")
  boolean knows(Object other) {
    return value == other;
  }

  /** Whether this number is the value that is looked out for. */
  boolean knows(long number) {
    return value instanceof Long known && known == number;
  }

  /** Lets go of the value at the end of the export. */
  void release() {
    noted = false;
    forgetValue();
  }

  private void forgetValue() {
    value = null;
    fieldBytes = 0;
    misses = 0;
  }

  private void keep(byte[] source, int from, int lengthBytes) {
    if (lengthBytes > MAX_FIELD_BYTES) {
      return;
    }
    byte[] target = field;
    if (target == null) {
      target = new byte[MAX_FIELD_BYTES];
      field = target;
    }
    System.arraycopy(source, from, target, 0, lengthBytes);
    fieldBytes = lengthBytes;
  }
}

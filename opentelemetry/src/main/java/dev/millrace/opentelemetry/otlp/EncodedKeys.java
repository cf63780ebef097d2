package dev.millrace.opentelemetry.otlp;

import dev.millrace.bytes.Utf8;
import dev.millrace.bytes.Varint;
import io.opentelemetry.api.common.AttributeKey;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The encoded keys of attributes that were seen lately: field 1 of {@code KeyValue}, tag and length
 * included.
 *
 * <p>An application has some dozens of keys, which each come thousands of times. The memory is
 * fixed, {@value #SLOTS} places of {@value #SLOT_BYTES} bytes: a key goes where its hash says, in
 * place of the one that was there. So what is kept is bounded whatever keys come, and nothing is
 * allocated. Owned by one encoder; not thread-safe.
 */
final class EncodedKeys {
  /** Several times the keys that an application has, so that few of them share a place. */
  static final int SLOTS = 512;

  /** Longer than the keys of the semantic conventions; a power of two. */
  static final int SLOT_BYTES = 64;

  /** What {@link #slot} gives for a key that is too long. */
  static final int NONE = -1;

  private static final int KEY_TAG = 1 << 3 | 2;
  private static final int MAX_CHARS = (SLOT_BYTES - 2) / Utf8.MAX_BYTES_PER_CHAR;

  private final @Nullable Object[] keys = new @Nullable Object[SLOTS];
  private final @Nullable String[] texts = new @Nullable String[SLOTS];
  private final byte[] lengths = new byte[SLOTS];
  private final byte[] bytes = new byte[SLOTS * SLOT_BYTES];

  /**
   * The place of a key, which holds its bytes until the next call.
   *
   * @return the place, or {@link #NONE} for a key that does not fit
   */
  int slot(AttributeKey<?> key) {
    int hash = key.hashCode();
    int slot = (hash ^ hash >>> 16) & (SLOTS - 1);
    if (keys[slot] == key) {
      return slot;
    }
    if (key.getKey().equals(texts[slot])) {
      keys[slot] = key;
      return slot;
    }
    return encode(key, slot);
  }

  /** How many bytes a place holds. */
  int lengthBytes(int slot) {
    return lengths[slot];
  }

  /** Copies what a place holds, and gives the offset after it. */
  int copy(int slot, byte[] target, int offset) {
    int length = lengths[slot];
    System.arraycopy(bytes, slot * SLOT_BYTES, target, offset, length);
    return offset + length;
  }

  /** Lets go of the keys. */
  void clear() {
    Arrays.fill(keys, null);
    Arrays.fill(texts, null);
  }

  private int encode(AttributeKey<?> key, int slot) {
    String text = key.getKey();
    if (text.length() > SLOT_BYTES - 2) {
      return NONE;
    }
    int lengthBytes = text.length() <= MAX_CHARS ? 0 : Utf8.lengthBytes(text);
    if (lengthBytes > SLOT_BYTES - 2) {
      return NONE;
    }
    keys[slot] = key;
    texts[slot] = text;
    if (text.isEmpty()) {
      lengths[slot] = 0;
      return slot;
    }
    int start = slot * SLOT_BYTES;
    int end = Utf8.write(text, bytes, start + 2);
    bytes[start] = KEY_TAG;
    Varint.put(end - start - 2L, bytes, start + 1);
    lengths[slot] = (byte) (end - start);
    return slot;
  }
}

package dev.millrace.bytes;

import java.util.Arrays;

/**
 * A growing array of bytes for small things that must lie in one piece, such as the labels of a
 * series. Owned by one thread and used again and again: {@link #clear} keeps the memory, so steady
 * use allocates nothing.
 */
public final class ByteArray {
  private static final int FIRST_CAPACITY_BYTES = 256;

  private byte[] bytes = new byte[FIRST_CAPACITY_BYTES];
  private int lengthBytes;

  /** An empty array. */
  public ByteArray() {}

  /**
   * The memory; the first {@link #lengthBytes()} bytes are filled. Another array after the next
   * growth.
   */
  public byte[] bytes() {
    return bytes;
  }

  /** How many bytes are filled. */
  public int lengthBytes() {
    return lengthBytes;
  }

  /** Empties the array and keeps its memory. */
  public void clear() {
    lengthBytes = 0;
  }

  /** Cuts the array back to its first {@code lengthBytes} bytes. */
  public void truncate(int lengthBytes) {
    if (lengthBytes < 0 || lengthBytes > this.lengthBytes) {
      throw new IllegalArgumentException(
          "expected 0 to " + this.lengthBytes + " bytes to keep, found " + lengthBytes);
    }
    this.lengthBytes = lengthBytes;
  }

  /** Appends the low eight bits. */
  public void append(int value) {
    reserve(1);
    bytes[lengthBytes++] = (byte) value;
  }

  /** Appends a whole array. */
  public void append(byte[] source) {
    append(source, 0, source.length);
  }

  /** Appends a part of an array. */
  public void append(byte[] source, int offset, int lengthBytes) {
    reserve(lengthBytes);
    System.arraycopy(source, offset, bytes, this.lengthBytes, lengthBytes);
    this.lengthBytes += lengthBytes;
  }

  /** Appends text as UTF-8; an unpaired surrogate becomes U+FFFD. */
  public void appendUtf8(String text) {
    reserve(Utf8.maxBytes(text.length()));
    lengthBytes = Utf8.write(text, bytes, lengthBytes);
  }

  /** Appends a whole number in decimal. */
  public void appendLong(long value) {
    reserve(LongText.MAX_BYTES);
    lengthBytes = LongText.write(value, bytes, lengthBytes);
  }

  /**
   * Makes room for bytes that the caller writes itself into {@link #bytes} from {@link
   * #lengthBytes} on, and then claims with {@link #advanceTo}.
   */
  public void reserve(int lengthBytes) {
    int needed = this.lengthBytes + lengthBytes;
    if (needed < 0) {
      throw new IllegalStateException(
          "expected less than 2 GiB in one piece, found more; write it in chunks");
    }
    if (needed > bytes.length) {
      bytes =
          Arrays.copyOf(
              bytes, (int) Math.min(Integer.MAX_VALUE - 8L, Math.max(needed, bytes.length * 2L)));
    }
  }

  /** Claims what was written after {@link #reserve}, up to the offset after the last byte. */
  public void advanceTo(int offset) {
    if (offset < lengthBytes || offset > bytes.length) {
      throw new IllegalArgumentException(
          "expected an offset from "
              + lengthBytes
              + " to "
              + bytes.length
              + ", found "
              + offset
              + "; reserve first");
    }
    lengthBytes = offset;
  }

  /** A copy of what is filled. */
  public byte[] toByteArray() {
    return Arrays.copyOf(bytes, lengthBytes);
  }
}

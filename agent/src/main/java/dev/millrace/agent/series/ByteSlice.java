package dev.millrace.agent.series;

import dev.millrace.bytes.Utf8;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A part of an array that somebody else owns: text as it arrived, before anybody needs a string of
 * it. Used again and again; not thread-safe.
 */
public final class ByteSlice {
  private static final byte[] NO_BYTES = new byte[0];

  private byte[] bytes = NO_BYTES;
  private int offset;
  private int lengthBytes;

  /** An empty slice. */
  public ByteSlice() {}

  /** Points to a part of an array. */
  public void set(byte[] bytes, int offset, int lengthBytes) {
    this.bytes = bytes;
    this.offset = offset;
    this.lengthBytes = lengthBytes;
  }

  /** Points to a copy of some text. */
  public void set(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    set(utf8, 0, utf8.length);
  }

  /** Says that the text is longer than any bound, and was not read. */
  public void setTooLong() {
    set(NO_BYTES, 0, Integer.MAX_VALUE);
  }

  /** Points to nothing. */
  public void clear() {
    set(NO_BYTES, 0, 0);
  }

  /** How many bytes there are. */
  public int lengthBytes() {
    return lengthBytes;
  }

  /** The text, or {@code null} where it is not valid UTF-8 or too long; it allocates. */
  public @Nullable String text() {
    return lengthBytes != Integer.MAX_VALUE && Utf8.isValid(bytes, offset, lengthBytes)
        ? new String(bytes, offset, lengthBytes, StandardCharsets.UTF_8)
        : null;
  }

  boolean contentEquals(byte[] other) {
    return Arrays.equals(bytes, offset, offset + lengthBytes, other, 0, other.length);
  }

  byte[] copy() {
    return Arrays.copyOfRange(bytes, offset, offset + lengthBytes);
  }

  long hash(LabelHash labelHash) {
    return labelHash.ofBytes(bytes, offset, lengthBytes);
  }
}

package dev.millrace.bytes;

import java.nio.charset.StandardCharsets;

/** Writes whole numbers as decimal text. */
public final class LongText {
  /** The most bytes that a number takes: a sign and 19 digits. */
  public static final int MAX_BYTES = 20;

  private LongText() {}

  /** Writes {@code value} at {@code offset} and returns the offset after the last byte. */
  public static int write(long value, byte[] target, int offset) {
    byte[] text = Long.toString(value).getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(text, 0, target, offset, text.length);
    return offset + text.length;
  }
}

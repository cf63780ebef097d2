package dev.millrace.bytes;

import java.nio.charset.StandardCharsets;

/** Strings as UTF-8. */
public final class Utf8 {
  private Utf8() {}

  /** The most bytes that a string of {@code chars} chars takes. */
  public static int maxBytes(int chars) {
    return chars * 3;
  }

  /** Writes {@code s} at {@code offset} and returns the offset after the last byte. */
  public static int write(String s, byte[] target, int offset) {
    byte[] text = s.getBytes(StandardCharsets.UTF_8);
    System.arraycopy(text, 0, target, offset, text.length);
    return offset + text.length;
  }

  /** Whether the bytes are valid UTF-8. */
  public static boolean isValid(byte[] bytes, int offset, int length) {
    String s = new String(bytes, offset, length, StandardCharsets.UTF_8);
    return java.util.Arrays.equals(
        s.getBytes(StandardCharsets.UTF_8),
        java.util.Arrays.copyOfRange(bytes, offset, offset + length));
  }
}

package dev.millrace.bytes;

import java.nio.charset.StandardCharsets;

/** Writes numbers as the shortest decimal text that reads back equal. */
public final class DoubleText {
  /** The most bytes that a number takes. */
  public static final int MAX_BYTES = 26;

  private DoubleText() {}

  /** Writes {@code value} at {@code offset} and returns the offset after the last byte. */
  public static int write(double value, byte[] target, int offset) {
    return put(
        value == Math.rint(value) && Math.abs(value) < 1e15
            ? Long.toString((long) value)
            : Double.toString(value),
        target,
        offset);
  }

  /**
   * Writes {@code value} in OpenMetrics' canonical form and returns the offset after the last byte.
   */
  public static int writeCanonical(double value, byte[] target, int offset) {
    return put(value == Double.POSITIVE_INFINITY ? "+Inf" : Double.toString(value), target, offset);
  }

  /** Writes {@code value} as JSON does and returns the offset after the last byte. */
  public static int writeJson(double value, byte[] target, int offset) {
    return put(Double.toString(value), target, offset);
  }

  private static int put(String s, byte[] target, int offset) {
    byte[] text = s.getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(text, 0, target, offset, text.length);
    return offset + text.length;
  }
}

package dev.millrace.bytes;

/**
 * Longs as decimal ASCII text, written straight into a byte array: an optional {@code -}, then
 * digits without leading zeros, exactly as {@link Long#toString(long)} gives them.
 *
 * <p>The text is an integer in the Prometheus text format, in OpenMetrics and in JSON.
 *
 * <pre>{@code
 * byte[] target = new byte[LongText.MAX_BYTES];
 * int end = LongText.write(-42, target, 0);
 * assert new String(target, 0, end, StandardCharsets.US_ASCII).equals("-42");
 * }</pre>
 *
 * <p>Stateless and safe for use by many threads. Nothing is allocated.
 */
public final class LongText {
  /** The longest text, {@code -9223372036854775808}: a sign and 19 digits. */
  public static final int MAX_BYTES = 1 + DecimalDigits.MAX_DIGITS;

  private static final long NINE_QUINTILLION = 9_000_000_000_000_000_000L;

  private LongText() {}

  /**
   * Writes a number. Bytes outside of the text are left as they are.
   *
   * @param value any long
   * @param target where to; {@link #MAX_BYTES} free bytes from {@code offset} on are always enough
   * @param offset index in {@code target} of the first byte of the text
   * @return the index after the last byte of the text
   * @throws IndexOutOfBoundsException if the text does not fit; part of it may be written
   */
  public static int write(long value, byte[] target, int offset) {
    if (value >= 0) {
      return DecimalDigits.write(value, DecimalDigits.count(value), target, offset);
    }
    target[offset] = '-';
    if (value == Long.MIN_VALUE) {
      // Its absolute value is no long; without its first digit it is.
      target[offset + 1] = '9';
      return DecimalDigits.write(
          -(value + NINE_QUINTILLION), DecimalDigits.MAX_DIGITS - 1, target, offset + 2);
    }
    return DecimalDigits.write(-value, DecimalDigits.count(-value), target, offset + 1);
  }
}

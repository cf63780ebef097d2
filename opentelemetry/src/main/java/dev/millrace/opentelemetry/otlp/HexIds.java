package dev.millrace.opentelemetry.otlp;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Reads the ids of the SDK's span contexts, which are hexadecimal text of a fixed length, as
 * numbers. Nothing is allocated. Owned by one encoder; not thread-safe.
 */
final class HexIds {
  static final int TRACE_ID_BYTES = 16;
  static final int SPAN_ID_BYTES = 8;

  /** The digits of one number, and of a span id. */
  static final int DIGITS = 16;

  /** The values of eight digits, each in a byte. */
  private static final long NIBBLES = 0x0f0f_0f0f_0f0f_0f0fL;

  private static final long ONES = 0x0101_0101_0101_0101L;

  /** Letters of either case have this bit, and are numbered from 1: 'a' and 'A' are 10. */
  private static final int LETTER_BIT = 6;

  private static final int LETTERS_FROM = 9;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private final byte[] digits = new byte[DIGITS];

  /** Whether text can be a trace id; only then it may be read. */
  static boolean isTraceId(String text) {
    return text.length() == 2 * DIGITS;
  }

  /** Whether text can be a span id; only then it may be read. */
  static boolean isSpanId(String text) {
    return text.length() == DIGITS;
  }

  /**
   * The number that {@value #DIGITS} digits are, the first of them the highest.
   *
   * @param from 0, or {@value #DIGITS} for the second half of a trace id
   */
  @SuppressWarnings(
      "deprecation") // It drops the upper half of each char; those of an id have none.
  long read(String text, int from) {
    text.getBytes(from, from + DIGITS, digits, 0);
    return half((long) LONGS.get(digits, 0)) << Integer.SIZE
        | half((long) LONGS.get(digits, Long.BYTES));
  }

  /** The number that eight digits are, the first of them in the highest byte. */
  private static long half(long text) {
    long values = ((text & NIBBLES) + (text >>> LETTER_BIT & ONES) * LETTERS_FROM) & NIBBLES;
    long pairs = (values | values >>> 4) & 0x00ff_00ff_00ff_00ffL;
    long fours = (pairs | pairs >>> 8) & 0x0000_ffff_0000_ffffL;
    return (fours | fours >>> 16) & 0xffff_ffffL;
  }
}

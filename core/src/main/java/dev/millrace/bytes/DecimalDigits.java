package dev.millrace.bytes;

/**
 * Decimal digits of non-negative longs, as ASCII bytes.
 *
 * <p>Stateless and safe for use by many threads; allocates nothing.
 */
final class DecimalDigits {
  /** Most digits that a long can have: {@code Long.MAX_VALUE} has 19. */
  static final int MAX_DIGITS = 19;

  private static final int BLOCK = 100_000_000;
  private static final int BLOCK_DIGITS = 8;

  /**
   * At index i the smallest long with i + 1 digits. The first entry is 0 and not 1, so that 0
   * counts as one digit without a branch of its own.
   */
  private static final long[] SMALLEST_WITH_ONE_MORE = new long[MAX_DIGITS];

  /** The digits of 00 to 99, two bytes each: a pair costs one division instead of two. */
  private static final byte[] PAIRS = new byte[200];

  static {
    long power = 10;
    for (int digits = 1; digits < MAX_DIGITS; digits++) {
      SMALLEST_WITH_ONE_MORE[digits] = power;
      power *= 10;
    }
    for (int pair = 0; pair < 100; pair++) {
      PAIRS[2 * pair] = (byte) ('0' + pair / 10);
      PAIRS[2 * pair + 1] = (byte) ('0' + pair % 10);
    }
  }

  private DecimalDigits() {}

  /**
   * Counts decimal digits.
   *
   * @param value at least 0
   * @return 1 to {@link #MAX_DIGITS}; 1 for 0
   */
  static int count(long value) {
    // 1233 / 4096 is less than log10(2), but by less than 1e-5, so this is floor(bits * log10(2))
    // for every length of up to 63 bits. A number of that many bits has so many digits or one more.
    int fewest = ((Long.SIZE - Long.numberOfLeadingZeros(value)) * 1233) >>> 12;
    return value >= SMALLEST_WITH_ONE_MORE[fewest] ? fewest + 1 : fewest;
  }

  /**
   * Writes all digits of a number.
   *
   * @param value at least 0
   * @param count {@link #count count(value)}, which callers need anyway to lay the text out
   * @return the offset after the last digit
   * @throws IndexOutOfBoundsException if the digits do not fit; some of them may be written
   */
  static int write(long value, int count, byte[] target, int offset) {
    int end = offset + count;
    int position = end;
    long rest = value;
    while (rest >= BLOCK) {
      long quotient = rest / BLOCK;
      position -= BLOCK_DIGITS;
      writeBlock((int) (rest - quotient * BLOCK), target, position);
      rest = quotient;
    }
    // Below 10^8: int arithmetic, whose divisions by constants are the cheapest.
    int small = (int) rest;
    while (small >= 100) {
      int quotient = small / 100;
      position -= 2;
      writePair(small - quotient * 100, target, position);
      small = quotient;
    }
    if (small >= 10) {
      writePair(small, target, position - 2);
    } else {
      target[position - 1] = (byte) ('0' + small);
    }
    return end;
  }

  /** Eight digits with leading zeros; halving first lets the four pairs be found independently. */
  private static void writeBlock(int value, byte[] target, int offset) {
    int high = value / 10_000;
    int low = value - high * 10_000;
    int highest = high / 100;
    int lower = low / 100;
    writePair(highest, target, offset);
    writePair(high - highest * 100, target, offset + 2);
    writePair(lower, target, offset + 4);
    writePair(low - lower * 100, target, offset + 6);
  }

  private static void writePair(int value, byte[] target, int offset) {
    target[offset] = PAIRS[2 * value];
    target[offset + 1] = PAIRS[2 * value + 1];
  }
}

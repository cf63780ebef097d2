package dev.millrace.bytes;

import java.math.BigInteger;

/**
 * Everything that reads back as a positive double, so that decimals can be checked against it:
 * exact, independent of what it checks, and fast enough for tens of millions of doubles.
 *
 * <p>Decimals are compared in quarters of the double's unit in the last place: the double itself is
 * 4c of them, and the interval has whole numbers for ends. A decimal becomes a fixed-point number
 * with 64 bits after the point, by multiplication with a 128-bit power of ten that is cut off; if
 * the digits after the point leave open whether the decimal is a whole number of quarters, {@link
 * BigInteger} decides.
 */
final class ReadingInterval {
  private static final int MIN_EXPONENT = -330;
  private static final int MAX_EXPONENT = 310;
  private static final int POWER_BITS = 128;

  /**
   * Twice a double is less than 2^56 quarters; anything that is much more is left to exact
   * arithmetic.
   */
  private static final int MAX_QUARTERS_BITS = 60;

  /**
   * 10^e = (power + a fraction of 1) * 2^shift, power being {@link #high} and {@link #low} as
   * unsigned halves.
   */
  private static final long[] HIGH = new long[MAX_EXPONENT - MIN_EXPONENT + 1];

  private static final long[] LOW = new long[HIGH.length];
  private static final int[] SHIFT = new int[HIGH.length];

  static {
    for (int e = MIN_EXPONENT; e <= MAX_EXPONENT; e++) {
      BigInteger ten = BigInteger.TEN.pow(Math.abs(e));
      int shift = e >= 0 ? ten.bitLength() - POWER_BITS : 1 - ten.bitLength() - POWER_BITS;
      BigInteger power =
          e < 0
              ? BigInteger.ONE.shiftLeft(-shift).divide(ten)
              : ten.shiftLeft(POWER_BITS).shiftRight(ten.bitLength());
      HIGH[e - MIN_EXPONENT] = power.shiftRight(Long.SIZE).longValue();
      LOW[e - MIN_EXPONENT] = power.longValue();
      SHIFT[e - MIN_EXPONENT] = shift;
    }
  }

  private int q;
  private long quarters;
  private long low;
  private long high;
  private boolean endsBelong;

  void of(double positive) {
    q = Math.max(Math.getExponent(positive), Double.MIN_EXPONENT) - 52;
    long significand = (long) Math.scalb(positive, -q);
    boolean closerBelow = positive - Math.nextDown(positive) < Math.ulp(positive);
    quarters = 4 * significand;
    low = quarters - (closerBelow ? 1 : 2);
    high = quarters + 2;
    endsBelong = significand % 2 == 0;
  }

  /** Whether {@code digits * 10^exponent} reads back as the double. */
  boolean reads(long digits, int exponent) {
    long twice = twiceQuarters(digits, exponent);
    return endsBelong ? twice >= 2 * low && twice <= 2 * high : twice > 2 * low && twice < 2 * high;
  }

  /**
   * Compares the middle of two decimals with the double, given their sum, {@code digits *
   * 10^exponent}.
   *
   * @return negative if the middle is less than the double, 0 if it is the double, otherwise
   *     positive
   */
  int compareMiddle(long digits, int exponent) {
    return Long.compare(twiceQuarters(digits, exponent), 4 * quarters);
  }

  /**
   * {@code digits * 10^exponent} in quarters, times two: an even result is exact, an odd one means
   * a number between the two even ones next to it.
   */
  private long twiceQuarters(long digits, int exponent) {
    int index = exponent - MIN_EXPONENT;
    // digits * power in three words: upper, middle, lower.
    long lower = digits * LOW[index];
    long carried = multiplyHigh(digits, LOW[index]);
    long product = digits * HIGH[index];
    long middle = product + carried;
    long upper =
        multiplyHigh(digits, HIGH[index]) + (Long.compareUnsigned(middle, carried) < 0 ? 1 : 0);
    // So many bits are after the point.
    int point = q - 2 - SHIFT[index];
    int bits = point & (Long.SIZE - 1);
    long integer;
    long fraction;
    if (point >= 2 * Long.SIZE && point < 3 * Long.SIZE) {
      integer = upper >>> bits;
      fraction = bits == 0 ? middle : upper << (Long.SIZE - bits) | middle >>> bits;
    } else if (point >= Long.SIZE && upper >>> bits == 0) {
      integer = bits == 0 ? middle : upper << (Long.SIZE - bits) | middle >>> bits;
      fraction = bits == 0 ? lower : middle << (Long.SIZE - bits) | lower >>> bits;
    } else {
      return exactTwiceQuarters(digits, exponent);
    }
    // What was cut off the power of ten may add 1 to the last of the 64 bits, not more: it is less
    // than 2^-127 of the decimal, and so less than 2^-67 of a quarter.
    boolean open = fraction == 0 || fraction == -1 || integer >>> MAX_QUARTERS_BITS != 0;
    return open ? exactTwiceQuarters(digits, exponent) : 2 * integer + 1;
  }

  private long exactTwiceQuarters(long digits, int exponent) {
    BigInteger numerator =
        BigInteger.valueOf(digits)
            .multiply(BigInteger.TEN.pow(Math.max(exponent, 0)))
            .shiftLeft(Math.max(2 - q, 0));
    BigInteger denominator =
        BigInteger.TEN.pow(Math.max(-exponent, 0)).shiftLeft(Math.max(q - 2, 0));
    BigInteger[] parts = numerator.divideAndRemainder(denominator);
    return 2 * parts[0].longValueExact() + (parts[1].signum() == 0 ? 0 : 1);
  }

  /** The upper word of a product; the second factor is unsigned. */
  private static long multiplyHigh(long positive, long unsigned) {
    return Math.multiplyHigh(positive, unsigned) + (unsigned < 0 ? positive : 0);
  }
}

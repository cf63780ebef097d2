package dev.millrace.bytes;

import java.util.Arrays;

/**
 * The powers of ten from 10<sup>-292</sup> to 10<sup>324</sup>, to 126 significant bits and rounded
 * up.
 *
 * <p>For an exponent e let s(e) = floor(log2(10<sup>e</sup>)) - 125. The entry is the integer
 *
 * <pre>
 *   g(e) = floor(10^e / 2^s(e)) + 1,   so   2^125 &lt; g(e) &lt;= 2^126 - 1   and   0 &lt; g(e) - 10^e / 2^s(e) &lt;= 1.
 * </pre>
 *
 * It is kept as two halves of 63 bits, g = high(e) * 2<sup>63</sup> + low(e), because both are then
 * non-negative longs and {@link Math#multiplyHigh(long, long)}, which is signed, needs no
 * correction.
 *
 * <p>The table is made when the class is initialised, by some 600 multiplications or divisions of a
 * 192-bit fraction by 5. That takes about a millisecond in a cold JVM; with {@link
 * java.math.BigInteger} it is eight. Each step rounds down and so loses less than one unit of the
 * last of 192 places; over the at most 324 steps to an entry less than 2<sup>9</sup> units are
 * lost. This can change the first 126 bits only if the 57 bits from the 127th to the 183rd are all
 * ones, which they are for no power in range: the tests compare every entry with the exact one.
 *
 * <p>Immutable after initialisation and safe for use by many threads; 10 KB.
 */
final class PowersOfTen {
  /**
   * The reciprocal of the largest grid that {@link Schubfach} scales by: 10<sup>292</sup> for the
   * largest doubles.
   */
  static final int MIN_EXPONENT = -292;

  /**
   * The reciprocal of the smallest grid that {@link Schubfach} scales by: 10<sup>-324</sup> for
   * subnormal doubles.
   */
  static final int MAX_EXPONENT = 324;

  private static final int LIMBS = 6;
  private static final int LIMB_BITS = 32;
  private static final long LIMB_MASK = 0xFFFF_FFFFL;
  private static final long TOP_BIT = 1L << (LIMB_BITS - 1);

  private static final long[] HIGH = new long[MAX_EXPONENT - MIN_EXPONENT + 1];
  private static final long[] LOW = new long[MAX_EXPONENT - MIN_EXPONENT + 1];

  static {
    // 32 bits a limb, the most significant first, top bit set: a fraction from 1/2 to 1. To it,
    // multiplying by 10 is multiplying by 5; the power of two is left to s(e).
    long[] fraction = new long[LIMBS];
    fraction[0] = TOP_BIT;
    store(0, fraction);
    for (int exponent = 1; exponent <= MAX_EXPONENT; exponent++) {
      multiplyByFive(fraction);
      store(exponent, fraction);
    }
    Arrays.fill(fraction, 0);
    fraction[0] = TOP_BIT;
    for (int exponent = -1; exponent >= MIN_EXPONENT; exponent--) {
      divideByFive(fraction);
      store(exponent, fraction);
    }
  }

  private PowersOfTen() {}

  /**
   * Upper half of g(e).
   *
   * @param exponent {@link #MIN_EXPONENT} to {@link #MAX_EXPONENT}
   * @return 2<sup>62</sup> to 2<sup>63</sup> - 1
   */
  static long high(int exponent) {
    return HIGH[exponent - MIN_EXPONENT];
  }

  /**
   * Lower half of g(e).
   *
   * @param exponent {@link #MIN_EXPONENT} to {@link #MAX_EXPONENT}
   * @return 0 to 2<sup>63</sup> - 1
   */
  static long low(int exponent) {
    return LOW[exponent - MIN_EXPONENT];
  }

  /**
   * The first 126 of the 192 bits, in halves, plus 1. The sum never leaves 126 bits: no entry is
   * all ones.
   */
  private static void store(int exponent, long[] fraction) {
    long first = fraction[0] << LIMB_BITS | fraction[1];
    long second = fraction[2] << LIMB_BITS | fraction[3];
    long low = ((first << 62 | second >>> 2) & Long.MAX_VALUE) + 1;
    // The addition carries exactly when it turns 63 ones into the sign bit.
    HIGH[exponent - MIN_EXPONENT] = (first >>> 1) + (low >>> 63);
    LOW[exponent - MIN_EXPONENT] = low & Long.MAX_VALUE;
  }

  private static void multiplyByFive(long[] fraction) {
    long carry = 0;
    for (int i = LIMBS - 1; i >= 0; i--) {
      long product = fraction[i] * 5 + carry;
      fraction[i] = product & LIMB_MASK;
      carry = product >>> LIMB_BITS;
    }
    // The carry is 2, 3 or 4: two or three bits.
    int shift = carry >= 4 ? 3 : 2;
    for (int i = 0; i < LIMBS; i++) {
      long shifted = carry << (LIMB_BITS - shift) | fraction[i] >>> shift;
      carry = fraction[i] & ((1L << shift) - 1);
      fraction[i] = shifted;
    }
  }

  private static void divideByFive(long[] fraction) {
    // Shifted up first, so that the quotient has its top bit set again and no bit is missing at its
    // end.
    int shift = fraction[0] >= 5 * (TOP_BIT >>> 2) ? 2 : 3;
    long remainder = fraction[0] >>> (LIMB_BITS - shift);
    for (int i = 0; i < LIMBS; i++) {
      long below = i + 1 < LIMBS ? fraction[i + 1] >>> (LIMB_BITS - shift) : 0;
      long dividend = remainder << LIMB_BITS | (fraction[i] << shift & LIMB_MASK) | below;
      fraction[i] = dividend / 5;
      remainder = dividend % 5;
    }
  }
}

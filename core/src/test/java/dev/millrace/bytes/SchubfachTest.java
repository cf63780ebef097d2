package dev.millrace.bytes;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import org.junit.jupiter.api.Test;

/**
 * Proves, by going through every binary exponent, what the arithmetic of {@link Schubfach} takes
 * for granted. That its results are the right decimals is for {@link DoubleTextTest} and {@link
 * DoubleTextRandomTest}.
 */
class SchubfachTest {
  private static final int MIN_Q = -1074;
  private static final int MAX_Q = 971;

  /**
   * 4c + 2 for the greatest significand c, 2^53 - 1, is less; Schubfach's comment counts on no more
   * than this.
   */
  private static final BigInteger MAX_SCALED = BigInteger.ONE.shiftLeft(55).add(BigInteger.TWO);

  /**
   * A fractional part of half a scaled number that is less than 2 to the minus this would be taken
   * for none.
   */
  private static final int FRACTION_BITS = 65;

  /**
   * The rounding of the power of ten adds less than 2 to the minus this to half a scaled number.
   */
  private static final int ERROR_BITS = 67;

  /** {@code factor * 2^q / 10^k}. */
  private record Ratio(BigInteger numerator, BigInteger denominator) {
    static Ratio of(int factor, int q, int k) {
      return new Ratio(
          BigInteger.valueOf(factor)
              .shiftLeft(Math.max(q, 0))
              .multiply(BigInteger.TEN.pow(Math.max(-k, 0))),
          BigInteger.ONE.shiftLeft(Math.max(-q, 0)).multiply(BigInteger.TEN.pow(Math.max(k, 0))));
    }

    boolean isFromOneTo(int limit) {
      return numerator.compareTo(denominator) >= 0
          && numerator.compareTo(denominator.multiply(BigInteger.valueOf(limit))) < 0;
    }
  }

  @Test
  void decimalLogarithmsAreExact() {
    for (int q = MIN_Q; q <= MAX_Q; q++) {
      int wide = Schubfach.floorLog10OfPowerOfTwo(q);
      assertThat(Ratio.of(1, q, wide).isFromOneTo(10)).as("2^%s, 10^%s", q, wide).isTrue();
      int narrow = Schubfach.floorLog10ThreeQuartersOfPowerOfTwo(q);
      assertThat(Ratio.of(3, q - 2, narrow).isFromOneTo(10))
          .as("3/4 * 2^%s, 10^%s", q, narrow)
          .isTrue();
      assertThat(-wide).isBetween(PowersOfTen.MIN_EXPONENT, PowersOfTen.MAX_EXPONENT);
      assertThat(-narrow).isBetween(PowersOfTen.MIN_EXPONENT, PowersOfTen.MAX_EXPONENT);
    }
  }

  @Test
  void binaryLogarithmsAreExact() {
    for (int e = PowersOfTen.MIN_EXPONENT; e <= PowersOfTen.MAX_EXPONENT; e++) {
      int log = Schubfach.floorLog2OfPowerOfTen(e);
      assertThat(Ratio.of(1, -log, -e).isFromOneTo(2)).as("10^%s, 2^%s", e, log).isTrue();
    }
  }

  @Test
  void shiftsKeepTheScaledNumberBelowTwoToThe61() {
    for (int q = MIN_Q; q <= MAX_Q; q++) {
      for (int k : exponents(q)) {
        int shift = q + Schubfach.floorLog2OfPowerOfTen(-k) + 2;
        assertThat(shift).as("shift for q = %s, k = %s", q, k).isBetween(2, 5);
        assertThat(MAX_SCALED.shiftLeft(shift).bitLength()).isLessThanOrEqualTo(61);
      }
    }
  }

  @Test
  void noFractionalPartIsTooSmallToBeSeenOrTooGreatToStandTheRounding() {
    for (int q = MIN_Q; q <= MAX_Q; q++) {
      for (int k : exponents(q)) {
        Ratio ratio = Ratio.of(1, q - 1, k);
        BigInteger common = ratio.numerator.gcd(ratio.denominator);
        BigInteger denominator = ratio.denominator.divide(common);
        BigInteger fraction = ratio.numerator.divide(common).mod(denominator);
        if (denominator.compareTo(MAX_SCALED) <= 0) {
          // All fractional parts are multiples of 1 / denominator: 0, or at least 2^-56 away from 0
          // and from 1.
          continue;
        }
        assertFractionalParts(fraction, denominator, "q = " + q + ", k = " + k);
      }
    }
  }

  /**
   * Finds the least and the greatest fractional part of n * fraction / denominator for n from 1 to
   * {@link #MAX_SCALED}, by the Euclidean algorithm: with {@code least} the smallest part so far,
   * and {@code toNext} the distance of the greatest so far to 1, the next n to beat one of both is
   * the sum of their two n, and it beats the larger by the smaller. No part is 0, the denominator
   * being greater than all n.
   */
  private static void assertFractionalParts(
      BigInteger fraction, BigInteger denominator, String what) {
    BigInteger least = fraction;
    BigInteger leastAt = BigInteger.ONE;
    BigInteger toNext = denominator.subtract(fraction);
    BigInteger toNextAt = BigInteger.ONE;
    while (leastAt.add(toNextAt).compareTo(MAX_SCALED) <= 0) {
      if (least.compareTo(toNext) > 0) {
        BigInteger times = least.divide(toNext).min(MAX_SCALED.subtract(leastAt).divide(toNextAt));
        least = least.subtract(times.multiply(toNext));
        leastAt = leastAt.add(times.multiply(toNextAt));
      } else {
        BigInteger times = toNext.divide(least).min(MAX_SCALED.subtract(toNextAt).divide(leastAt));
        toNext = toNext.subtract(times.multiply(least));
        toNextAt = toNextAt.add(times.multiply(leastAt));
      }
    }
    assertThat(least.shiftLeft(FRACTION_BITS))
        .as("least part, %s", what)
        .isGreaterThanOrEqualTo(denominator);
    assertThat(toNext.shiftLeft(ERROR_BITS))
        .as("distance to the next integer, %s", what)
        .isGreaterThan(denominator);
  }

  /** The grids that doubles with this binary exponent are put on. */
  private static int[] exponents(int q) {
    return new int[] {
      Schubfach.floorLog10OfPowerOfTwo(q), Schubfach.floorLog10ThreeQuartersOfPowerOfTwo(q)
    };
  }
}

package dev.millrace.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The bucket of a value, beside its definition. */
class ExponentialIndexTest {
  @Test
  void powersOfTwoEndTheirBucket() {
    for (int scale = -10; scale <= 20; scale++) {
      for (int exponent = -1074; exponent <= 1023; exponent++) {
        int expected =
            scale > 0 ? exponent * (1 << scale) - 1 : Math.floorDiv(exponent - 1, 1 << -scale);
        assertThat(ExponentialIndex.of(Math.scalb(1.0, exponent), scale))
            .as("2^%d at scale %d", exponent, scale)
            .isEqualTo(expected);
      }
    }
  }

  @Test
  void valuesLieWithinTheirBucket() {
    long seed = System.nanoTime();
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 20_000; i++) {
      double value = Double.longBitsToDouble(random.nextLong() & Long.MAX_VALUE);
      if (Double.isFinite(value) && value > 0) {
        int scale = random.nextInt(-10, 8);
        int index = ExponentialIndex.of(value, scale);
        double log = log2(value);
        // Bounds are rounded here as there, so a value at a bound may be on either side of it.
        assertThat(log * Math.scalb(1.0, scale))
            .as("seed %d, value %s, scale %d", seed, value, scale)
            .isBetween(index - 1e-9, index + 1 + 1e-9);
      }
    }
  }

  private static double log2(double value) {
    int exponent = new BigDecimal(value).precision() == 0 ? 0 : Math.getExponent(value);
    if (exponent < Double.MIN_EXPONENT) {
      return log2(value * 0x1p200) - 200;
    }
    double significand =
        new BigDecimal(value)
            .divide(new BigDecimal(2).pow(exponent, MathContext.DECIMAL128), MathContext.DECIMAL128)
            .doubleValue();
    return exponent + Math.log(significand) / Math.log(2);
  }

  @Test
  void aSmallerScaleHalvesTheIndex() {
    long seed = System.nanoTime();
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 20_000; i++) {
      double value = Double.longBitsToDouble(random.nextLong() & Long.MAX_VALUE);
      if (Double.isFinite(value) && value > 0) {
        for (int scale = 0; scale > -10; scale--) {
          assertThat(ExponentialIndex.of(value, scale - 1))
              .as("seed %d, value %s, scale %d", seed, value, scale)
              .isEqualTo(ExponentialIndex.of(value, scale) >> 1);
        }
      }
    }
  }
}

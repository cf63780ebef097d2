package dev.millrace.bytes;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import org.junit.jupiter.api.Test;

class PowersOfTenTest {
  private static final int BITS = 126;

  @Test
  void everyEntryIsTheExactPowerRoundedUp() {
    for (int e = PowersOfTen.MIN_EXPONENT; e <= PowersOfTen.MAX_EXPONENT; e++) {
      BigInteger power = BigInteger.TEN.pow(Math.abs(e));
      BigInteger floor;
      if (e >= 0) {
        floor = power.shiftLeft(BITS).shiftRight(power.bitLength());
      } else {
        // For a power that is no power of two, the reciprocal of one of n bits is from 2^-n to
        // 2^(1-n).
        floor = BigInteger.ONE.shiftLeft(power.bitLength() + BITS - 1).divide(power);
      }
      assertThat(floor.bitLength()).as("bits of 10^%s", e).isEqualTo(BITS);
      BigInteger entry =
          BigInteger.valueOf(PowersOfTen.high(e))
              .shiftLeft(63)
              .add(BigInteger.valueOf(PowersOfTen.low(e)));
      assertThat(entry).as("10^%s", e).isEqualTo(floor.add(BigInteger.ONE));
      assertThat(entry.bitLength()).as("bits of the entry for 10^%s", e).isEqualTo(BITS);
    }
  }

  @Test
  void halvesAreNotNegative() {
    for (int e = PowersOfTen.MIN_EXPONENT; e <= PowersOfTen.MAX_EXPONENT; e++) {
      assertThat(PowersOfTen.high(e)).isGreaterThanOrEqualTo(1L << 62);
      assertThat(PowersOfTen.low(e)).isNotNegative();
    }
  }
}

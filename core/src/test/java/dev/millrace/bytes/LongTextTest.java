package dev.millrace.bytes;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.testkit.AllocationMeter;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LongTextTest {
  private static final long SEED = 0x10_0617;
  private static final int OFFSET = 3;
  private static final byte UNTOUCHED = '#';

  @Test
  void ends() {
    assertText(0);
    assertText(-1);
    assertText(Long.MAX_VALUE);
    assertText(Long.MIN_VALUE);
    assertText(Long.MIN_VALUE + 1);
    assertThat(LongText.MAX_BYTES).isEqualTo(Long.toString(Long.MIN_VALUE).length());
  }

  @Test
  void aroundEveryPowerOfTen() {
    for (long power = 1; power > 0; power = power > Long.MAX_VALUE / 10 ? 0 : power * 10) {
      for (long step = -2; step <= 2; step++) {
        assertText(power + step);
        assertText(-power + step);
      }
    }
  }

  @Test
  void aroundEveryPowerOfTwo() {
    for (int shift = 0; shift < Long.SIZE; shift++) {
      for (long step = -2; step <= 2; step++) {
        assertText((1L << shift) + step);
      }
    }
  }

  @Test
  void everySmallNumber() {
    for (int value = -200_000; value <= 200_000; value++) {
      assertText(value);
    }
  }

  @Test
  void randomNumbersOfEveryLength() {
    SplittableRandom random = new SplittableRandom(SEED);
    for (int i = 0; i < 2_000_000; i++) {
      assertText(random.nextLong() >> random.nextInt(Long.SIZE));
    }
  }

  @Test
  void textThatDoesNotFitIsRefused() {
    byte[] target = new byte[4];
    assertThat(LongText.write(1234, target, 0)).isEqualTo(4);
    assertThatThrownBy(() -> LongText.write(12345, target, 0))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> LongText.write(Long.MIN_VALUE, target, 0))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> LongText.write(1, target, 4))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void allocatesNothing() throws Exception {
    byte[] target = new byte[LongText.MAX_BYTES];
    SplittableRandom random = new SplittableRandom(SEED);
    long[] values = random.longs(1000).map(value -> value >> (value & 63)).toArray();
    int[] next = {0};
    long bytes =
        AllocationMeter.bytesPerOperation(
            20_000, 20_000, () -> LongText.write(values[next[0]++ % values.length], target, 0));
    assertThat(bytes).isZero();
  }

  private static void assertText(long value) {
    byte[] target = new byte[OFFSET + LongText.MAX_BYTES + OFFSET];
    Arrays.fill(target, UNTOUCHED);
    int end = LongText.write(value, target, OFFSET);
    String expected = Long.toString(value);
    String before = "#".repeat(OFFSET);
    String after = "#".repeat(target.length - OFFSET - expected.length());
    if (end != OFFSET + expected.length()
        || !(before + expected + after).equals(new String(target, US_ASCII))) {
      throw new AssertionError(
          "Expected "
              + expected
              + ", found "
              + new String(target, US_ASCII)
              + " up to "
              + end
              + "; random numbers from seed "
              + SEED);
    }
  }
}

package dev.millrace.bytes;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Checks many millions of doubles: that the text reads back, that no shorter one does, and that no
 * other of the same length is closer. {@link DoubleTextTest} compares fewer doubles with a
 * reference that is plainer still.
 */
class DoubleTextRandomTest {
  private static final long SEED = 0x5C4B_FAC4L;
  private static final long EXPONENT_FIELD = 0x7FFL << 52;

  private final byte[] target = new byte[DoubleText.MAX_BYTES];
  private final DecimalText text = new DecimalText();
  private final ReadingInterval interval = new ReadingInterval();

  @Test
  void tenMillionRandomBitPatterns() {
    SplittableRandom random = new SplittableRandom(SEED);
    for (int i = 0; i < 10_000_000; i++) {
      check(Double.longBitsToDouble(random.nextLong()));
    }
  }

  @Test
  void everyBinaryExponent() {
    SplittableRandom random = new SplittableRandom(SEED + 1);
    for (long field = 0; field < 0x7FF; field++) {
      for (int i = 0; i < 300; i++) {
        check(Double.longBitsToDouble(field << 52 | random.nextLong() >>> 12));
      }
    }
  }

  @Test
  void fewBitsSet() {
    SplittableRandom random = new SplittableRandom(SEED + 2);
    for (int i = 0; i < 500_000; i++) {
      long bits = random.nextLong() & EXPONENT_FIELD;
      for (int set = random.nextInt(4); set > 0; set--) {
        bits |= 1L << random.nextInt(52);
      }
      check(Double.longBitsToDouble(bits));
    }
  }

  @Test
  void decimalsOfEveryLengthAndTheirNeighbours() {
    SplittableRandom random = new SplittableRandom(SEED + 3);
    for (int i = 0; i < 300_000; i++) {
      long digits = random.nextLong(1, (long) powerOfTen(random.nextInt(1, 19)));
      double decimal =
          random.nextBoolean()
              ? digits / powerOfTen(random.nextInt(19))
              : digits * powerOfTen(random.nextInt(19));
      check(decimal);
      check(Math.nextUp(decimal));
      check(Math.nextDown(decimal));
    }
  }

  @Test
  void wholeNumbersUpToWhereDoublesSkipMost() {
    SplittableRandom random = new SplittableRandom(SEED + 4);
    for (int i = 0; i < 500_000; i++) {
      check((double) (random.nextLong() >> random.nextInt(Long.SIZE)));
    }
  }

  private static double powerOfTen(int exponent) {
    return Math.pow(10, exponent);
  }

  private void check(double value) {
    int end = DoubleText.write(value, target, 0);
    String asString = new String(target, 0, end, ISO_8859_1);
    if (Double.isNaN(value) || Double.isInfinite(value) || value == 0) {
      expect(asString.equals(special(value)), "the text of a special number", value, asString);
      return;
    }
    expect(
        Double.doubleToRawLongBits(Double.parseDouble(asString))
            == Double.doubleToRawLongBits(value),
        "text that Double.parseDouble reads back",
        value,
        asString);
    text.read(target, 0, end);
    interval.of(Math.abs(value));
    long digits = text.digits;
    int exponent = text.exponent;
    expect(
        interval.reads(digits, exponent),
        "text that reads back by exact arithmetic",
        value,
        asString);
    if (digits >= 10) {
      // Any shorter decimal in the interval would be on the far side of one of these two.
      boolean shorterReads =
          interval.reads(digits / 10, exponent + 1)
              || interval.reads(digits / 10 + 1, exponent + 1);
      expect(!shorterReads, "the shortest text", value, asString);
    }
    expect(
        !isAboveBetter(digits, exponent) && !isBelowBetter(digits, exponent),
        "the closest text of this length",
        value,
        asString);
  }

  /** Better is: reads back, and is closer or, if as close, even. */
  private boolean isAboveBetter(long digits, int exponent) {
    int middle = interval.compareMiddle(2 * digits + 1, exponent);
    return (middle < 0 || (middle == 0 && digits % 2 == 1)) && interval.reads(digits + 1, exponent);
  }

  private boolean isBelowBetter(long digits, int exponent) {
    if (digits == 1) {
      // One digit less than 1 is 0.9.
      return interval.compareMiddle(19, exponent - 1) > 0 && interval.reads(9, exponent - 1);
    }
    int middle = interval.compareMiddle(2 * digits - 1, exponent);
    return (middle > 0 || (middle == 0 && digits % 2 == 1)) && interval.reads(digits - 1, exponent);
  }

  private static String special(double value) {
    if (Double.isNaN(value)) {
      return "NaN";
    }
    String sign = Double.doubleToRawLongBits(value) < 0 ? "-" : "";
    if (value == 0) {
      return sign + "0";
    }
    return sign.isEmpty() ? "+Inf" : "-Inf";
  }

  private static void expect(boolean isTrue, String what, double value, String found) {
    if (!isTrue) {
      throw new AssertionError(
          "Expected "
              + what
              + ", found "
              + found
              + " for the double with the bits 0x"
              + Long.toHexString(Double.doubleToRawLongBits(value))
              + "; seed "
              + SEED);
    }
  }
}

package dev.millrace.bytes;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.testkit.AllocationMeter;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DoubleTextTest {
  private static final long SEED = 0xD0_0B1E5;
  private static final int OFFSET = 3;
  private static final byte UNTOUCHED = '#';

  /** From this release on Double.toString gives the shortest decimal, too. */
  private static final boolean JDK_IS_SHORTEST = Runtime.version().feature() >= 19;

  @ParameterizedTest
  @CsvSource({
    "0.0, 0, 0.0, 0",
    "-0.0, -0, 0.0, -0",
    "1.0, 1, 1.0, 1",
    "-1.0, -1, -1.0, -1",
    "1027.0, 1027, 1027.0, 1027",
    "0.1, 0.1, 0.1, 0.1",
    "0.3, 0.3, 0.3, 0.3",
    "-2.5, -2.5, -2.5, -2.5",
    "12.34, 12.34, 12.34, 12.34",
    "0.001, 0.001, 0.001, 0.001",
    "0.0001, 0.0001, 0.0001, 0.0001",
    "0.00012, 0.00012, 0.00012, 0.00012",
    "0.00001, 1e-05, 1e-05, 0.00001",
    "0.000012, 1.2e-05, 1.2e-05, 0.000012",
    "0.000001, 1e-06, 1e-06, 0.000001",
    "0.00000099, 9.9e-07, 9.9e-07, 9.9e-7",
    "1e-7, 1e-07, 1e-07, 1e-7",
    "1e-10, 1e-10, 1e-10, 1e-10",
    "100000.0, 100000, 100000.0, 100000",
    "123456.7, 123456.7, 123456.7, 123456.7",
    "999999.0, 999999, 999999.0, 999999",
    "1e6, 1000000, 1e+06, 1000000",
    "1234567.0, 1234567, 1.234567e+06, 1234567",
    "1234567.5, 1234567.5, 1.2345675e+06, 1234567.5",
    "1e10, 10000000000, 1e+10, 10000000000",
    "1.5e15, 1500000000000000, 1.5e+15, 1500000000000000",
    "9007199254740991.0, 9007199254740991, 9.007199254740991e+15, 9007199254740991",
    "9007199254740992.0, 9007199254740992, 9.007199254740992e+15, 9007199254740992",
    "1.8446744073709552E19, 18446744073709552000, 1.8446744073709552e+19, 18446744073709552000",
    "1e20, 100000000000000000000, 1e+20, 100000000000000000000",
    "999999999999999900000.0, 999999999999999900000, 9.999999999999999e+20, 999999999999999900000",
    "1e21, 1e+21, 1e+21, 1e+21",
    "1.1e23, 1.1e+23, 1.1e+23, 1.1e+23",
    "1e100, 1e+100, 1e+100, 1e+100",
    "4.9E-324, 5e-324, 5e-324, 5e-324",
    "1.7976931348623157E308, 1.7976931348623157e+308, 1.7976931348623157e+308, 1.7976931348623157e+308",
  })
  void layouts(double value, String exposition, String canonical, String json) {
    assertText(value, DoubleStyle.EXPOSITION, exposition);
    assertText(value, DoubleStyle.CANONICAL, canonical);
    assertText(value, DoubleStyle.JSON, json);
  }

  @Test
  void specials() {
    // Among the NaNs is the one that Prometheus uses as its stale marker: as text it is like any
    // other.
    for (long bits : new long[] {0x7FF8_0000_0000_0000L, 0x7FF0_0000_0000_0002L, -1L}) {
      double nan = Double.longBitsToDouble(bits);
      for (DoubleStyle style : DoubleStyle.values()) {
        assertText(nan, style, "NaN");
      }
    }
    assertText(Double.POSITIVE_INFINITY, DoubleStyle.EXPOSITION, "+Inf");
    assertText(Double.NEGATIVE_INFINITY, DoubleStyle.EXPOSITION, "-Inf");
    assertText(Double.POSITIVE_INFINITY, DoubleStyle.CANONICAL, "+Inf");
    assertText(Double.NEGATIVE_INFINITY, DoubleStyle.CANONICAL, "-Inf");
    assertText(Double.POSITIVE_INFINITY, DoubleStyle.JSON, "Infinity");
    assertText(Double.NEGATIVE_INFINITY, DoubleStyle.JSON, "-Infinity");
  }

  /** The examples of OpenMetrics 1.0.0, sections "Canonical Numbers" and "Histogram". */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "0.0",
        "0.001",
        "0.002",
        "0.01",
        "0.1",
        "0.9",
        "0.95",
        "0.99",
        "0.999",
        "1.0",
        "1.7",
        "10.0",
        "1e-10",
        "1e-09",
        "1e-05",
        "0.0001",
        "100000.0",
        "1e+06",
        "1e+10",
        "1e+23",
        "1.1e+23"
      })
  void canonicalExamplesOfTheSpecification(String example) {
    assertText(Double.parseDouble(example), DoubleStyle.CANONICAL, example);
  }

  @Test
  void canonicalThousandthsUpToTen() {
    for (int thousandths = 1; thousandths <= 10_000; thousandths++) {
      String fraction = String.format("%03d", thousandths % 1000).replaceFirst("0{1,2}$", "");
      assertText(thousandths / 1000.0, DoubleStyle.CANONICAL, thousandths / 1000 + "." + fraction);
    }
  }

  /**
   * Doubles for which formatters have erred: by a digit too many (2E23, 1.0E23 and 2.0E-3 in JDKs
   * before 19), in halves between two doubles, at the borders of the subnormals, and at the ends of
   * integer types.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "2e23",
        "1e23",
        "9e22",
        "8.41e21",
        "2.0e-3",
        "1.1",
        "4.35",
        "0.000035689",
        "1e21",
        "1e22",
        "9.999999999999999e22",
        "2.2250738585072014E-308",
        "2.225073858507201E-308",
        "2.2250738585072011e-308",
        "4.9E-324",
        "5e-324",
        "1e-323",
        "1.5e-323",
        "9.5e-323",
        "1.7976931348623157E308",
        "9007199254740993",
        "9007199254740995",
        "4503599627370496.5",
        "4503599627370497.5",
        "0.5",
        "1.5",
        "1.8446744073709552E19",
        "9223372036854775807",
        "4294967296",
        "6.02214076e23",
        "0.30000000000000004",
        "0.3333333333333333",
        "3.141592653589793",
        "3.4028234663852886e38",
        "1.401298464324817e-45",
        "0.10000000149011612",
        "5.764607523034235E39",
        "1.152921504606847E40",
        "2.305843009213694E40",
        "7.120236347223045E-307",
        "2.8480945388892178E-306"
      })
  void knownHardCases(String decimal) {
    double value = Double.parseDouble(decimal);
    assertAsReference(value);
    assertAsReference(Math.nextUp(value));
    assertAsReference(Math.nextDown(value));
  }

  @Test
  void aroundEveryPowerOfTwo() {
    for (int exponent = -1074; exponent <= 1023; exponent++) {
      assertWithNeighbours(Math.scalb(1.0, exponent));
    }
  }

  @Test
  void aroundEveryPowerOfTen() {
    for (int exponent = -323; exponent <= 308; exponent++) {
      assertWithNeighbours(Double.parseDouble("1e" + exponent));
    }
  }

  @Test
  void whereDoublesBeginToSkipWholeNumbers() {
    for (long shift = 51; shift <= 64; shift++) {
      double power = Math.scalb(1.0, (int) shift);
      for (int step = -1000; step <= 1000; step++) {
        assertAsReference(power + step * Math.ulp(power));
        assertAsReference(power + step / 2.0);
      }
    }
  }

  @Test
  void smallestAndGreatest() {
    double smallest = Double.MIN_VALUE;
    double greatest = Double.MAX_VALUE;
    double normal = Double.MIN_NORMAL;
    for (int i = 0; i < 2000; i++) {
      assertAsReference(smallest);
      assertAsReference(greatest);
      assertAsReference(normal);
      assertAsReference(Double.MIN_NORMAL - (normal - Double.MIN_NORMAL));
      smallest = Math.nextUp(smallest);
      greatest = Math.nextDown(greatest);
      normal = Math.nextUp(normal);
    }
  }

  @Test
  void randomBitPatternsAsTheReference() {
    SplittableRandom random = new SplittableRandom(SEED);
    for (int i = 0; i < 300_000; i++) {
      double value = Math.abs(Double.longBitsToDouble(random.nextLong()));
      if (Double.isFinite(value) && value != 0) {
        assertAsReference(value);
      }
    }
  }

  @Test
  void randomPlainNumbersAsTheReference() {
    SplittableRandom random = new SplittableRandom(SEED + 1);
    for (int i = 0; i < 100_000; i++) {
      assertAsReference(random.nextDouble() * Math.pow(10, random.nextInt(-8, 23)));
      assertAsReference((random.nextInt(1_000_000) + 1) / Math.pow(10, random.nextInt(12)));
    }
  }

  /**
   * Only the number of digits and the exponent matter for the length: 17 digits with every exponent
   * show all.
   */
  @Test
  void longestTexts() {
    assertThat(longest(DoubleStyle.EXPOSITION)).isEqualTo("-1.7976931348623157e+308".length());
    assertThat(longest(DoubleStyle.CANONICAL)).isEqualTo("-1.7976931348623157e+308".length());
    assertThat(longest(DoubleStyle.JSON)).isEqualTo("-0.0000012345678901234567".length());
    assertThat(longest(DoubleStyle.JSON)).isEqualTo(DoubleText.MAX_BYTES);
  }

  private static int longest(DoubleStyle style) {
    int longest = 0;
    for (int exponent = -308; exponent <= 308; exponent++) {
      byte[] target = new byte[DoubleText.MAX_BYTES];
      longest = Math.max(longest, write(-withSeventeenDigits(exponent), style, target, 0));
    }
    return longest;
  }

  @ParameterizedTest
  @ValueSource(
      doubles = {1234.5, 1e300, 0.00015, 123456, 1e-300, Double.NaN, Double.NEGATIVE_INFINITY})
  void textThatDoesNotFitIsRefused(double value) {
    for (DoubleStyle style : DoubleStyle.values()) {
      byte[] whole = new byte[DoubleText.MAX_BYTES];
      int length = write(value, style, whole, 0);
      byte[] exact = new byte[length];
      assertThat(write(value, style, exact, 0)).isEqualTo(length);
      assertThat(exact).isEqualTo(Arrays.copyOf(whole, length));
      for (int tooShort = 0; tooShort < length; tooShort++) {
        byte[] target = new byte[tooShort];
        assertThatThrownBy(() -> write(value, style, target, 0))
            .isInstanceOf(IndexOutOfBoundsException.class);
      }
    }
  }

  @Test
  void allocatesNothing() throws Exception {
    SplittableRandom random = new SplittableRandom(SEED + 2);
    double[] values = new double[1000];
    for (int i = 0; i < values.length; i++) {
      values[i] =
          switch (i % 4) {
            case 0 -> Double.longBitsToDouble(random.nextLong());
            case 1 -> random.nextInt();
            case 2 -> random.nextInt(100_000) / 1000.0;
            default -> random.nextDouble();
          };
    }
    byte[] target = new byte[DoubleText.MAX_BYTES];
    for (DoubleStyle style : DoubleStyle.values()) {
      int[] next = {0};
      long bytes =
          AllocationMeter.bytesPerOperation(
              20_000, 20_000, () -> write(values[next[0]++ % values.length], style, target, 0));
      assertThat(bytes).as("%s", style).isZero();
    }
  }

  private static double withSeventeenDigits(int exponent) {
    double value = Double.parseDouble("1.2345678901234567e" + exponent);
    while (ShortestDecimal.of(value).digits().toString().length() < 17) {
      value = Math.nextUp(value);
    }
    return value;
  }

  private static void assertWithNeighbours(double value) {
    double lower = value;
    double higher = value;
    for (int i = 0; i < 3; i++) {
      assertAsReference(lower);
      assertAsReference(higher);
      lower = Math.nextDown(lower);
      higher = Math.nextUp(higher);
    }
  }

  /** Compares with the reference, in every style and with both signs. */
  private static void assertAsReference(double value) {
    if (value == 0 || Double.isInfinite(value)) {
      return;
    }
    double positive = Math.abs(value);
    ShortestDecimal reference = ShortestDecimal.of(positive);
    for (DoubleStyle style : DoubleStyle.values()) {
      String expected = reference.text(style);
      assertText(positive, style, expected);
      assertText(-positive, style, "-" + expected);
    }
    if (JDK_IS_SHORTEST) {
      assertAsJdk(positive, reference);
    }
  }

  /**
   * The JDK always gives two digits; where one is enough, it may have found a closer decimal of
   * two.
   */
  private static void assertAsJdk(double positive, ShortestDecimal reference) {
    String jdk = Double.toString(positive).replace("E-", "e-").replace("E", "e+");
    DecimalText text = new DecimalText();
    text.read(jdk.getBytes(US_ASCII), 0, jdk.length());
    boolean same =
        text.digits == reference.digits().longValueExact() && text.exponent == reference.exponent();
    boolean oneDigitMore =
        reference.digits().bitLength() <= 4 && text.digits >= 10 && text.digits < 100;
    if (!same && !oneDigitMore) {
      throw new AssertionError("Expected the digits of " + jdk + ", found " + reference);
    }
  }

  private static void assertText(double value, DoubleStyle style, String expected) {
    byte[] target = new byte[OFFSET + DoubleText.MAX_BYTES + OFFSET];
    Arrays.fill(target, UNTOUCHED);
    int end = write(value, style, target, OFFSET);
    String before = "#".repeat(OFFSET);
    String after = "#".repeat(target.length - OFFSET - expected.length());
    String found = new String(target, US_ASCII);
    if (end != OFFSET + expected.length() || !found.equals(before + expected + after)) {
      throw new AssertionError(
          "Expected "
              + expected
              + ", found "
              + found
              + " up to "
              + end
              + " for the double with the bits 0x"
              + Long.toHexString(Double.doubleToRawLongBits(value))
              + ", style "
              + style
              + "; seed "
              + SEED);
    }
  }

  private static int write(double value, DoubleStyle style, byte[] target, int offset) {
    return switch (style) {
      case EXPOSITION -> DoubleText.write(value, target, offset);
      case CANONICAL -> DoubleText.writeCanonical(value, target, offset);
      case JSON -> DoubleText.writeJson(value, target, offset);
    };
  }
}

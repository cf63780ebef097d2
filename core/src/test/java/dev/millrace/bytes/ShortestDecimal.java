package dev.millrace.bytes;

import java.math.BigDecimal;
import java.math.BigInteger;

/**
 * The slow and obvious way to the decimal that stands for a double, straight from the definition
 * and in exact integers: try ever fewer digits for as long as one of the two decimals around the
 * double still reads back as it.
 *
 * @param digits positive, without trailing zeros
 * @param exponent of ten
 */
record ShortestDecimal(BigInteger digits, int exponent) {
  /** With so many digits every double has a decimal that reads back. */
  private static final int ENOUGH_DIGITS = 17;

  static ShortestDecimal of(double positive) {
    // The double is 4 * significand quarters of its unit in the last place.
    int q = Math.max(Math.getExponent(positive), Double.MIN_EXPONENT) - 52;
    long significand = (long) Math.scalb(positive, -q);
    boolean closerBelow = positive - Math.nextDown(positive) < Math.ulp(positive);
    BigInteger value = BigInteger.valueOf(4 * significand);
    BigInteger low = BigInteger.valueOf(4 * significand - (closerBelow ? 1 : 2));
    BigInteger high = BigInteger.valueOf(4 * significand + 2);
    boolean endsBelong = significand % 2 == 0;

    ShortestDecimal shortest = null;
    int firstExponent = exponentOfFirstDigit(positive);
    for (int digits = ENOUGH_DIGITS; digits >= 1; digits--) {
      int exponent = firstExponent - digits + 1;
      // decimal * 10^exponent compares with quarters * 2^(q-2) as decimal * left does with quarters
      // * right.
      BigInteger left = power(10, exponent).multiply(power(2, 2 - q));
      BigInteger right = power(10, -exponent).multiply(power(2, q - 2));
      BigInteger scaled = value.multiply(right);
      BigInteger below = scaled.divide(left);
      BigInteger above = below.add(BigInteger.ONE);
      boolean belowReads = isBelow(low.multiply(right), below.multiply(left), endsBelong);
      boolean aboveReads = isBelow(above.multiply(left), high.multiply(right), endsBelong);
      if (!belowReads && !aboveReads) {
        break;
      }
      int closer =
          scaled.subtract(below.multiply(left)).compareTo(above.multiply(left).subtract(scaled));
      boolean takeBelow =
          belowReads && (!aboveReads || closer < 0 || (closer == 0 && !below.testBit(0)));
      shortest = new ShortestDecimal(takeBelow ? below : above, exponent);
    }
    if (shortest == null) {
      throw new AssertionError(
          "No decimal of " + ENOUGH_DIGITS + " digits reads back as " + positive);
    }
    return shortest.withoutTrailingZeros();
  }

  /** The number, in the layout that the style prescribes. */
  String text(DoubleStyle style) {
    String all = digits.toString();
    int first = exponent + all.length() - 1;
    if (first >= style.minPlainExponent && first <= style.maxPlainExponent) {
      String plain = new BigDecimal(digits, -exponent).toPlainString();
      return plain.contains(".") || !style.pointInWholeNumbers ? plain : plain + ".0";
    }
    String padded = Integer.toString(Math.abs(first));
    while (padded.length() < style.minExponentDigits) {
      padded = "0" + padded;
    }
    return all.charAt(0)
        + (all.length() == 1 ? "" : "." + all.substring(1))
        + (first < 0 ? "e-" : "e+")
        + padded;
  }

  private static int exponentOfFirstDigit(double positive) {
    BigDecimal exact = new BigDecimal(positive);
    return exact.precision() - exact.scale() - 1;
  }

  /** 1 for a negative exponent: the other side of the comparison has the power then. */
  private static BigInteger power(int base, int exponent) {
    return BigInteger.valueOf(base).pow(Math.max(exponent, 0));
  }

  private static boolean isBelow(BigInteger a, BigInteger b, boolean orEqual) {
    int comparison = a.compareTo(b);
    return comparison < 0 || (orEqual && comparison == 0);
  }

  private ShortestDecimal withoutTrailingZeros() {
    BigDecimal stripped = new BigDecimal(digits, -exponent).stripTrailingZeros();
    return new ShortestDecimal(stripped.unscaledValue(), -stripped.scale());
  }
}

package dev.millrace.store;

/**
 * Which exponential bucket a value falls in: bucket {@code i} holds values over {@code base^i} up
 * to and including {@code base^(i+1)}, where {@code base} is {@code 2^(2^-scale)} (OpenTelemetry
 * metrics data model, "Exponential Histograms").
 */
final class ExponentialIndex {
  private static final int SIGNIFICAND_BITS = 52;
  private static final long SIGNIFICAND_MASK = (1L << SIGNIFICAND_BITS) - 1;
  private static final double LOG2_E = 1 / Math.log(2);

  private ExponentialIndex() {}

  /**
   * The bucket.
   *
   * @param value positive and finite
   * @param scale from -10 to 20
   */
  static int of(double value, int scale) {
    long bits = Double.doubleToRawLongBits(value);
    int exponent;
    long significand = bits & SIGNIFICAND_MASK;
    if (bits >>> SIGNIFICAND_BITS == 0) {
      int leading = Long.numberOfLeadingZeros(significand) - (Long.SIZE - SIGNIFICAND_BITS) + 1;
      exponent = Double.MIN_EXPONENT - leading;
      significand = (significand << leading) & SIGNIFICAND_MASK;
    } else {
      exponent = Math.getExponent(value);
    }
    if (significand == 0) {
      // A power of two is the upper bound of its bucket.
      return scale > 0 ? (exponent << scale) - 1 : (exponent - 1) >> -scale;
    }
    if (scale <= 0) {
      return exponent >> -scale;
    }
    // The logarithm of the significand alone keeps its precision at every exponent; rounding may
    // not carry a value into another power of two.
    double fraction =
        Math.log(Double.longBitsToDouble((1023L << SIGNIFICAND_BITS) | significand)) * LOG2_E;
    int within = (int) Math.ceil(Math.scalb(fraction, scale)) - 1;
    return (exponent << scale) + Math.max(0, Math.min(within, (1 << scale) - 1));
  }
}

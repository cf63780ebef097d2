package dev.millrace.format.translation;

/**
 * Where the buckets of exponential histograms begin and end (OpenTelemetry metrics data model,
 * "Exponential Buckets"): bucket {@code i} of scale {@code s} has the values above 2<sup>i /
 * 2<sup>s</sup></sup> up to 2<sup>(i + 1) / 2<sup>s</sup></sup>. Stateless.
 */
public final class ExponentialBounds {
  /** The finest scale whose buckets are told apart; OpenTelemetry SDKs use none above it. */
  public static final int MAX_SCALE = 20;

  /** How many bits of an exponent's fraction each table takes; 20 in all. */
  private static final int COARSE_BITS = 8;

  private static final int MEDIUM_BITS = 6;
  private static final int FINE_BITS = 6;

  /** 2 to the powers of 0/256, 1/256 ... 255/256; then the same between those, and once more. */
  private static final double[] COARSE = powers(COARSE_BITS, COARSE_BITS);

  private static final double[] MEDIUM = powers(MEDIUM_BITS, COARSE_BITS + MEDIUM_BITS);
  private static final double[] FINE = powers(FINE_BITS, MAX_SCALE);

  /** The least double is 2 to the power of -1074. */
  private static final int LEAST_EXPONENT = 1074;

  /** Every finite double is less than 2 to the power of 1024. */
  private static final int GREATEST_EXPONENT = 1024;

  /** By more than this no exponent has to be shifted: what is left of one is 0. */
  private static final int MAX_SHIFT = 40;

  private ExponentialBounds() {}

  /**
   * The lower bound of a bucket, which is the upper bound of the one before it.
   *
   * @param scale at most {@link #MAX_SCALE}
   * @return a double that differs from the bound by two units in the last place at most, the same
   *     one by whatever scale the bound was asked for; infinite where there is none so large
   */
  public static double lowerBound(int scale, long index) {
    if (scale <= 0) {
      int shift = (int) Math.min(-(long) scale, MAX_SHIFT);
      return Math.scalb(1.0, exponent((long) exponent(index) << shift));
    }
    int fraction = (int) (index & ((1L << scale) - 1)) << (MAX_SCALE - scale);
    double power =
        COARSE[fraction >> (MEDIUM_BITS + FINE_BITS)]
            * MEDIUM[(fraction >> FINE_BITS) & (MEDIUM.length - 1)]
            * FINE[fraction & (FINE.length - 1)];
    return Math.scalb(power, exponent(index >> scale));
  }

  /** The lowest bucket that a double can be in. */
  public static long leastIndex(int scale) {
    return -shifted(LEAST_EXPONENT, scale) - 1;
  }

  /** The bucket that infinity is in, after which there is nothing. */
  public static long greatestIndex(int scale) {
    return shifted(GREATEST_EXPONENT, scale);
  }

  private static long shifted(long exponent, int scale) {
    return scale >= 0
        ? exponent << Math.min(scale, MAX_SHIFT)
        : exponent >> Math.min(-(long) scale, MAX_SHIFT);
  }

  /** An exponent as scalb takes it: what is beyond the range of doubles stays beyond it. */
  private static int exponent(long exponent) {
    return (int) Math.max(Short.MIN_VALUE, Math.min(Short.MAX_VALUE, exponent));
  }

  /**
   * Powers of 2 to all fractions of so many bits, of which the last stands for 1 /
   * 2<sup>scale</sup>. They are the same on every machine, because bounds become labels, which must
   * not change.
   */
  private static double[] powers(int bits, int scale) {
    double[] powers = new double[1 << bits];
    for (int i = 0; i < powers.length; i++) {
      powers[i] = StrictMath.pow(2, Math.scalb((double) i, -scale));
    }
    return powers;
  }
}

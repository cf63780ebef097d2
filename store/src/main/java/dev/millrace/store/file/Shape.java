package dev.millrace.store.file;

/**
 * Which buckets the cells of an exponential histogram are.
 *
 * @param scale the scale, from {@link #MIN_SCALE} to {@link #MAX_SCALE}
 * @param positiveOffset index of the first positive bucket
 * @param positiveBuckets how many, 0 or more
 * @param negativeOffset index of the first negative bucket
 * @param negativeBuckets how many, 0 or more
 */
public record Shape(
    int scale, int positiveOffset, int positiveBuckets, int negativeOffset, int negativeBuckets) {
  /** For every other kind, and for an exponential histogram that has only its zero bucket. */
  public static final Shape NONE = new Shape(0, 0, 0, 0, 0);

  /** The scale at which all doubles share two buckets: the OpenTelemetry SDKs' least scale. */
  public static final int MIN_SCALE = -10;

  /** The OpenTelemetry specification's greatest scale. */
  public static final int MAX_SCALE = 20;

  /** More buckets than any reader wants; bounds what a reader believes. */
  public static final int MAX_BUCKETS = 8192;

  /** Whether the numbers are within their ranges. */
  boolean isValid() {
    return scale >= MIN_SCALE
        && scale <= MAX_SCALE
        && positiveBuckets >= 0
        && positiveBuckets <= MAX_BUCKETS
        && negativeBuckets >= 0
        && negativeBuckets <= MAX_BUCKETS
        && isValidOffset(positiveOffset)
        && isValidOffset(negativeOffset);
  }

  private static boolean isValidOffset(int offset) {
    // At the greatest scale a double's exponent of 11 bits gives indexes of 31 bits.
    return offset >= -(1 << 30) - (1 << 27) && offset <= (1 << 30) + (1 << 27);
  }
}

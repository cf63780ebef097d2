package dev.millrace.agent.series;

import dev.millrace.model.MetricKind;

/**
 * The rules of the metrics data model that each point has to keep (OpenTelemetry specification,
 * "Metric Points", and the comments in OTLP's {@code metrics.proto}).
 */
final class PointRules {
  /** Powers of two beyond which a double has no value: the greatest, and the least subnormal. */
  private static final long GREATEST_EXPONENT = 1023;

  private static final long LEAST_EXPONENT = -1075;

  private PointRules() {}

  /**
   * Checks a point, and brings it into its plainest form.
   *
   * @param delta whether the point is an increment
   * @return {@link Outcome#RECORDED} where nothing is wrong
   */
  static Outcome check(
      MetricKind kind, boolean monotonic, boolean delta, PointValues point, int maxBuckets) {
    if (point.timeUnixNanos == 0) {
      return Outcome.NO_TIME;
    }
    if (point.noRecordedValue) {
      return Outcome.RECORDED;
    }
    if (delta && Long.compareUnsigned(point.startTimeUnixNanos, point.timeUnixNanos) > 0) {
      return Outcome.START_AFTER_TIME;
    }
    return switch (kind) {
      case GAUGE, SUM -> checkNumber(point, delta && monotonic);
      case HISTOGRAM -> checkHistogram(point, maxBuckets);
      case EXPONENTIAL_HISTOGRAM -> checkExponential(point, maxBuckets);
      case SUMMARY -> checkSummary(point, maxBuckets);
    };
  }

  private static Outcome checkNumber(PointValues point, boolean mustNotFall) {
    if (!point.hasValue) {
      return Outcome.NO_VALUE;
    }
    boolean negative = point.isLong ? point.longValue < 0 : point.doubleValue < 0;
    return mustNotFall && negative ? Outcome.NEGATIVE_DELTA : Outcome.RECORDED;
  }

  private static Outcome checkHistogram(PointValues point, int maxBuckets) {
    if (point.bucketCount > maxBuckets || point.boundCount > maxBuckets) {
      return Outcome.TOO_MANY_BUCKETS;
    }
    if (point.bucketCount == 0
        ? point.boundCount != 0
        : point.bucketCount != point.boundCount + 1) {
      return Outcome.BUCKETS_DO_NOT_FIT_BOUNDS;
    }
    double[] bounds = point.bounds;
    for (int i = 0; i < point.boundCount; i++) {
      if (Double.isNaN(bounds[i]) || (i > 0 && bounds[i - 1] >= bounds[i])) {
        return Outcome.BOUNDS_NOT_RISING;
      }
    }
    int last = point.boundCount - 1;
    if (last >= 0 && bounds[last] == Double.POSITIVE_INFINITY) {
      // Nothing lies above infinity: the last two buckets are the usual last one.
      point.boundCount = last;
      point.bucketCount = last + 1;
      point.buckets[last] += point.buckets[last + 1];
    }
    return Outcome.RECORDED;
  }

  private static Outcome checkExponential(PointValues point, int maxBuckets) {
    BucketRange positive = point.positive;
    BucketRange negative = point.negative;
    if (positive.size() > maxBuckets || negative.size() > maxBuckets) {
      return Outcome.TOO_MANY_BUCKETS;
    }
    if (positive.lastIndex() > Integer.MAX_VALUE || negative.lastIndex() > Integer.MAX_VALUE) {
      return Outcome.BUCKETS_OUT_OF_RANGE;
    }
    positive.trim();
    negative.trim();
    return inRange(positive, point.scale) && inRange(negative, point.scale)
        ? Outcome.RECORDED
        : Outcome.BUCKETS_OUT_OF_RANGE;
  }

  private static boolean inRange(BucketRange buckets, int scale) {
    return buckets.size() == 0
        || (exponent(buckets.lastIndex(), scale) <= GREATEST_EXPONENT
            && exponent((long) buckets.offset() + 1, scale) >= LEAST_EXPONENT);
  }

  /** The power of two at or below the lower bound of a bucket, as far as it matters. */
  private static long exponent(long index, int scale) {
    return scale >= 0
        ? BucketRange.indexAt(index, scale)
        : index << Math.min(-(long) scale, Integer.SIZE - 1);
  }

  private static Outcome checkSummary(PointValues point, int maxBuckets) {
    if (point.quantileCount > maxBuckets) {
      return Outcome.TOO_MANY_BUCKETS;
    }
    for (int i = 0; i < point.quantileCount; i++) {
      double quantile = point.quantiles[i];
      if (!(quantile >= 0 && quantile <= 1) || (i > 0 && point.quantiles[i - 1] >= quantile)) {
        return Outcome.BAD_QUANTILES;
      }
    }
    return Outcome.RECORDED;
  }
}

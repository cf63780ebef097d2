package dev.millrace.agent.series;

import dev.millrace.model.ExplicitBounds;
import dev.millrace.model.MetricKind;
import java.util.Arrays;

/**
 * The values of one point on their way into or out of a {@link SeriesTable}: a mutable record that
 * is filled again and again, so that no point is an object. What each field means is said by the
 * field of that name in the OTLP data points. Not thread-safe.
 */
public final class PointValues {
  /**
   * An exponential histogram keeps 8 exemplars, spread by the powers of two of their values: of
   * values that lie within a factor of 256 each power has its own.
   */
  private static final int EXPONENTIAL_EXEMPLARS = 8;

  private static final double[] NO_BOUNDS = new double[0];

  /** The most buckets and quantiles that are kept; one more only says that there were more. */
  private final int limit;

  /** In nanoseconds since the Unix epoch; 0 where it is not known. */
  public long startTimeUnixNanos;

  /** In nanoseconds since the Unix epoch; 0 where it is not known. */
  public long timeUnixNanos;

  /** Whether the series has ended; then only times count. */
  public boolean noRecordedValue;

  /** Gauges and sums: whether there is a value. */
  public boolean hasValue;

  /** Gauges and sums: whether the value is {@link #longValue}; else it is {@link #doubleValue}. */
  public boolean isLong;

  /** Gauges and sums: the value as a whole number. */
  public long longValue;

  /** Gauges and sums: the value as a floating-point number. */
  public double doubleValue;

  /** Histograms and summaries: how many values were observed; unsigned. */
  public long count;

  /** Histograms: whether there is a sum. */
  public boolean hasSum;

  /** Histograms and summaries: the sum of the observed values. */
  public double sum;

  /** Histograms: whether there is a least value. */
  public boolean hasMin;

  /** Histograms: the least observed value. */
  public double min;

  /** Histograms: whether there is a greatest value. */
  public boolean hasMax;

  /** Histograms: the greatest observed value. */
  public double max;

  /** Explicit histograms: the bounds, in the first {@link #boundCount} elements. */
  double[] bounds = new double[32];

  int boundCount;

  /** Explicit histograms, on the way out: the bounds, in an array that nobody may change. */
  double[] sharedBounds = NO_BOUNDS;

  /** Explicit histograms: the buckets, in the first {@link #bucketCount} elements. */
  long[] buckets = new long[32];

  int bucketCount;

  /** Exponential histograms: the scale. */
  public int scale;

  /** Exponential histograms: the count of the zero bucket; unsigned. */
  public long zeroCount;

  /** Exponential histograms: the width of the zero bucket. */
  public double zeroThreshold;

  /** Exponential histograms: the buckets of values above zero. */
  public final BucketRange positive = new BucketRange();

  /** Exponential histograms: the buckets of values below zero. */
  public final BucketRange negative = new BucketRange();

  /** Gauges, sums and histograms: at most one exemplar for each {@link #exemplarSlot}. */
  public final ExemplarSet exemplars = new ExemplarSet();

  /** How many exemplars were left out because they are not valid. */
  public int malformedExemplars;

  /** How many exemplars lack their attributes, because these are too large or not UTF-8. */
  public int exemplarsWithoutAttributes;

  /** How many exemplars, or attributes of one, the table had no room for. */
  int exemplarsWithoutRoom;

  double[] quantiles = new double[8];
  double[] quantileValues = new double[8];
  int quantileCount;

  /**
   * An empty point.
   *
   * @param maxBuckets the table's {@link SeriesTableOptions#maxBuckets}
   */
  public PointValues(int maxBuckets) {
    limit = maxBuckets + 1;
  }

  /** Makes the point empty; nothing of the last one survives. */
  public void clear() {
    startTimeUnixNanos = 0;
    timeUnixNanos = 0;
    noRecordedValue = false;
    hasValue = false;
    isLong = false;
    longValue = 0;
    doubleValue = 0;
    count = 0;
    hasSum = false;
    sum = 0;
    hasMin = false;
    min = 0;
    hasMax = false;
    max = 0;
    boundCount = 0;
    bucketCount = 0;
    scale = 0;
    zeroCount = 0;
    zeroThreshold = 0;
    positive.clear();
    negative.clear();
    quantileCount = 0;
    exemplars.clear();
    malformedExemplars = 0;
    exemplarsWithoutAttributes = 0;
    exemplarsWithoutRoom = 0;
  }

  /**
   * Which slot of {@link #exemplars} a value has: in an explicit histogram its bucket, whose bounds
   * must be here already; otherwise one of a few.
   *
   * @return the slot, or -1 for what is not a number and so lies in no bucket
   */
  public int exemplarSlot(MetricKind kind, double value) {
    return switch (kind) {
      case GAUGE, SUM, SUMMARY -> 0;
      case HISTOGRAM ->
          Double.isNaN(value) ? -1 : ExplicitBounds.bucketOf(value, bounds, boundCount);
      case EXPONENTIAL_HISTOGRAM ->
          Double.isNaN(value) ? -1 : Math.floorMod(Math.getExponent(value), EXPONENTIAL_EXEMPLARS);
    };
  }

  /** Sets the value of a gauge or a sum. */
  public void setLong(long value) {
    hasValue = true;
    isLong = true;
    longValue = value;
  }

  /** Sets the value of a gauge or a sum. */
  public void setDouble(double value) {
    hasValue = true;
    isLong = false;
    doubleValue = value;
  }

  /** Appends a bound of an explicit histogram. */
  public void addBound(double bound) {
    if (boundCount < limit) {
      if (boundCount == bounds.length) {
        bounds = Arrays.copyOf(bounds, Math.min(limit, 2 * boundCount));
      }
      bounds[boundCount++] = bound;
    }
  }

  /** Appends a bucket of an explicit histogram. */
  public void addBucket(long count) {
    if (bucketCount < limit) {
      if (bucketCount == buckets.length) {
        buckets = Arrays.copyOf(buckets, Math.min(limit, 2 * bucketCount));
      }
      buckets[bucketCount++] = count;
    }
  }

  /** Appends a bucket above zero of an exponential histogram. */
  public void addPositive(long count) {
    positive.append(count, limit);
  }

  /** Appends a bucket below zero of an exponential histogram. */
  public void addNegative(long count) {
    negative.append(count, limit);
  }

  /** Appends a quantile of a summary. */
  public void addQuantile(double quantile, double value) {
    if (quantileCount < limit) {
      if (quantileCount == quantiles.length) {
        int length = Math.min(limit, 2 * quantileCount);
        quantiles = Arrays.copyOf(quantiles, length);
        quantileValues = Arrays.copyOf(quantileValues, length);
      }
      quantiles[quantileCount] = quantile;
      quantileValues[quantileCount++] = value;
    }
  }
}

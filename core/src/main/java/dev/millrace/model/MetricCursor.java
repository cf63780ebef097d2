package dev.millrace.model;

/**
 * A view over the metrics of one {@link MetricSource}, and over the points of one metric at a time:
 * primitives, no boxing, and no object for each point.
 *
 * <p>The reader pulls: it goes to a metric by its index, in any order and as often as it likes, and
 * from there forward over the metric's points, which it can walk again with {@link #rewindPoints}.
 * A value accessor is valid while the cursor stands on a point, and only if the metric's {@link
 * MetricDescriptor#kind} has that value; elsewhere what it gives is undefined. The values of one
 * point belong together: they were read at one moment.
 *
 * <p>One thread at a time. The thread that opened it closes it.
 */
public interface MetricCursor extends AutoCloseable {
  /**
   * The source that the cursor reads: the same object for all of its cursors. What a reader keeps
   * between collections it keeps for one source.
   */
  MetricSource source();

  /**
   * Changes whenever the list of metrics, their descriptors, resources or scopes change; the same
   * number means that what a reader planned for this source still holds, index by index. Series may
   * come and go without it.
   */
  long membershipVersion();

  /**
   * Whether points and their values stay what they are until the cursor is closed, however often
   * they are walked. Otherwise a later walk over a metric may find newer values, and points that
   * have come or gone.
   */
  default boolean isStable() {
    return false;
  }

  /** How many metrics there are. */
  int metricCount();

  /**
   * Goes to a metric, before its first point.
   *
   * @param index from 0 to {@link #metricCount()} - 1
   */
  void seekMetric(int index);

  /** The metric's descriptor: the same object for as long as the metric lives. */
  MetricDescriptor metric();

  /** The metric's resource: the same object for as long as the source does not hear of a change. */
  Resource resource();

  /** The metric's scope: the same object for as long as the metric lives. */
  Scope scope();

  /** Goes before the first point of the metric again. */
  void rewindPoints();

  /** Goes to the next point; {@code false} when there is none. */
  boolean nextPoint();

  /** The point's series: the same object for as long as the series lives. */
  Series series();

  /** Where the bytes of encoded labels that the series of this source keep are accounted for. */
  EncodedLabelsBudget encodedLabelsBudget();

  /**
   * Start of what the point covers, in nanoseconds since the Unix epoch; 0 where it is not known.
   */
  long startTimeUnixNanos();

  /** Time of the point, in nanoseconds since the Unix epoch; 0 where it is not known. */
  long timeUnixNanos();

  /**
   * Whether the point is flagged as "no recorded value": the series has ended, and its values mean
   * nothing.
   */
  boolean noRecordedValue();

  /**
   * Gauges and sums: whether the value is a {@link #longValue}; else it is a {@link #doubleValue}.
   */
  boolean isLong();

  /** Gauges and sums: the value as a whole number. */
  long longValue();

  /** Gauges and sums: the value as a floating-point number. */
  double doubleValue();

  /** Histograms and summaries: how many values were observed; unsigned. */
  long count();

  /** Histograms: whether {@link #sum} is known. Summaries always have one. */
  boolean hasSum();

  /** Histograms and summaries: the sum of the observed values. */
  double sum();

  /** Histograms: whether {@link #min} and {@link #max} are known. */
  boolean hasMinMax();

  /** Histograms: the least observed value. */
  double min();

  /** Histograms: the greatest observed value. */
  double max();

  /**
   * Explicit histograms: the upper bounds of all buckets but the last, rising. Owned by the source:
   * do not change it. The source gives the same array again for points with the same bounds where
   * it can, so identity is a good cache key.
   */
  double[] explicitBounds();

  /**
   * Explicit histograms: the number of buckets: one more than bounds, or 0 where the point has
   * none.
   */
  int bucketCount();

  /** Explicit histograms: the count of one bucket, not cumulative; unsigned. */
  long bucket(int index);

  /** Exponential histograms: the scale. */
  int scale();

  /** Exponential histograms: how many values are in the zero bucket; unsigned. */
  long zeroCount();

  /** Exponential histograms: the width of the zero bucket; 0 where it is not known. */
  double zeroThreshold();

  /** Exponential histograms: the index of the first positive bucket. */
  int positiveOffset();

  /** Exponential histograms: how many positive buckets there are. */
  int positiveBucketCount();

  /** Exponential histograms: the count of one positive bucket; unsigned. */
  long positiveBucket(int index);

  /** Exponential histograms: the index of the first negative bucket. */
  int negativeOffset();

  /** Exponential histograms: how many negative buckets there are. */
  int negativeBucketCount();

  /** Exponential histograms: the count of one negative bucket; unsigned. */
  long negativeBucket(int index);

  /** Summaries: how many quantiles there are. */
  int quantileCount();

  /** Summaries: which quantile, from 0 to 1. */
  double quantile(int index);

  /** Summaries: the value at a quantile. */
  double quantileValue(int index);

  /**
   * Gauges, sums and histograms of both kinds: how many exemplars the point has, 0 or more. A
   * source that has none at all leaves this and the methods after it as they are.
   *
   * <p>They are in no order, there may be more than one for a bucket, and none of what they hold
   * has been checked against the point: a value may be any, {@code NaN} too, and a time may lie
   * outside of what the point covers (OpenTelemetry specification, metrics data model,
   * "Exemplars"). Reading one allocates nothing, but for {@link #exemplarLabels}.
   */
  default int exemplarCount() {
    return 0;
  }

  /**
   * Whether an exemplar's value is an {@link #exemplarLongValue}; else it is an {@link
   * #exemplarDoubleValue}. The exemplars of one point may differ in this.
   *
   * @param index from 0 to {@link #exemplarCount()} - 1
   */
  default boolean exemplarIsLong(int index) {
    throw new IndexOutOfBoundsException(index);
  }

  /**
   * The value of an exemplar as a whole number.
   *
   * @param index from 0 to {@link #exemplarCount()} - 1
   */
  default long exemplarLongValue(int index) {
    throw new IndexOutOfBoundsException(index);
  }

  /**
   * The value of an exemplar as a floating-point number.
   *
   * @param index from 0 to {@link #exemplarCount()} - 1
   */
  default double exemplarDoubleValue(int index) {
    throw new IndexOutOfBoundsException(index);
  }

  /**
   * When an exemplar was recorded, in nanoseconds since the Unix epoch; 0 where it is not known.
   *
   * @param index from 0 to {@link #exemplarCount()} - 1
   */
  default long exemplarTimeUnixNanos(int index) {
    throw new IndexOutOfBoundsException(index);
  }

  /**
   * The first eight bytes of an exemplar's trace id, the first of them in the highest bits. An id
   * of which both halves are 0 is none.
   *
   * @param index from 0 to {@link #exemplarCount()} - 1
   */
  default long exemplarTraceIdHigh(int index) {
    throw new IndexOutOfBoundsException(index);
  }

  /**
   * The last eight bytes of an exemplar's trace id, the first of them in the highest bits.
   *
   * @param index from 0 to {@link #exemplarCount()} - 1
   */
  default long exemplarTraceIdLow(int index) {
    throw new IndexOutOfBoundsException(index);
  }

  /**
   * An exemplar's span id, its first byte in the highest bits; 0 where it has none.
   *
   * @param index from 0 to {@link #exemplarCount()} - 1
   */
  default long exemplarSpanId(int index) {
    throw new IndexOutOfBoundsException(index);
  }

  /**
   * The attributes of an exemplar's measurement that its series does not have; {@link Labels#EMPTY}
   * where there are none. A source may make them when asked, so ask only for those that are needed.
   *
   * @param index from 0 to {@link #exemplarCount()} - 1
   */
  default Labels exemplarLabels(int index) {
    throw new IndexOutOfBoundsException(index);
  }

  /** Frees the collection. */
  @Override
  void close();
}

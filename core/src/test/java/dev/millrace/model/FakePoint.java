package dev.millrace.model;

import java.util.List;

/**
 * One point of a {@link FakeMetric}.
 *
 * @param series the point's series
 * @param startTimeUnixNanos 0 where it is not known
 * @param timeUnixNanos 0 where it is not known
 * @param noRecordedValue whether the point is flagged so
 * @param value what was measured
 * @param exemplars in the order in which a cursor gives them
 */
public record FakePoint(
    Series series,
    long startTimeUnixNanos,
    long timeUnixNanos,
    boolean noRecordedValue,
    Value value,
    List<Exemplar> exemplars) {

  /**
   * An exemplar.
   *
   * @param value {@link Whole} or {@link Real}
   */
  public record Exemplar(
      Value value,
      long timeUnixNanos,
      long traceIdHigh,
      long traceIdLow,
      long spanId,
      Labels labels) {}

  /** What a point can hold. Compared by nobody, so arrays in its records do no harm. */
  public sealed interface Value {}

  /** A whole number. */
  public record Whole(long value) implements Value {}

  /** A floating-point number. */
  public record Real(double value) implements Value {}

  /** A histogram with explicit bounds; {@code NaN} as {@code min} says that there is none. */
  @SuppressWarnings("ArrayRecordComponent")
  public record Histogram(
      long count, boolean hasSum, double sum, double min, double[] bounds, long[] buckets)
      implements Value {}

  /** An exponential histogram. */
  @SuppressWarnings("ArrayRecordComponent")
  public record Exponential(
      long count,
      boolean hasSum,
      double sum,
      int scale,
      long zeroCount,
      double zeroThreshold,
      int offset,
      long[] buckets,
      int negativeOffset,
      long[] negativeBuckets)
      implements Value {

    /** One with positive buckets only. */
    public Exponential(long count, double sum, int scale, int offset, long[] buckets) {
      this(count, true, sum, scale, 0, 0, offset, buckets, 0, new long[0]);
    }
  }

  /** A summary. */
  @SuppressWarnings("ArrayRecordComponent")
  public record Summary(long count, double sum, double[] quantiles, double[] values)
      implements Value {}

  /** A whole number without times. */
  public static FakePoint of(Labels labels, long value) {
    return of(labels, new Whole(value));
  }

  /** A floating-point number without times. */
  public static FakePoint of(Labels labels, double value) {
    return of(labels, new Real(value));
  }

  /** A value without times, in a series of its own. */
  public static FakePoint of(Labels labels, Value value) {
    return new FakePoint(new Series(labels), 0, 0, false, value, List.of());
  }

  /** A histogram with a sum, whose count is that of all buckets. */
  public static FakePoint histogram(Labels labels, double sum, double[] bounds, long... buckets) {
    long count = 0;
    for (long bucket : buckets) {
      count += bucket;
    }
    return of(labels, new Histogram(count, true, sum, Double.NaN, bounds, buckets));
  }

  /** The same point with a start time. */
  public FakePoint startedAt(long startTimeUnixNanos) {
    return new FakePoint(
        series, startTimeUnixNanos, timeUnixNanos, noRecordedValue, value, exemplars);
  }

  /** The same series with another value. */
  public FakePoint withValue(Value other) {
    return new FakePoint(
        series, startTimeUnixNanos, timeUnixNanos, noRecordedValue, other, exemplars);
  }

  /** The same point flagged as without a recorded value. */
  public FakePoint withoutRecordedValue() {
    return new FakePoint(series, startTimeUnixNanos, timeUnixNanos, true, value, exemplars);
  }

  /** The same point with other exemplars. */
  public FakePoint withExemplars(Exemplar... others) {
    return new FakePoint(
        series, startTimeUnixNanos, timeUnixNanos, noRecordedValue, value, List.of(others));
  }

  /** The same point with a time. */
  public FakePoint recordedAt(long timeUnixNanos) {
    return new FakePoint(
        series, startTimeUnixNanos, timeUnixNanos, noRecordedValue, value, exemplars);
  }

  /**
   * The least value of a point; {@code NaN} where it has none. Exponential histograms have one
   * where they have a sum that is a number.
   */
  public static double minOf(Value value) {
    if (value instanceof Exponential exponential) {
      return exponential.hasSum() ? exponential.sum() - 1 : Double.NaN;
    }
    return value instanceof Histogram histogram ? histogram.min() : Double.NaN;
  }

  /** The greatest value of a point that has a least one. */
  public static double maxOf(Value value) {
    return minOf(value) + 2.5;
  }
}

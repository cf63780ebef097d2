package dev.millrace.agent.series;

/** What became of one point that was given to a {@link SeriesTable}, or of its exemplars. */
public enum Outcome {
  /** It is in the table, or it says nothing new. */
  RECORDED(false, ""),

  /** A cumulative point or a gauge that is older than what is held; nothing is lost. */
  OLDER_POINT(false, "expected points in the order of their time; found one older than the last"),

  /**
   * Not an outcome but a delay: the last point of the series has to be read first. No caller of
   * {@link Recorder#record} is given it.
   */
  UNREAD(false, ""),

  /** A point of a millisecond that the series has one of already; one of the two is shown. */
  SAME_MILLISECOND(
      false,
      "expected the points of a series to be a millisecond apart, which is as close as Prometheus"
          + " tells them apart; one of two is left out"),

  /** It is in the table, in place of an accumulation whose buckets had other bounds. */
  BOUNDS_CHANGED(
      false, "expected the bounds of a delta histogram to stay; they changed, and it starts anew"),

  /** It is in the table, in place of what came with the other temporality. */
  TEMPORALITY_CHANGED(
      false, "expected a series to keep its temporality; it changed, and the series starts anew"),

  /** An exemplar that is not valid; the point is in the table without it. */
  MALFORMED_EXEMPLAR(
      false,
      "expected exemplars with a value that lies in a bucket, a trace id of 16 bytes and a span id"
          + " of 8, or none; the exemplar is left out"),

  /** The attributes of an exemplar; the exemplar is in the table without them. */
  EXEMPLAR_ATTRIBUTES(
      false,
      "expected the filtered attributes of an exemplar to be valid UTF-8 and at most 1 KiB; they are"
          + " left out"),

  /** Exemplars, or attributes of one, when those of all series take as much memory as they may. */
  TOO_MANY_EXEMPLARS(
      false, "exemplars take as much memory as they may; let fewer measurements have one"),

  /** A delta point that covers time which is covered already. */
  OVERLAPPING_DELTA(
      true,
      "delta points overlap or are out of order, and were not added; expected one writer for each"
          + " series: give each process its own service.instance.id"),

  /** A delta point that begins after its end. */
  START_AFTER_TIME(true, "expected delta points to begin before they end"),

  /** A delta point that would make a monotonic sum fall. */
  NEGATIVE_DELTA(true, "expected delta points of a monotonic sum to be 0 or more"),

  /** A point without a time. */
  NO_TIME(true, "expected time_unix_nano to be set, found 0"),

  /** A point of a gauge or a sum without a value. */
  NO_VALUE(true, "expected as_double or as_int, found no value"),

  /** A metric without a name. */
  NO_NAME(true, "expected metrics to have a name, found an empty one"),

  /** A sum or a histogram that does not say whether it is delta or cumulative. */
  NO_TEMPORALITY(true, "expected aggregation_temporality 1 (delta) or 2 (cumulative)"),

  /** A delta point, where delta points are refused. */
  DELTA_REFUSED(
      true,
      "expected cumulative points; send them so, or let the exporter accumulate (delta: accumulate)"),

  /** An explicit histogram whose buckets do not fit its bounds. */
  BUCKETS_DO_NOT_FIT_BOUNDS(true, "expected one more of bucket_counts than of explicit_bounds"),

  /** An explicit histogram whose bounds are not in order, or not numbers. */
  BOUNDS_NOT_RISING(true, "expected explicit_bounds to rise, each a number"),

  /** More buckets or quantiles than the table keeps. */
  TOO_MANY_BUCKETS(true, "expected fewer buckets; use fewer bounds or a lower maximum size"),

  /** An exponential histogram with values beyond what a double can hold. */
  BUCKETS_OUT_OF_RANGE(true, "expected buckets of values that a double can hold"),

  /** A summary whose quantiles are not in order, or not from 0 to 1. */
  BAD_QUANTILES(true, "expected quantiles from 0 to 1 that rise"),

  /** Text that is not UTF-8. */
  INVALID_UTF8(true, "expected names, attribute keys and text to be valid UTF-8"),

  /** Attributes that are larger than the table keeps. */
  LABELS_TOO_LARGE(true, "expected fewer or shorter attributes"),

  /** A name, a unit or a description that is longer than the table keeps. */
  TEXT_TOO_LONG(true, "expected shorter names, units and descriptions"),

  /** A point whose encoding is larger than is read. */
  POINT_TOO_LARGE(true, "expected points of at most 1 MiB"),

  /** A new series, when the table has as many as it may. */
  TOO_MANY_SERIES(
      true, "the agent holds as many series as max_series allows; send fewer series or raise it");

  private final boolean rejected;
  private final String explanation;

  Outcome(boolean rejected, String explanation) {
    this.rejected = rejected;
    this.explanation = explanation;
  }

  /** Whether the point's data is not in the table. */
  public boolean rejected() {
    return rejected;
  }

  /** What was expected, what was found and what to do; empty for {@link #RECORDED}. */
  public String explanation() {
    return explanation;
  }
}

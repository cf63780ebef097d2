package dev.millrace.agent.series;

import dev.millrace.model.Labels;
import java.util.function.Consumer;

/**
 * The bounds of a {@link SeriesTable}. Immutable.
 *
 * @param maxSeries how many series are kept at most, from 1 to 100,000,000; the agent's own do not
 *     count
 * @param maxLabelBytes bytes that keys and values of one series may have in all, from 1 to {@link
 *     dev.millrace.model.Labels#MAX_BYTES}
 * @param maxBuckets buckets of a histogram, on each side of zero for exponential ones, and
 *     quantiles of a summary, from 1 to 65,536
 * @param expirationNanos how long a series stays that nothing is heard of, by the table's clock,
 *     from one millisecond to seven days
 * @param encodedLabelsBytes how much memory the encoded labels of all series may take, 0 or more
 * @param exemplarBytes how much memory the exemplars of all series may take, 0 or more
 * @param points what the table makes of points
 */
public record SeriesTableOptions(
    int maxSeries,
    int maxLabelBytes,
    int maxBuckets,
    long expirationNanos,
    long encodedLabelsBytes,
    long exemplarBytes,
    PointPolicy points) {
  /** A million series: about 300 MB of heap, at five labels a series. */
  public static final int DEFAULT_MAX_SERIES = 1_000_000;

  /**
   * 16 KiB: sixteen times what a large set of labels has (twenty labels of fifty bytes), and small
   * enough that even a table full of such series does not multiply its memory by more than that.
   */
  public static final int DEFAULT_MAX_LABEL_BYTES = 16 * 1024;

  /**
   * 2,048: the OpenTelemetry SDKs send 16 explicit and 160 exponential buckets unless told
   * otherwise, and histograms that came from Prometheus, where zeros fill the gaps, some hundreds.
   */
  public static final int DEFAULT_MAX_BUCKETS = 2_048;

  /** Five minutes, as the OpenTelemetry Collector's Prometheus exporter and Prometheus have it. */
  public static final long DEFAULT_EXPIRATION_NANOS = 300_000_000_000L;

  /** 256 MiB: a million series of 200 bytes in one format. */
  public static final long DEFAULT_ENCODED_LABELS_BYTES = 256L * 1024 * 1024;

  /** 128 MiB: one exemplar for each of a million series, the most that is kept by default. */
  public static final long DEFAULT_EXEMPLAR_BYTES = 128L * 1024 * 1024;

  /** The defaults. */
  public static final SeriesTableOptions DEFAULTS =
      new SeriesTableOptions(
          DEFAULT_MAX_SERIES,
          DEFAULT_MAX_LABEL_BYTES,
          DEFAULT_MAX_BUCKETS,
          DEFAULT_EXPIRATION_NANOS,
          DEFAULT_ENCODED_LABELS_BYTES,
          DEFAULT_EXEMPLAR_BYTES,
          PointPolicy.LATEST);

  private static final long MIN_EXPIRATION_NANOS = 1_000_000L;
  private static final long MAX_EXPIRATION_NANOS = 7L * 24 * 3_600 * 1_000_000_000L;

  /**
   * Checks the bounds.
   *
   * @throws IllegalArgumentException if one is out of its range
   */
  public SeriesTableOptions {
    check("maxSeries", maxSeries, 1, 100_000_000);
    check("maxLabelBytes", maxLabelBytes, 1, Labels.MAX_BYTES);
    check("maxBuckets", maxBuckets, 1, 65_536);
    check("expirationNanos", expirationNanos, MIN_EXPIRATION_NANOS, MAX_EXPIRATION_NANOS);
    check("encodedLabelsBytes", encodedLabelsBytes, 0, Long.MAX_VALUE);
    check("exemplarBytes", exemplarBytes, 0, Long.MAX_VALUE);
  }

  /** The same with another bound on series. */
  public SeriesTableOptions withMaxSeries(int maxSeries) {
    return with(draft -> draft.maxSeries = maxSeries);
  }

  /** The same with another bound on the labels of a series. */
  public SeriesTableOptions withMaxLabelBytes(int maxLabelBytes) {
    return with(draft -> draft.maxLabelBytes = maxLabelBytes);
  }

  /** The same with another bound on buckets. */
  public SeriesTableOptions withMaxBuckets(int maxBuckets) {
    return with(draft -> draft.maxBuckets = maxBuckets);
  }

  /** The same with another time until a series leaves. */
  public SeriesTableOptions withExpirationNanos(long expirationNanos) {
    return with(draft -> draft.expirationNanos = expirationNanos);
  }

  /** The same with another bound on the memory of encoded labels. */
  public SeriesTableOptions withEncodedLabelsBytes(long encodedLabelsBytes) {
    return with(draft -> draft.encodedLabelsBytes = encodedLabelsBytes);
  }

  /** The same with another bound on the memory of exemplars. */
  public SeriesTableOptions withExemplarBytes(long exemplarBytes) {
    return with(draft -> draft.exemplarBytes = exemplarBytes);
  }

  /** The same with another policy for points. */
  public SeriesTableOptions withPoints(PointPolicy points) {
    return with(draft -> draft.points = points);
  }

  /** These options while one of them changes. */
  private static final class Draft {
    int maxSeries;
    int maxLabelBytes;
    int maxBuckets;
    long expirationNanos;
    long encodedLabelsBytes;
    long exemplarBytes;
    PointPolicy points;

    Draft(SeriesTableOptions from) {
      maxSeries = from.maxSeries;
      maxLabelBytes = from.maxLabelBytes;
      maxBuckets = from.maxBuckets;
      expirationNanos = from.expirationNanos;
      encodedLabelsBytes = from.encodedLabelsBytes;
      exemplarBytes = from.exemplarBytes;
      points = from.points;
    }

    SeriesTableOptions finished() {
      return new SeriesTableOptions(
          maxSeries,
          maxLabelBytes,
          maxBuckets,
          expirationNanos,
          encodedLabelsBytes,
          exemplarBytes,
          points);
    }
  }

  private SeriesTableOptions with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.finished();
  }

  private static void check(String name, long value, long least, long most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          name + ": expected " + least + " to " + most + ", found " + value);
    }
  }
}

package dev.millrace.format.remotewrite;

import dev.millrace.model.Series;
import org.jspecify.annotations.Nullable;

/**
 * What an encoder knows of one series of a metric: its labels as they are written, and what was
 * last written of it. Belongs to one encoder.
 */
final class LiveSeries {
  /** There was no sample yet. */
  static final long NEVER = Long.MIN_VALUE;

  private static final double[] NOTHING = {};

  /** The source's, by whose identity the series is found. */
  final Series series;

  /** The metric that it belongs to. */
  MetricSeries metric;

  /** Where its requests go. */
  int shard;

  /** Together they tell its labels from those of all other series. */
  long hash1;

  long hash2;

  /** In which call it was seen last. */
  int generation;

  /** Whether another series has the same labels and is written instead. */
  boolean secondary;

  /** In which call its source said last that it has no value any more. */
  int silentGeneration;

  /** When that was. */
  long silentUnixMillis;

  /** Whether the last thing written of it was a stale marker. */
  boolean stale;

  /** The time of the last sample, or {@link #NEVER}. */
  long lastUnixMillis = NEVER;

  /** The time of the newest exemplar that was written. */
  long lastExemplarUnixMillis = NEVER;

  /** The version that {@link #pairs} or {@link #symbols} are made for. */
  @Nullable RemoteWriteVersion encodedFor;

  /** The labels but for the name and an extra label: fields of a 1.0 {@code TimeSeries}. */
  byte[] pairs = {};

  /** The same labels, names and values in turn, for 2.0. */
  Symbol[] symbols = {};

  /** The numbers of the labels in the last 2.0 request, packed; {@code null} where not kept. */
  byte @Nullable [] refs;

  /** How many bytes of {@link #refs} are filled. */
  int refsBytes;

  /** The {@link SymbolTable#path} for which {@link #refs} holds. */
  long refsPath;

  /** The strings that get their numbers with this series then. */
  Symbol[] newSymbols = {};

  /** Where the metric's name stands among them: an offset into either of the two. */
  int nameAt;

  /** Where an extra label stands. */
  int extraAt;

  /** The most bytes that the labels take in a request, without the name and an extra label. */
  int labelsBytes;

  /** The bounds or quantiles that were written; nobody may change them. */
  double[] extras = NOTHING;

  /** How many there are. */
  int extraCount;

  /** Whether a sum was written. */
  boolean hasSum;

  LiveSeries(Series series, MetricSeries metric) {
    this.series = series;
    this.metric = metric;
  }

  /** Whether there is something that a stale marker could end. */
  boolean isOpen() {
    return lastUnixMillis != NEVER && !stale && !secondary;
  }
}

package dev.millrace.model;

/**
 * The aggregation temporality of sums and histograms, as the OpenTelemetry metrics data model has
 * it.
 */
public enum Temporality {
  /** Not given; the only right one for gauges and summaries. */
  UNSPECIFIED,
  /** Each point holds what came since the last one. */
  DELTA,
  /** Each point holds what came since the start time. */
  CUMULATIVE
}

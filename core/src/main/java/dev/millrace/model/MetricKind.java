package dev.millrace.model;

/** The kinds of metric data, as the OpenTelemetry metrics data model has them. */
public enum MetricKind {
  /** The last value measured. */
  GAUGE,
  /** A sum, monotonic or not. */
  SUM,
  /** A histogram with explicit bounds. */
  HISTOGRAM,
  /** A histogram with exponential buckets. */
  EXPONENTIAL_HISTOGRAM,
  /** A summary: quantiles that the client computed. */
  SUMMARY
}

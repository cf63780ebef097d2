package dev.millrace.model;

/**
 * What the metadata key {@code prometheus.type} says of a gauge or a non-monotonic sum
 * (OpenTelemetry specification, Prometheus compatibility, "Gauges").
 */
public enum TypeHint {
  /** No hint, or the hint {@code gauge}. */
  NONE,
  /** The metric came from a Prometheus metric of unknown type. */
  UNKNOWN,
  /** The metric came from an info metric. */
  INFO,
  /** The metric came from a state set. */
  STATESET
}

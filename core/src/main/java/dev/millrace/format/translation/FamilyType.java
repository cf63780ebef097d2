package dev.millrace.format.translation;

import dev.millrace.model.MetricDescriptor;
import dev.millrace.model.TypeHint;

/** The types of Prometheus metric families that OpenTelemetry metrics become. */
public enum FamilyType {
  COUNTER("_total"),
  GAUGE(""),
  UNKNOWN(""),
  INFO("_info"),
  STATESET(""),
  HISTOGRAM(""),
  EXPONENTIAL_HISTOGRAM(""),
  SUMMARY("");

  private final String valueSuffix;

  FamilyType(String valueSuffix) {
    this.valueSuffix = valueSuffix;
  }

  /** What follows the family's base name in the name of the sample that holds the value. */
  public String valueSuffix() {
    return valueSuffix;
  }

  /** Whether a unit means anything for the type (OpenMetrics 1.0.0, "StateSet" and "Info"). */
  public boolean hasUnit() {
    return this != INFO && this != STATESET;
  }

  /**
   * The type of a metric's family (OpenTelemetry specification, Prometheus compatibility, "OTLP
   * Metric points to Prometheus").
   */
  public static FamilyType of(MetricDescriptor metric) {
    return switch (metric.kind()) {
      case GAUGE -> hinted(metric.typeHint());
      case SUM -> metric.monotonic() ? COUNTER : hinted(metric.typeHint());
      case HISTOGRAM -> HISTOGRAM;
      case SUMMARY -> SUMMARY;
      case EXPONENTIAL_HISTOGRAM -> EXPONENTIAL_HISTOGRAM;
    };
  }

  private static FamilyType hinted(TypeHint hint) {
    return switch (hint) {
      case NONE -> GAUGE;
      case UNKNOWN -> UNKNOWN;
      case INFO -> INFO;
      case STATESET -> STATESET;
    };
  }
}

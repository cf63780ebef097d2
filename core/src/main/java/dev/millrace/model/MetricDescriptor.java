package dev.millrace.model;

/**
 * What is the same for all points of one metric. Immutable.
 *
 * @param name the OpenTelemetry name, as the instrument has it; not empty
 * @param description free text, may be empty
 * @param unit a UCUM unit, may be empty
 * @param kind the kind of data
 * @param monotonic whether a sum only rises; false for every other kind
 * @param temporality of sums and histograms; unspecified for every other kind
 * @param typeHint what the metric was in Prometheus before, for gauges and non-monotonic sums
 */
public record MetricDescriptor(
    String name,
    String description,
    String unit,
    MetricKind kind,
    boolean monotonic,
    Temporality temporality,
    TypeHint typeHint) {

  /** A descriptor without a type hint. */
  public MetricDescriptor(
      String name,
      String description,
      String unit,
      MetricKind kind,
      boolean monotonic,
      Temporality temporality) {
    this(name, description, unit, kind, monotonic, temporality, TypeHint.NONE);
  }
}

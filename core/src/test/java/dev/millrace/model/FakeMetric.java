package dev.millrace.model;

import java.util.List;

/**
 * One metric of {@link FakeMetrics}.
 *
 * @param descriptor what is the same for all points
 * @param resource whose metric it is
 * @param scope which scope it is of
 * @param points in the order in which a cursor gives them
 */
public record FakeMetric(
    MetricDescriptor descriptor, Resource resource, Scope scope, List<FakePoint> points) {

  /** A gauge of no resource and no scope. */
  public static FakeMetric gauge(String name, String unit, FakePoint... points) {
    return of(
        new MetricDescriptor(name, "", unit, MetricKind.GAUGE, false, Temporality.UNSPECIFIED),
        points);
  }

  /** A cumulative monotonic sum of no resource and no scope. */
  public static FakeMetric counter(String name, String unit, FakePoint... points) {
    return of(
        new MetricDescriptor(name, "", unit, MetricKind.SUM, true, Temporality.CUMULATIVE), points);
  }

  /** A cumulative exponential histogram of no resource and no scope. */
  public static FakeMetric exponential(String name, String unit, FakePoint... points) {
    return of(
        new MetricDescriptor(
            name, "", unit, MetricKind.EXPONENTIAL_HISTOGRAM, false, Temporality.CUMULATIVE),
        points);
  }

  /** A cumulative histogram of no resource and no scope. */
  public static FakeMetric histogram(String name, String unit, FakePoint... points) {
    return of(
        new MetricDescriptor(name, "", unit, MetricKind.HISTOGRAM, false, Temporality.CUMULATIVE),
        points);
  }

  /** A summary of no resource and no scope. */
  public static FakeMetric summary(String name, String unit, FakePoint... points) {
    return of(
        new MetricDescriptor(name, "", unit, MetricKind.SUMMARY, false, Temporality.UNSPECIFIED),
        points);
  }

  /** A metric of no resource and no scope. */
  public static FakeMetric of(MetricDescriptor descriptor, FakePoint... points) {
    return new FakeMetric(descriptor, Resource.EMPTY, Scope.EMPTY, List.of(points));
  }

  /** The same metric with a description. */
  public FakeMetric describedAs(String description) {
    MetricDescriptor d = descriptor;
    return new FakeMetric(
        new MetricDescriptor(
            d.name(),
            description,
            d.unit(),
            d.kind(),
            d.monotonic(),
            d.temporality(),
            d.typeHint()),
        resource,
        scope,
        points);
  }

  /** The same metric with a type hint. */
  public FakeMetric hintedAs(TypeHint hint) {
    MetricDescriptor d = descriptor;
    return new FakeMetric(
        new MetricDescriptor(
            d.name(), d.description(), d.unit(), d.kind(), d.monotonic(), d.temporality(), hint),
        resource,
        scope,
        points);
  }

  /** The same metric of another temporality. */
  public FakeMetric withTemporality(Temporality temporality) {
    MetricDescriptor d = descriptor;
    return new FakeMetric(
        new MetricDescriptor(
            d.name(),
            d.description(),
            d.unit(),
            d.kind(),
            d.monotonic(),
            temporality,
            d.typeHint()),
        resource,
        scope,
        points);
  }

  /** The same metric of another resource. */
  public FakeMetric of(Resource other) {
    return new FakeMetric(descriptor, other, scope, points);
  }

  /** The same metric of another scope. */
  public FakeMetric of(Scope other) {
    return new FakeMetric(descriptor, resource, other, points);
  }

  /** The same metric with other points. */
  public FakeMetric with(FakePoint... others) {
    return new FakeMetric(descriptor, resource, scope, List.of(others));
  }
}

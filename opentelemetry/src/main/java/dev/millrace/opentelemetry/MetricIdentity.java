package dev.millrace.opentelemetry;

import dev.millrace.model.MetricDescriptor;
import dev.millrace.model.MetricKind;
import dev.millrace.model.Temporality;
import io.opentelemetry.sdk.common.InstrumentationScopeInfo;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.data.MetricDataType;
import io.opentelemetry.sdk.resources.Resource;

/**
 * Everything about a metric that is the same from one collection to the next. The SDK makes a new
 * {@code MetricData} each time, around the same objects.
 */
record MetricIdentity(
    String name,
    String description,
    String unit,
    MetricDataType type,
    boolean monotonic,
    Temporality temporality,
    InstrumentationScopeInfo scope,
    Resource resource) {

  static MetricIdentity of(MetricData data) {
    return new MetricIdentity(
        data.getName(),
        data.getDescription(),
        data.getUnit(),
        data.getType(),
        monotonicOf(data),
        temporalityOf(data),
        data.getInstrumentationScopeInfo(),
        data.getResource());
  }

  /** Whether data belong to this metric; in steady state every comparison is one of references. */
  boolean describes(MetricData data) {
    return type == data.getType()
        && name.equals(data.getName())
        && scope.equals(data.getInstrumentationScopeInfo())
        && resource.equals(data.getResource())
        && description.equals(data.getDescription())
        && unit.equals(data.getUnit())
        && monotonic == monotonicOf(data)
        && temporality == temporalityOf(data);
  }

  MetricDescriptor descriptor() {
    return new MetricDescriptor(name, description, unit, kind(), monotonic, temporality);
  }

  /** Whether the values of a gauge or sum are whole numbers. */
  boolean isLong() {
    return type == MetricDataType.LONG_GAUGE || type == MetricDataType.LONG_SUM;
  }

  private MetricKind kind() {
    return switch (type) {
      case LONG_GAUGE, DOUBLE_GAUGE -> MetricKind.GAUGE;
      case LONG_SUM, DOUBLE_SUM -> MetricKind.SUM;
      case SUMMARY -> MetricKind.SUMMARY;
      case HISTOGRAM -> MetricKind.HISTOGRAM;
      case EXPONENTIAL_HISTOGRAM -> MetricKind.EXPONENTIAL_HISTOGRAM;
    };
  }

  private static boolean monotonicOf(MetricData data) {
    return switch (data.getType()) {
      case LONG_SUM -> data.getLongSumData().isMonotonic();
      case DOUBLE_SUM -> data.getDoubleSumData().isMonotonic();
      case LONG_GAUGE, DOUBLE_GAUGE, SUMMARY, HISTOGRAM, EXPONENTIAL_HISTOGRAM -> false;
    };
  }

  private static Temporality temporalityOf(MetricData data) {
    return switch (data.getType()) {
      case LONG_SUM -> of(data.getLongSumData().getAggregationTemporality());
      case DOUBLE_SUM -> of(data.getDoubleSumData().getAggregationTemporality());
      case HISTOGRAM -> of(data.getHistogramData().getAggregationTemporality());
      case EXPONENTIAL_HISTOGRAM ->
          of(data.getExponentialHistogramData().getAggregationTemporality());
      case LONG_GAUGE, DOUBLE_GAUGE, SUMMARY -> Temporality.UNSPECIFIED;
    };
  }

  private static Temporality of(AggregationTemporality temporality) {
    return temporality == AggregationTemporality.DELTA ? Temporality.DELTA : Temporality.CUMULATIVE;
  }
}

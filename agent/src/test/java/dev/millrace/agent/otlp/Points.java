package dev.millrace.agent.otlp;

import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.HistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.SummaryDataPoint;

/** Small requests for tests of one thing at a time. */
final class Points {
  static final AggregationTemporality DELTA = AggregationTemporality.AGGREGATION_TEMPORALITY_DELTA;
  static final AggregationTemporality CUMULATIVE =
      AggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE;

  private Points() {}

  static ExportMetricsServiceRequest request(Metric... metrics) {
    ExportMetricsServiceRequest.Builder request = ExportMetricsServiceRequest.newBuilder();
    var scope = request.addResourceMetricsBuilder().addScopeMetricsBuilder();
    for (Metric metric : metrics) {
      scope.addMetrics(metric);
    }
    return request.build();
  }

  static Metric sum(AggregationTemporality temporality, NumberDataPoint.Builder... points) {
    Metric.Builder metric = Metric.newBuilder().setName("sum");
    metric.getSumBuilder().setIsMonotonic(true).setAggregationTemporality(temporality);
    for (NumberDataPoint.Builder point : points) {
      metric.getSumBuilder().addDataPoints(point);
    }
    return metric.build();
  }

  static Metric gauge(NumberDataPoint.Builder... points) {
    Metric.Builder metric = Metric.newBuilder().setName("gauge");
    for (NumberDataPoint.Builder point : points) {
      metric.getGaugeBuilder().addDataPoints(point);
    }
    return metric.build();
  }

  static Metric histogram(AggregationTemporality temporality, HistogramDataPoint.Builder point) {
    Metric.Builder metric = Metric.newBuilder().setName("histogram");
    metric.getHistogramBuilder().setAggregationTemporality(temporality).addDataPoints(point);
    return metric.build();
  }

  static Metric exponential(
      AggregationTemporality temporality, ExponentialHistogramDataPoint.Builder point) {
    Metric.Builder metric = Metric.newBuilder().setName("exponential");
    metric
        .getExponentialHistogramBuilder()
        .setAggregationTemporality(temporality)
        .addDataPoints(point);
    return metric.build();
  }

  static Metric summary(SummaryDataPoint.Builder point) {
    Metric.Builder metric = Metric.newBuilder().setName("summary");
    metric.getSummaryBuilder().addDataPoints(point);
    return metric.build();
  }

  static NumberDataPoint.Builder number(long start, long time, long value) {
    return NumberDataPoint.newBuilder()
        .setStartTimeUnixNano(start)
        .setTimeUnixNano(time)
        .setAsInt(value);
  }

  static KeyValue pair(String key, String value) {
    return KeyValue.newBuilder()
        .setKey(key)
        .setValue(AnyValue.newBuilder().setStringValue(value))
        .build();
  }
}

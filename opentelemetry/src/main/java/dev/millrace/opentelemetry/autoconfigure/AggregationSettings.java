package dev.millrace.opentelemetry.autoconfigure;

import io.opentelemetry.sdk.metrics.Aggregation;
import io.opentelemetry.sdk.metrics.InstrumentType;
import io.opentelemetry.sdk.metrics.export.DefaultAggregationSelector;

/** How the SDK aggregates histograms for an exporter, as settings say. */
final class AggregationSettings {
  /**
   * The words of the specification's {@code
   * OTEL_EXPORTER_OTLP_METRICS_DEFAULT_HISTOGRAM_AGGREGATION}.
   */
  private enum HistogramAggregation {
    EXPLICIT_BUCKET_HISTOGRAM,
    BASE2_EXPONENTIAL_BUCKET_HISTOGRAM
  }

  private AggregationSettings() {}

  static DefaultAggregationSelector aggregation(Settings settings) {
    HistogramAggregation aggregation =
        settings.oneOf("default_histogram_aggregation", HistogramAggregation.class);
    return aggregation == HistogramAggregation.BASE2_EXPONENTIAL_BUCKET_HISTOGRAM
        ? DefaultAggregationSelector.getDefault()
            .with(InstrumentType.HISTOGRAM, Aggregation.base2ExponentialBucketHistogram())
        : DefaultAggregationSelector.getDefault();
  }
}

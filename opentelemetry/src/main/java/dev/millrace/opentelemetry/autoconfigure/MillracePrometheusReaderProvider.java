package dev.millrace.opentelemetry.autoconfigure;

import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;
import io.opentelemetry.sdk.autoconfigure.spi.internal.ConfigurableMetricReaderProvider;
import io.opentelemetry.sdk.metrics.export.MetricReader;

/**
 * Makes the exporter that {@code otel.metrics.exporter=millrace-prometheus} names. The SDK finds it
 * as a service.
 */
public final class MillracePrometheusReaderProvider implements ConfigurableMetricReaderProvider {
  static final String NAME = "millrace-prometheus";

  /** Called by the SDK. */
  public MillracePrometheusReaderProvider() {}

  /**
   * Makes an exporter, whose server has started.
   *
   * @throws io.opentelemetry.sdk.autoconfigure.spi.ConfigurationException if a property cannot be
   *     used
   */
  @Override
  public MetricReader createMetricReader(ConfigProperties config) {
    return ExporterSettings.exporter(new PrometheusPropertySettings(config));
  }

  /** What {@code otel.metrics.exporter} calls the exporter. */
  @Override
  public String getName() {
    return NAME;
  }
}

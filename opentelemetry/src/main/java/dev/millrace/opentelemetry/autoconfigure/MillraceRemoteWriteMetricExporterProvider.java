package dev.millrace.opentelemetry.autoconfigure;

import io.opentelemetry.api.metrics.MeterProvider;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;
import io.opentelemetry.sdk.autoconfigure.spi.internal.AutoConfigureListener;
import io.opentelemetry.sdk.autoconfigure.spi.metrics.ConfigurableMetricExporterProvider;
import io.opentelemetry.sdk.metrics.export.MetricExporter;

/**
 * Makes the exporter that {@code otel.metrics.exporter=millrace-remote-write} names. The SDK finds
 * it as a service.
 */
public final class MillraceRemoteWriteMetricExporterProvider
    implements ConfigurableMetricExporterProvider, AutoConfigureListener {
  private volatile MeterProvider meterProvider = MeterProvider.noop();

  /** Called by the SDK. */
  public MillraceRemoteWriteMetricExporterProvider() {}

  /**
   * Makes an exporter.
   *
   * @throws io.opentelemetry.sdk.autoconfigure.spi.ConfigurationException if a property cannot be
   *     used
   */
  @Override
  public MetricExporter createExporter(ConfigProperties config) {
    return RemoteWriteSettings.exporter(
        new RemoteWritePropertySettings(config), null, () -> meterProvider);
  }

  /** What {@code otel.metrics.exporter} calls the exporter. */
  @Override
  public String getName() {
    return RemoteWriteSettings.PROPERTY_NAME;
  }

  /** Called by the SDK, whose metrics tell of the exporter's health from here on. */
  @Override
  public void afterAutoConfigure(OpenTelemetrySdk sdk) {
    meterProvider = sdk.getMeterProvider();
  }
}

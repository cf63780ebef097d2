package dev.millrace.opentelemetry.autoconfigure;

import dev.millrace.format.otlp.OtlpSignal;
import dev.millrace.opentelemetry.otlp.OtlpExporter;
import io.opentelemetry.api.metrics.MeterProvider;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;
import io.opentelemetry.sdk.autoconfigure.spi.internal.AutoConfigureListener;
import io.opentelemetry.sdk.autoconfigure.spi.traces.ConfigurableSpanExporterProvider;
import io.opentelemetry.sdk.trace.export.SpanExporter;

/**
 * Makes the exporter that {@code otel.traces.exporter=millrace-otlp} names. The SDK finds it as a
 * service.
 */
public final class MillraceOtlpSpanExporterProvider
    implements ConfigurableSpanExporterProvider, AutoConfigureListener {
  private volatile MeterProvider meterProvider = MeterProvider.noop();

  /** Called by the SDK. */
  public MillraceOtlpSpanExporterProvider() {}

  /**
   * Makes an exporter.
   *
   * @throws io.opentelemetry.sdk.autoconfigure.spi.ConfigurationException if a property cannot be
   *     used
   */
  @Override
  public SpanExporter createExporter(ConfigProperties config) {
    return new OtlpProperties(OtlpSignal.TRACES, config, () -> meterProvider)
        .made(OtlpExporter::spans);
  }

  /** What {@code otel.traces.exporter} calls the exporter. */
  @Override
  public String getName() {
    return OtlpSettings.PROPERTY_NAME;
  }

  /** Called by the SDK, whose metrics tell of the exporter's health from here on. */
  @Override
  public void afterAutoConfigure(OpenTelemetrySdk sdk) {
    meterProvider = sdk.getMeterProvider();
  }
}

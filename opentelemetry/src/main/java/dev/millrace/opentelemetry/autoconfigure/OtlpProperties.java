package dev.millrace.opentelemetry.autoconfigure;

import dev.millrace.format.otlp.OtlpSignal;
import dev.millrace.opentelemetry.otlp.OtlpExporter;
import dev.millrace.opentelemetry.otlp.OtlpExporterBuilder;
import io.opentelemetry.api.metrics.MeterProvider;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;
import io.opentelemetry.sdk.metrics.export.MetricExporter;
import java.util.function.Function;
import java.util.function.Supplier;

/** Makes exporters of the SDK's properties, which all signals read in the same way. */
final class OtlpProperties {
  private final OtlpPropertySettings settings;
  private final OtlpExporterBuilder builder;

  OtlpProperties(
      OtlpSignal signal, ConfigProperties config, Supplier<MeterProvider> meterProvider) {
    settings = new OtlpPropertySettings(signal, config);
    builder = OtlpSettings.builder(signal, settings).meterProvider(meterProvider);
    String base = settings.baseEndpoint();
    if (base != null) {
      try {
        builder.endpoint(ConnectionSettings.uri(settings, "endpoint", base));
      } catch (IllegalArgumentException e) {
        throw settings.unusable(e);
      }
    }
  }

  <E> E made(Function<OtlpExporter, E> make) {
    return OtlpSettings.made(settings, builder, make);
  }

  MetricExporter metrics() {
    return OtlpSettings.metrics(settings, builder);
  }
}

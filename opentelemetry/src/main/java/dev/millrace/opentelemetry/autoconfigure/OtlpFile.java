package dev.millrace.opentelemetry.autoconfigure;

import dev.millrace.export.http.HeaderSource;
import dev.millrace.format.otlp.OtlpSignal;
import dev.millrace.opentelemetry.otlp.OtlpExporter;
import dev.millrace.opentelemetry.otlp.OtlpExporterBuilder;
import io.opentelemetry.api.incubator.config.DeclarativeConfigProperties;
import io.opentelemetry.sdk.metrics.export.MetricExporter;
import java.util.Map;
import java.util.function.Function;

/**
 * Makes exporters of a declarative configuration file, with the words of the schema's own {@code
 * otlp_http} where the meaning is the same: the endpoint is the signal's, as it is.
 */
final class OtlpFile {
  private final DeclarativeSettings settings;
  private final OtlpExporterBuilder builder;

  OtlpFile(OtlpSignal signal, DeclarativeConfigProperties config) {
    settings = new DeclarativeSettings(OtlpSettings.FILE_NAME, config);
    settings.requireKnown(OtlpSettings.names(signal));
    builder = OtlpSettings.builder(signal, settings);
    Map<String, String> headers = settings.headers();
    if (headers != null) {
      builder.headers(HeaderSource.of(headers));
    }
  }

  <E> E made(Function<OtlpExporter, E> make) {
    return OtlpSettings.made(settings, builder, make);
  }

  MetricExporter metrics() {
    return OtlpSettings.metrics(settings, builder);
  }
}

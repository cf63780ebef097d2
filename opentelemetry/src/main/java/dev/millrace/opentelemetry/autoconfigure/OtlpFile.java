package dev.millrace.opentelemetry.autoconfigure;

import dev.millrace.export.http.HeaderSource;
import dev.millrace.format.otlp.OtlpSignal;
import dev.millrace.opentelemetry.otlp.OtlpExporter;
import dev.millrace.opentelemetry.otlp.OtlpExporterBuilder;
import io.opentelemetry.api.incubator.config.DeclarativeConfigProperties;
import io.opentelemetry.sdk.metrics.export.MetricExporter;
import java.util.LinkedHashMap;
import java.util.List;
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
    List<DeclarativeConfigProperties> headers = config.getStructuredList("headers");
    if (headers != null) {
      // By the schema, these win over headers_list.
      builder.headers(HeaderSource.of(headers(headers)));
    }
  }

  <E> E made(Function<OtlpExporter, E> make) {
    return OtlpSettings.made(settings, builder, make);
  }

  MetricExporter metrics() {
    return OtlpSettings.metrics(settings, builder);
  }

  private Map<String, String> headers(List<DeclarativeConfigProperties> list) {
    Map<String, String> headers = new LinkedHashMap<>();
    for (DeclarativeConfigProperties header : list) {
      String name = header.getString("name");
      String value = header.getString("value");
      if (name == null || name.isBlank()) {
        throw settings.invalid("headers", "entries with a name and a value", "one without a name");
      }
      if (value != null) {
        OtlpSettings.requireSendable(settings, "headers", name, value);
        headers.put(name, value);
      }
    }
    return headers;
  }
}

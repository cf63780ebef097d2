package dev.millrace.opentelemetry.autoconfigure;

import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigurationException;
import java.util.Map;

/**
 * Settings that stand in the SDK's properties: {@code tls.key_file} is {@code
 * otel.exporter.millrace.prometheus.tls.key.file}, or the environment variable {@code
 * OTEL_EXPORTER_MILLRACE_PROMETHEUS_TLS_KEY_FILE}. An empty value is as if it were not there
 * (OpenTelemetry specification, "Environment Variable Specification").
 */
final class PrometheusPropertySettings extends PropertySettings {
  /** What the properties of this exporter begin with. */
  private static final String PREFIX = "otel.exporter.millrace.prometheus.";

  /** Those that the specification itself names. */
  private static final Map<String, String> STANDARD =
      Map.of(
          "host", "otel.exporter.prometheus.host",
          "port", "otel.exporter.prometheus.port");

  PrometheusPropertySettings(ConfigProperties properties) {
    super(properties);
  }

  @Override
  RuntimeException unusable(RuntimeException cause) {
    return new ConfigurationException(
        "otel.metrics.exporter="
            + MillracePrometheusReaderProvider.NAME
            + " cannot be used as configured: "
            + cause.getMessage(),
        cause);
  }

  @Override
  String property(String name) {
    String standard = STANDARD.get(name);
    return standard != null ? standard : PREFIX + name.replace('_', '.');
  }
}

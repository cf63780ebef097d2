package dev.millrace.opentelemetry.autoconfigure;

import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigurationException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Settings that stand in the SDK's properties: {@code tls.key_file} is {@code
 * otel.exporter.millrace.prometheus.tls.key.file}, or the environment variable {@code
 * OTEL_EXPORTER_MILLRACE_PROMETHEUS_TLS_KEY_FILE}. An empty value is as if it were not there
 * (OpenTelemetry specification, "Environment Variable Specification").
 */
final class PropertySettings extends Settings {
  /** What the properties of this exporter begin with. */
  static final String PREFIX = "otel.exporter.millrace.prometheus.";

  /** Those that the specification itself names. */
  private static final Map<String, String> STANDARD =
      Map.of(
          "host", "otel.exporter.prometheus.host",
          "port", "otel.exporter.prometheus.port");

  private final ConfigProperties properties;

  PropertySettings(ConfigProperties properties) {
    this.properties = properties;
  }

  @Override
  @Nullable String text(String name) {
    String text = properties.getString(property(name));
    return text == null || text.isBlank() ? null : text.strip();
  }

  @Override
  @Nullable Boolean flag(String name) {
    String text = text(name);
    if (text == null) {
      return null;
    }
    if (text.equalsIgnoreCase("true") || text.equalsIgnoreCase("false")) {
      return Boolean.valueOf(text);
    }
    throw invalid(name, "true or false", text);
  }

  @Override
  @Nullable Long wholeNumber(String name) {
    String text = text(name);
    if (text == null) {
      return null;
    }
    try {
      return Long.valueOf(text);
    } catch (NumberFormatException e) {
      throw invalid(name, "a whole number", text);
    }
  }

  @Override
  @Nullable Duration duration(String name) {
    // The SDK's own exception names the property and what it found.
    return text(name) == null ? null : properties.getDuration(property(name));
  }

  @Override
  @Nullable List<String> texts(String name) {
    List<String> texts = properties.getList(property(name));
    return texts.isEmpty() ? null : texts;
  }

  @Override
  RuntimeException invalid(String name, String expected, String found) {
    return new ConfigurationException(
        property(name) + ": expected " + expected + ", found " + found);
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

  private static String property(String name) {
    String standard = STANDARD.get(name);
    return standard != null ? standard : PREFIX + name.replace('_', '.');
  }
}

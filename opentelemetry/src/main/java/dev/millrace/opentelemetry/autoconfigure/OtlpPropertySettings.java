package dev.millrace.opentelemetry.autoconfigure;

import dev.millrace.format.otlp.OtlpSignal;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigurationException;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Settings of one signal that stand in the SDK's properties: those of the specification ({@code
 * otel.exporter.otlp.traces.timeout}, and {@code otel.exporter.otlp.timeout} where it is not
 * there), and Millrace's own ({@code otel.exporter.millrace.otlp.traces.disk.directory}, likewise).
 * An empty value is as if it were not there (OpenTelemetry specification, "Environment Variable
 * Specification").
 */
final class OtlpPropertySettings extends PropertySettings {
  private static final String STANDARD = "otel.exporter.otlp.";
  private static final String OWN = "otel.exporter.millrace.otlp.";

  /** Where the specification has another word than the schema of the declarative configuration. */
  private static final Map<String, String> STANDARD_NAMES =
      Map.of(
          "endpoint", "endpoint",
          "protocol", "protocol",
          "headers_list", "headers",
          "compression", "compression",
          "timeout", "timeout",
          "tls.ca_file", "certificate",
          "tls.key_file", "client.key",
          "tls.cert_file", "client.certificate");

  /** Those that have no form for all signals. */
  private static final Map<String, String> METRICS_NAMES =
      Map.of(
          "temporality_preference", "otel.exporter.otlp.metrics.temporality.preference",
          "default_histogram_aggregation",
              "otel.exporter.otlp.metrics.default.histogram.aggregation",
          "retry.disabled", "otel.java.exporter.otlp.retry.disabled");

  private final String exporter;
  private final String signal;

  OtlpPropertySettings(OtlpSignal signal, ConfigProperties properties) {
    super(properties);
    this.signal = signal.name().toLowerCase(Locale.ROOT);
    exporter = "otel." + this.signal + ".exporter=" + OtlpSettings.PROPERTY_NAME;
  }

  /** The endpoint of all signals, which is a base and not an address. */
  @Nullable String baseEndpoint() {
    return present(STANDARD + "endpoint");
  }

  @Override
  RuntimeException unusable(RuntimeException cause) {
    return new ConfigurationException(
        exporter + " cannot be used as configured: " + cause.getMessage(), cause);
  }

  @Override
  String property(String name) {
    String fixed = METRICS_NAMES.get(name);
    if (fixed != null) {
      return fixed;
    }
    String standard = STANDARD_NAMES.get(name);
    String prefix = standard == null ? OWN : STANDARD;
    String rest = standard == null ? name.replace('_', '.') : standard;
    String ofSignal = prefix + signal + "." + rest;
    boolean onlyOfSignal = name.equals("endpoint");
    return onlyOfSignal || present(ofSignal) != null ? ofSignal : prefix + rest;
  }
}

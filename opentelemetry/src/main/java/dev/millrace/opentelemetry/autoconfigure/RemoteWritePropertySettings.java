package dev.millrace.opentelemetry.autoconfigure;

import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigurationException;

/**
 * Settings that stand in the SDK's properties: {@code disk.directory} is {@code
 * otel.exporter.millrace.remote.write.disk.directory}, or the environment variable {@code
 * OTEL_EXPORTER_MILLRACE_REMOTE_WRITE_DISK_DIRECTORY}. An empty value is as if it were not there
 * (OpenTelemetry specification, "Environment Variable Specification").
 */
final class RemoteWritePropertySettings extends PropertySettings {
  /** The SDK reads the underscores of environment variables as dots, so a name has dots alone. */
  private static final String PREFIX = "otel.exporter.millrace.remote.write.";

  RemoteWritePropertySettings(ConfigProperties properties) {
    super(properties);
  }

  @Override
  RuntimeException unusable(RuntimeException cause) {
    return new ConfigurationException(
        "otel.metrics.exporter="
            + RemoteWriteSettings.PROPERTY_NAME
            + " cannot be used as configured: "
            + cause.getMessage(),
        cause);
  }

  @Override
  String property(String name) {
    return PREFIX + (name.equals("headers_list") ? "headers" : name.replace('_', '.'));
  }
}

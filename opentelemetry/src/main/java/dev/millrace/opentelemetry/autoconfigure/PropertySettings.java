package dev.millrace.opentelemetry.autoconfigure;

import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigurationException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Settings that stand in the SDK's properties. An empty value is as if it were not there
 * (OpenTelemetry specification, "Environment Variable Specification").
 */
abstract class PropertySettings extends Settings {
  private final ConfigProperties properties;

  PropertySettings(ConfigProperties properties) {
    this.properties = properties;
  }

  /** The property that holds a setting, or that would. */
  abstract String property(String name);

  /** What a property has; {@code null} where it is not there or empty. */
  final @Nullable String present(String property) {
    String text = properties.getString(property);
    return text == null || text.isBlank() ? null : text.strip();
  }

  @Override
  final @Nullable String text(String name) {
    return present(property(name));
  }

  @Override
  final @Nullable Boolean flag(String name) {
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
  final @Nullable Long wholeNumber(String name) {
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
  final @Nullable Duration duration(String name) {
    // The SDK's own exception names the property and what it found.
    return text(name) == null ? null : properties.getDuration(property(name));
  }

  @Override
  final @Nullable List<String> texts(String name) {
    List<String> texts = properties.getList(property(name));
    return texts.isEmpty() ? null : texts;
  }

  @Override
  final RuntimeException invalid(String name, String expected, String found) {
    return new ConfigurationException(
        property(name) + ": expected " + expected + ", found " + found);
  }
}

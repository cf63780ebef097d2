package dev.millrace.format.translation;

/**
 * How names are made (OpenTelemetry specification, "Metrics Exporter - Prometheus", "Translation
 * Strategy"). Immutable.
 *
 * @param escapesToUnderscores whether other characters become {@code _} whatever the reader knows
 * @param addsSuffixes whether metric names get suffixes of the unit and the type
 */
public record NamingStrategy(boolean escapesToUnderscores, boolean addsSuffixes) {}

package dev.millrace.format.prometheus;

import dev.millrace.model.MetricDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * A metric's name in Prometheus by the strategy {@code UnderscoreEscapingWithSuffixes}
 * (OpenTelemetry specification, Prometheus compatibility, "Metric Metadata"): what may not stand in
 * a name becomes {@code _}, the unit comes after the name, and a suffix of the type after the unit.
 *
 * @param base the name with its unit and without the suffix of the type: the name of the family in
 *     OpenMetrics
 * @param unit the unit in words that {@code base} ends in after a {@code _}, or empty
 */
record MetricName(String base, String unit) {
  /**
   * Names a metric.
   *
   * @return the name, or {@code null} where nothing of the metric's own can stand in one
   */
  static @Nullable MetricName of(MetricDescriptor metric, FamilyType type) {
    String name = cleaned(metric.name());
    if (name.isEmpty()) {
      return null;
    }
    String suffix = type.valueSuffix();
    if (name.endsWith(suffix)) {
      name = name.substring(0, name.length() - suffix.length());
    }
    String unit = type.hasUnit() ? UnitNames.of(metric.unit()) : "";
    if (!unit.isEmpty() && !name.equals(unit) && !name.endsWith("_" + unit)) {
      name = name + "_" + unit;
    }
    if (isDigit(name.charAt(0))) {
      name = "_" + name;
    }
    return new MetricName(name, name.endsWith("_" + unit) ? unit : "");
  }

  /** The name of the sample that holds a value. */
  String sample(FamilyType type) {
    return base + type.valueSuffix();
  }

  /**
   * Text with every run of characters that may not stand in a metric name made one {@code _}, and
   * none at its ends.
   */
  static String cleaned(String text) {
    StringBuilder name = new StringBuilder(text.length());
    boolean gap = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (!isNameCharacter(c)) {
        gap = true;
        continue;
      }
      if (gap && name.length() > 0) {
        name.append('_');
      }
      gap = false;
      name.append(c);
    }
    return name.toString();
  }

  private static boolean isNameCharacter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || isDigit(c) || c == ':';
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }
}

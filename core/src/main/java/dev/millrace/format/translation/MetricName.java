package dev.millrace.format.translation;

/**
 * The name of a metric's samples in two parts, as OpenMetrics has it: what names the family, and
 * what follows that in the name of the sample that holds a value.
 *
 * @param base the name of the family in OpenMetrics
 * @param suffix the suffix of the family's type, or empty: where the type has none, and where a
 *     name is not translated and does not end in it
 * @param unit the unit in words that {@code base} ends in after a {@code _}, or empty
 */
public record MetricName(String base, String suffix, String unit) {
  /**
   * Takes a name apart.
   *
   * @param sample the name of the sample that holds a value
   * @param unit the metric's unit in words, or empty
   */
  public static MetricName of(String sample, FamilyType type, String unit) {
    String suffix = type.valueSuffix();
    boolean ends = sample.endsWith(suffix) && sample.length() > suffix.length();
    String base = ends ? sample.substring(0, sample.length() - suffix.length()) : sample;
    boolean shown = base.endsWith("_" + unit) && NameText.isPlain("_" + unit, true);
    return new MetricName(base, ends ? suffix : "", shown ? unit : "");
  }

  /** The name of the sample that holds a value. */
  public String sample() {
    return base + suffix;
  }

  /** The same name with another unit. */
  public MetricName withUnit(String unit) {
    return new MetricName(base, suffix, unit);
  }
}

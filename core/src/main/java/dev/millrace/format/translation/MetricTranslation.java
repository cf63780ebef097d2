package dev.millrace.format.translation;

import dev.millrace.model.MetricDescriptor;

/**
 * The names of metrics by each strategy (OpenTelemetry specification, Prometheus compatibility,
 * "Metric Metadata", and "Metrics Exporter - Prometheus", "Translation Strategy"). With suffixes
 * the unit comes after the name, and a suffix of the type after the unit. Stateless.
 */
public final class MetricTranslation {
  private MetricTranslation() {}

  /**
   * Names the sample that holds a metric's value.
   *
   * @return the name, not yet escaped; empty where nothing of the metric's own can stand in one
   */
  public static String name(MetricDescriptor metric, FamilyType type, NamingStrategy strategy) {
    String name = translated(metric.name(), strategy);
    if (name.isEmpty()) {
      return "";
    }
    if (strategy.addsSuffixes()) {
      name = withSuffixes(name, unit(metric, type, strategy), type);
    }
    boolean digit = strategy.escapesToUnderscores() && isDigit(name.charAt(0));
    return digit ? "_" + name : name;
  }

  /** The unit in words as it stands in names by the strategy; empty where there is none. */
  public static String unit(MetricDescriptor metric, FamilyType type, NamingStrategy strategy) {
    if (!type.hasUnit()) {
      return "";
    }
    return UnitNames.of(metric.unit(), strategy);
  }

  /** A name or a unit with the characters that the strategy leaves. */
  public static String translated(String text, NamingStrategy strategy) {
    return strategy.escapesToUnderscores() ? cleaned(text) : wellFormed(text);
  }

  private static String withSuffixes(String name, String unit, FamilyType type) {
    String suffix = type.valueSuffix();
    String stem = name;
    if (!suffix.isEmpty() && endsInWord(name, suffix.substring(1))) {
      int delimiter = name.length() - suffix.length() + 1;
      stem = name.substring(0, name.offsetByCodePoints(delimiter, -1));
    }
    if (!unit.isEmpty() && !stem.equals(unit) && !endsInWord(stem, unit)) {
      stem = stem + "_" + unit;
    }
    return stem + suffix;
  }

  /**
   * Whether a name ends in a word that stands apart from something before it. In a name that is not
   * escaped to underscores what stands between may be any other character: {@code foo.total} is to
   * have the suffix once, as it has where dots become underscores.
   */
  private static boolean endsInWord(String name, String word) {
    int start = name.length() - word.length();
    if (start < 1 || !name.endsWith(word)) {
      return false;
    }
    int before = name.codePointBefore(start);
    return !Character.isLetterOrDigit(before) && before != ':';
  }

  /**
   * Text with every run of characters that may not stand in a metric name made one {@code _}, and
   * none at its ends.
   */
  private static String cleaned(String text) {
    StringBuilder name = new StringBuilder(text.length());
    boolean gap = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '_' || !NameText.isPlain(c, false, true)) {
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

  /** Text in which each surrogate without its partner is U+FFFD, as it is written. */
  private static String wellFormed(String text) {
    StringBuilder name = new StringBuilder(text.length());
    text.codePoints().map(c -> isSurrogate(c) ? 0xfffd : c).forEach(name::appendCodePoint);
    return name.toString();
  }

  private static boolean isSurrogate(int character) {
    return character >= Character.MIN_SURROGATE && character <= Character.MAX_SURROGATE;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }
}

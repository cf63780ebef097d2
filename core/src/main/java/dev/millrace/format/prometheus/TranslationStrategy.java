package dev.millrace.format.prometheus;

/**
 * How the names of metrics and attributes become names in Prometheus (OpenTelemetry specification,
 * "Metrics Exporter - Prometheus", "Translation Strategy"). What this leaves of characters that a
 * scraper does not read is then escaped as the scraper asks, by an {@link EscapingScheme}.
 *
 * <p>A counter {@code foo.bar} in bytes, with its attribute {@code my.key}:
 *
 * <table>
 *   <caption>Names by strategy, where the scraper reads all of Unicode</caption>
 *   <tr><th>strategy</th><th>metric</th><th>label</th></tr>
 *   <tr><td>{@link #UNDERSCORE_ESCAPING_WITH_SUFFIXES}</td>
 *       <td>{@code foo_bar_bytes_total}</td><td>{@code my_key}</td></tr>
 *   <tr><td>{@link #UNDERSCORE_ESCAPING_WITHOUT_SUFFIXES}</td>
 *       <td>{@code foo_bar}</td><td>{@code my_key}</td></tr>
 *   <tr><td>{@link #NO_UTF8_ESCAPING_WITH_SUFFIXES}</td>
 *       <td>{@code foo.bar_bytes_total}</td><td>{@code my.key}</td></tr>
 *   <tr><td>{@link #NO_TRANSLATION}</td>
 *       <td>{@code foo.bar}</td><td>{@code my.key}</td></tr>
 * </table>
 *
 * <p>Without suffixes, metrics that differ in unit or type only come to one name: they are one
 * family, or the later one is left out. OpenMetrics knows a counter or an info by its suffix; where
 * a name does not end in {@code _total} or {@code _info}, its type there is unknown, or gauge.
 */
public enum TranslationStrategy {
  /** Other characters become {@code _}; suffixes say the unit and the type. The default. */
  UNDERSCORE_ESCAPING_WITH_SUFFIXES("UnderscoreEscapingWithSuffixes", true, true),

  /** Other characters become {@code _}; no suffixes. */
  UNDERSCORE_ESCAPING_WITHOUT_SUFFIXES("UnderscoreEscapingWithoutSuffixes", true, false),

  /** All characters stay; suffixes say the unit and the type. */
  NO_UTF8_ESCAPING_WITH_SUFFIXES("NoUTF8EscapingWithSuffixes", false, true),

  /** Names stay as they are. */
  NO_TRANSLATION("NoTranslation", false, false);

  private final String specificationName;
  private final boolean underscores;
  private final boolean suffixes;

  TranslationStrategy(String specificationName, boolean underscores, boolean suffixes) {
    this.specificationName = specificationName;
    this.underscores = underscores;
    this.suffixes = suffixes;
  }

  /** The strategy's name in the specification and in configuration files. */
  public String specificationName() {
    return specificationName;
  }

  /** Whether other characters become {@code _} whatever the scraper reads. */
  public boolean escapesToUnderscores() {
    return underscores;
  }

  /** Whether metric names get suffixes of the unit and the type. */
  public boolean addsSuffixes() {
    return suffixes;
  }
}

package dev.millrace.export.scrape;

/** The exposition formats that a scrape can ask for, by media type and version. */
public enum ScrapeFormat {
  /** The Prometheus text format, version 0.0.4: what every scraper reads. */
  TEXT_0_0_4("text", "plain", "0.0.4"),
  /** OpenMetrics 1.0.0 text. */
  OPENMETRICS_1_0_0("application", "openmetrics-text", "1.0.0");

  private final String type;
  private final String subtype;
  private final String version;

  ScrapeFormat(String type, String subtype, String version) {
    this.type = type;
    this.subtype = subtype;
    this.version = version;
  }

  /**
   * How exactly an element of an {@code Accept} header names this format, or -1 where it does not:
   * 0 for any type, 1 for any subtype, 2 for the type, 3 for the type and the version.
   *
   * <p>A parameter that this class does not know does not keep an element from matching: scrapers
   * send {@code charset} and {@code escaping}, and Prometheus' own library ignores what it does not
   * know.
   */
  int specificity(WeightedElement element) {
    String range = element.value();
    if (!element.allows("version", version)) {
      return -1;
    }
    if (range.equals("*/*")) {
      return 0;
    }
    int slash = range.indexOf('/');
    if (slash < 0 || !range.substring(0, slash).equals(type)) {
      return -1;
    }
    String rangeSubtype = range.substring(slash + 1);
    if (rangeSubtype.equals("*")) {
      return 1;
    }
    if (!rangeSubtype.equals(subtype)) {
      return -1;
    }
    return element.parameters().containsKey("version") ? 3 : 2;
  }
}

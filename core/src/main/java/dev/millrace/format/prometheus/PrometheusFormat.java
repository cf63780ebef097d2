package dev.millrace.format.prometheus;

/**
 * The exposition formats of Prometheus, each with the media type that a scraper asks for it by
 * (Prometheus documentation, "Scrape protocol content negotiation").
 */
public enum PrometheusFormat {
  /** The Prometheus text format, version 0.0.4: what every scraper reads. */
  TEXT_0_0_4("text", "plain", "0.0.4", "; version=0.0.4; charset=utf-8"),

  /**
   * The Prometheus text format, version 1.0.0: that of 0.0.4, by a name under which a scraper says
   * how it wants names escaped.
   */
  TEXT_1_0_0("text", "plain", "1.0.0", "; version=1.0.0; charset=utf-8"),

  /** OpenMetrics text by its first name: what is written is OpenMetrics 1.0.0. */
  OPEN_METRICS_0_0_1("application", "openmetrics-text", "0.0.1", "; version=0.0.1; charset=utf-8"),

  /** OpenMetrics 1.0.0 text. */
  OPEN_METRICS_1_0_0("application", "openmetrics-text", "1.0.0", "; version=1.0.0; charset=utf-8"),

  /** Messages of {@code io.prometheus.client.MetricFamily}, each with its length before it. */
  PROTOBUF(
      "application",
      "vnd.google.protobuf",
      "",
      "; proto=io.prometheus.client.MetricFamily; encoding=delimited");

  private final String type;
  private final String subtype;
  private final String version;
  private final String parameters;

  PrometheusFormat(String type, String subtype, String version, String parameters) {
    this.type = type;
    this.subtype = subtype;
    this.version = version;
    this.parameters = parameters;
  }

  /** The media type's first part, such as {@code text}; lower case. */
  public String type() {
    return type;
  }

  /** The media type's second part, such as {@code plain}; lower case. */
  public String subtype() {
    return subtype;
  }

  /** The media type's parameter {@code version}; empty where it has none. */
  public String version() {
    return version;
  }

  /**
   * What a {@code Content-Type} header says of a reply in this format: the media type with its
   * version, and how names were escaped.
   */
  public String contentType(EscapingScheme escaping) {
    return type + '/' + subtype + parameters + "; escaping=" + escaping.headerValue();
  }
}

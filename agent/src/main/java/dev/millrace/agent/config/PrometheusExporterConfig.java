package dev.millrace.agent.config;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/**
 * An exporter of type {@code prometheus}. Immutable.
 *
 * @param endpoint where to listen for scrapes
 * @param metricExpiration how long a series that is not heard from stays in the scrape; from {@link
 *     #MIN_METRIC_EXPIRATION} to {@link #MAX_METRIC_EXPIRATION}
 * @param maxSeries the largest number of series held; past it new ones are refused and counted;
 *     from 1 to {@link #MAX_MAX_SERIES}
 * @param translation what is made of metrics
 * @param scrape who may scrape, and how scrapes are served
 */
public record PrometheusExporterConfig(
    Endpoint endpoint,
    Duration metricExpiration,
    int maxSeries,
    TranslationConfig translation,
    ScrapeConfig scrape)
    implements ExporterConfig {
  /** The port that OpenTelemetry's Prometheus exporters have by default, on loopback. */
  public static final Endpoint DEFAULT_ENDPOINT = new Endpoint("127.0.0.1", 9464);

  /** The OpenTelemetry Collector's default. */
  public static final Duration DEFAULT_METRIC_EXPIRATION = Duration.ofMinutes(5);

  /** Less than this is zero by another name: no series would live until a scrape. */
  public static final Duration MIN_METRIC_EXPIRATION = Duration.ofMillis(1);

  /** A week: past it nothing ever expires, and {@code max_series} is what bounds the series. */
  public static final Duration MAX_METRIC_EXPIRATION = Duration.ofDays(7);

  /** The most that one busy process or host exports; some hundreds of MB of heap. */
  public static final int DEFAULT_MAX_SERIES = 1_000_000;

  /** Tens of GB of heap; more is a slip of the finger. */
  public static final int MAX_MAX_SERIES = 100_000_000;

  /**
   * Makes an exporter's configuration.
   *
   * @throws IllegalArgumentException if the expiration or the number of series is out of range
   */
  public PrometheusExporterConfig {
    requireNonNull(endpoint, "endpoint");
    requireNonNull(translation, "translation");
    requireNonNull(scrape, "scrape");
    if (metricExpiration.compareTo(MIN_METRIC_EXPIRATION) < 0
        || metricExpiration.compareTo(MAX_METRIC_EXPIRATION) > 0) {
      throw new IllegalArgumentException(
          "expected metricExpiration from 1 ms to 7 days, found " + metricExpiration);
    }
    if (maxSeries < 1 || maxSeries > MAX_MAX_SERIES) {
      throw new IllegalArgumentException(
          "expected maxSeries from 1 to " + MAX_MAX_SERIES + ", found " + maxSeries);
    }
  }

  static PrometheusExporterConfig read(Section section) {
    return new PrometheusExporterConfig(
        section.listener("endpoint", DEFAULT_ENDPOINT),
        section.duration(
            "metric_expiration",
            DEFAULT_METRIC_EXPIRATION,
            MIN_METRIC_EXPIRATION,
            MAX_METRIC_EXPIRATION),
        section.wholeNumber("max_series", DEFAULT_MAX_SERIES, 1, MAX_MAX_SERIES),
        TranslationConfig.read(section),
        ScrapeConfig.read(section));
  }
}

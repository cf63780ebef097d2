package dev.millrace.agent.config;

import static java.util.Objects.requireNonNull;

import dev.millrace.export.remotewrite.VersionPolicy;
import dev.millrace.format.remotewrite.RemoteWriteEncodingOptions;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An exporter of type {@code prometheusremotewrite}. Immutable.
 *
 * @param endpoint where to
 * @param client how to get there: headers, credentials, TLS, proxy
 * @param encoding what is made of metrics, and how large requests become
 * @param versions which of the protocol's messages are sent
 * @param delivery when requests go out, how often, and what may wait
 * @param series which series are held
 * @param collectionInterval how often what is not sent to the agent, but read by it, is read: its
 *     own metrics and the directories of other processes; from {@link #MIN_INTERVAL} to {@link
 *     #MAX_INTERVAL}
 */
public record RemoteWriteExporterConfig(
    URI endpoint,
    RemoteWriteClientConfig client,
    RemoteWriteEncodingOptions encoding,
    VersionPolicy versions,
    RemoteWriteDeliveryConfig delivery,
    SeriesConfig series,
    Duration collectionInterval)
    implements ExporterConfig {
  /** What a file without an endpoint has until its problem is told. */
  private static final URI NO_ENDPOINT = URI.create("http://localhost");

  /** How often Prometheus is told to scrape in most of its examples. */
  private static final Duration DEFAULT_INTERVAL = Duration.ofSeconds(15);

  /** More often than this a directory of many files would be read all the time. */
  public static final Duration MIN_INTERVAL = Duration.ofSeconds(1);

  /** Half of what Prometheus looks back: with longer pauses its graphs have holes. */
  public static final Duration MAX_INTERVAL = Duration.ofSeconds(150);

  /** Prometheus' own words for the two messages, and one for trying the newer one first. */
  private static final Map<String, VersionPolicy> MESSAGES =
      new TreeMap<>(
          Map.of(
              "auto", VersionPolicy.V2_THEN_V1,
              "prometheus.WriteRequest", VersionPolicy.V1,
              "io.prometheus.write.v2.Request", VersionPolicy.V2));

  /**
   * Which series an exporter holds.
   *
   * @param expiration how long a series stays that is not heard from; then it gets a stale marker
   * @param maxSeries the largest number of series held; past it new ones are refused and counted
   * @param resourceLabels whether points carry all attributes of their resource as labels
   * @param refusesDelta whether delta points are refused; else they are accumulated
   */
  public record SeriesConfig(
      Duration expiration, int maxSeries, boolean resourceLabels, boolean refusesDelta) {
    static SeriesConfig read(Section section, boolean resourceLabels) {
      return new SeriesConfig(
          section.duration(
              "metric_expiration",
              PrometheusExporterConfig.DEFAULT_METRIC_EXPIRATION,
              PrometheusExporterConfig.MIN_METRIC_EXPIRATION,
              PrometheusExporterConfig.MAX_METRIC_EXPIRATION),
          section.wholeNumber(
              "max_series",
              PrometheusExporterConfig.DEFAULT_MAX_SERIES,
              1,
              PrometheusExporterConfig.MAX_MAX_SERIES),
          resourceLabels,
          RemoteWriteEncodingConfig.refusesDelta(section));
    }
  }

  /**
   * Makes an exporter's configuration.
   *
   * @throws IllegalArgumentException if the interval is out of range
   */
  public RemoteWriteExporterConfig {
    requireNonNull(endpoint, "endpoint");
    if (collectionInterval.compareTo(MIN_INTERVAL) < 0
        || collectionInterval.compareTo(MAX_INTERVAL) > 0) {
      throw new IllegalArgumentException(
          "expected collectionInterval from 1 s to 150 s, found " + collectionInterval);
    }
  }

  static RemoteWriteExporterConfig read(Section section) {
    @Nullable URI endpoint = section.requiredUrl("endpoint");
    RemoteWriteClientConfig client = RemoteWriteClientConfig.read(section);
    boolean resourceLabels = RemoteWriteEncodingConfig.resourceLabels(section);
    section.refuse(
        "namespace", "this exporter puts nothing before names; remove the key, or rename metrics");
    section.refuse(
        "wal", "what cannot be sent goes to disk only where it has to; use disk: {directory: ...}");
    RemoteWriteDeliveryConfig delivery = RemoteWriteDeliveryConfig.read(section);
    return new RemoteWriteExporterConfig(
        endpoint == null ? NO_ENDPOINT : endpoint,
        client,
        RemoteWriteEncodingConfig.read(section, resourceLabels, delivery.consumers()),
        section.choice("protobuf_message", VersionPolicy.V2_THEN_V1, MESSAGES),
        delivery,
        SeriesConfig.read(section, resourceLabels),
        section.duration("collection_interval", DEFAULT_INTERVAL, MIN_INTERVAL, MAX_INTERVAL));
  }
}

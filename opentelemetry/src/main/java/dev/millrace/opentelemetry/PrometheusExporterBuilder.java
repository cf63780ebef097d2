package dev.millrace.opentelemetry;

import dev.millrace.export.scrape.ScrapeHandlerOptions;
import dev.millrace.export.server.BasicAuthentication;
import dev.millrace.export.server.PrometheusServer;
import dev.millrace.export.tls.Tls;
import dev.millrace.format.prometheus.PrometheusOptions;
import dev.millrace.model.MetricSource;
import io.opentelemetry.sdk.metrics.export.DefaultAggregationSelector;
import org.jspecify.annotations.Nullable;

/**
 * How a {@link PrometheusExporter} is to be. Not thread-safe.
 *
 * <pre>{@code
 * PrometheusExporter exporter =
 *     PrometheusExporter.builder()
 *         .endpoint("0.0.0.0", 9464)
 *         .prometheusOptions(
 *             PrometheusOptions.DEFAULT.withPromotedResourceAttributes("k8s.pod.name"::equals))
 *         .build();
 * assert exporter.address().getPort() == 9464;
 * }</pre>
 */
public final class PrometheusExporterBuilder {
  private final PrometheusServer.Builder server = PrometheusServer.builder();
  private boolean hasEndpoint;

  /** The last option given that makes sense for a server only. */
  private @Nullable String serverOption;

  PrometheusOptions prometheusOptions = PrometheusOptions.DEFAULT;
  ScrapeHandlerOptions scrapeOptions = ScrapeHandlerOptions.defaults();
  long encodedLabelsBytes = MillraceMetricReader.DEFAULT_ENCODED_LABELS_BYTES;
  DefaultAggregationSelector defaultAggregation = DefaultAggregationSelector.getDefault();

  PrometheusExporterBuilder() {}

  /**
   * Runs a server on loopback. There is none unless an endpoint is set.
   *
   * @param port from 1 to 65,535, or 0 for a free one
   * @throws IllegalArgumentException if it is none of these
   */
  public PrometheusExporterBuilder endpoint(int port) {
    server.port(port);
    hasEndpoint = true;
    return this;
  }

  /**
   * Runs a server on another interface.
   *
   * @param host the name or address of the interface; {@code 0.0.0.0} or {@code ::} for all
   * @param port from 1 to 65,535, or 0 for a free one
   * @throws IllegalArgumentException if it is none of these
   */
  public PrometheusExporterBuilder endpoint(String host, int port) {
    server.host(host);
    return endpoint(port);
  }

  /**
   * The path that the server is scraped at, {@code /metrics} unless set.
   *
   * @throws IllegalArgumentException as for {@link PrometheusServer.Builder#path}
   */
  public PrometheusExporterBuilder path(String path) {
    server.path(path);
    serverOption = "path";
    return this;
  }

  /** Encrypts what the server sends. It does not unless set. */
  public PrometheusExporterBuilder tls(Tls tls) {
    server.tls(tls);
    serverOption = "tls";
    return this;
  }

  /** Makes the server ask for a user name and a password. It does not unless set. */
  public PrometheusExporterBuilder basicAuthentication(BasicAuthentication basicAuthentication) {
    server.basicAuthentication(basicAuthentication);
    serverOption = "basicAuthentication";
    return this;
  }

  /**
   * Names, labels, and what is written beside the metrics; {@link PrometheusOptions#DEFAULT} unless
   * set.
   */
  public PrometheusExporterBuilder prometheusOptions(PrometheusOptions prometheusOptions) {
    this.prometheusOptions = prometheusOptions;
    return this;
  }

  /**
   * How scrapes wait for each other, whether replies are kept, and who is told of problems; {@link
   * ScrapeHandlerOptions#defaults} unless set.
   */
  public PrometheusExporterBuilder scrapeOptions(ScrapeHandlerOptions scrapeOptions) {
    this.scrapeOptions = scrapeOptions;
    return this;
  }

  /**
   * The most bytes of memory that the encoded labels of all series may take; past it they are
   * encoded again in each scrape. {@link MillraceMetricReader#DEFAULT_ENCODED_LABELS_BYTES} unless
   * set.
   *
   * @param encodedLabelsBytes 0 or more; 0 keeps nothing
   * @throws IllegalArgumentException if it is less
   */
  public PrometheusExporterBuilder encodedLabelsBytes(long encodedLabelsBytes) {
    if (encodedLabelsBytes < 0) {
      throw new IllegalArgumentException(
          "encodedLabelsBytes: expected 0 or more, found " + encodedLabelsBytes);
    }
    this.encodedLabelsBytes = encodedLabelsBytes;
    return this;
  }

  /**
   * How the SDK aggregates what no view names, such as {@code
   * DefaultAggregationSelector.getDefault().with(HISTOGRAM, base2ExponentialBucketHistogram())} for
   * native histograms. The SDK's default unless set.
   */
  public PrometheusExporterBuilder defaultAggregation(
      DefaultAggregationSelector defaultAggregation) {
    this.defaultAggregation = defaultAggregation;
    return this;
  }

  /**
   * Builds the exporter, and starts its server where it has an endpoint.
   *
   * @throws java.io.UncheckedIOException if the server cannot listen there: the port is taken, or
   *     the host is not an address of this machine; or if a file of {@link #tls} or {@link
   *     #basicAuthentication} cannot be read
   * @throws IllegalArgumentException if nothing resolves the host, or such a file has something
   *     else than expected
   * @throws IllegalStateException if there is no endpoint, but an option that is a server's
   */
  public PrometheusExporter build() {
    if (!hasEndpoint && serverOption != null) {
      throw new IllegalStateException(
          "expected an endpoint beside "
              + serverOption
              + ", which is an option of the server, found none; set an endpoint, or leave it out");
    }
    return new PrometheusExporter(this);
  }

  /** Starts a server, or gives {@code null} where there is to be none. */
  @Nullable PrometheusServer startServer(MetricSource source) {
    return hasEndpoint
        ? server
            .prometheusOptions(prometheusOptions)
            .scrapeOptions(scrapeOptions)
            .problems(scrapeOptions.problems())
            .start(source)
        : null;
  }
}

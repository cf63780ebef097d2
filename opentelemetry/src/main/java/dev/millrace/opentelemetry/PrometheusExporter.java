package dev.millrace.opentelemetry;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.export.scrape.ScrapeHandler;
import dev.millrace.export.server.PrometheusServer;
import dev.millrace.format.prometheus.PrometheusFormats;
import dev.millrace.model.EncodedLabelsBudget;
import dev.millrace.model.MetricSource;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.common.export.MemoryMode;
import io.opentelemetry.sdk.metrics.Aggregation;
import io.opentelemetry.sdk.metrics.InstrumentType;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.export.CollectionRegistration;
import io.opentelemetry.sdk.metrics.export.DefaultAggregationSelector;
import io.opentelemetry.sdk.metrics.export.MetricReader;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Shows the metrics of an OpenTelemetry SDK to Prometheus: register it with the SDK, and scrape it.
 *
 * <pre>{@code
 * PrometheusExporter exporter = PrometheusExporter.create(9464);
 * SdkMeterProvider provider = SdkMeterProvider.builder().registerMetricReader(exporter).build();
 * provider.get("shop").counterBuilder("orders").build().add(3);
 * // curl http://localhost:9464/metrics
 * assert exporter.address().getPort() == 9464;
 * }</pre>
 *
 * <p>It reads cumulative values, lets the SDK reuse its data objects, and leaves the SDK's
 * cardinality limits as they are: {@code registerMetricReader(exporter, type -> 100_000)} raises
 * them. Collections never make recording wait. A scrape before the SDK has the reader, and one
 * after the SDK's shutdown, shows nothing.
 *
 * <p>With an endpoint it runs a {@link PrometheusServer} from {@link
 * PrometheusExporterBuilder#build} on. Without one, {@link #handler} answers scrapes in a server of
 * the application's.
 *
 * <p>Thread-safe. None of its threads keeps the JVM alive.
 */
public final class PrometheusExporter implements MetricReader {
  /**
   * Chunks that lie idle between scrapes at most, 1 MiB: what a few scrapes at once need. Those
   * that nobody needs are let go.
   */
  private static final int MAX_IDLE_CHUNKS = 16;

  private final MillraceMetricReader reader;
  private final DefaultAggregationSelector defaultAggregation;
  private final @Nullable PrometheusServer server;
  private final @Nullable ScrapeHandler handler;
  private final AtomicBoolean shutDown = new AtomicBoolean();

  PrometheusExporter(PrometheusExporterBuilder options) {
    reader = new MillraceMetricReader(new EncodedLabelsBudget(options.encodedLabelsBytes));
    defaultAggregation = options.defaultAggregation;
    server = options.startServer(reader.source());
    handler = server == null ? handler(reader.source(), options) : null;
  }

  /**
   * An exporter whose server listens on that port of loopback, with everything else as {@link
   * #builder} has it.
   *
   * @param port from 1 to 65,535, or 0 for a free one
   * @throws java.io.UncheckedIOException if the port is taken
   */
  public static PrometheusExporter create(int port) {
    return builder().endpoint(port).build();
  }

  /** An exporter that is not built yet: without a server, and with defaults for everything else. */
  public static PrometheusExporterBuilder builder() {
    return new PrometheusExporterBuilder();
  }

  /**
   * The address that the server listens on.
   *
   * @throws IllegalStateException if the exporter has no server
   */
  public InetSocketAddress address() {
    if (server == null) {
      throw new IllegalStateException(
          "expected an exporter with a server, found one without; give the builder an endpoint");
    }
    return server.address();
  }

  /**
   * What answers scrapes, to be mounted in a server of the application's: in a {@link
   * dev.millrace.export.server.ScrapeHttpHandler} of the JDK's server, in a {@link
   * dev.millrace.export.server.ScrapeServlet}, or behind a transport of its own. The exporter owns
   * it, and closes it at shutdown.
   *
   * @throws IllegalStateException if the exporter has a server of its own
   */
  public ScrapeHandler handler() {
    if (handler == null) {
      throw new IllegalStateException(
          "expected an exporter without a server, found one on "
              + address()
              + "; build one without an endpoint to mount it elsewhere");
    }
    return handler;
  }

  /** Called by the SDK. */
  @Override
  public void register(CollectionRegistration registration) {
    reader.register(registration);
  }

  /** Cumulative, always: Prometheus knows nothing else. */
  @Override
  public AggregationTemporality getAggregationTemporality(InstrumentType instrumentType) {
    return reader.getAggregationTemporality(instrumentType);
  }

  /** As built. */
  @Override
  public Aggregation getDefaultAggregation(InstrumentType instrumentType) {
    return defaultAggregation.getDefaultAggregation(instrumentType);
  }

  /** Reusable, always: one collection is read at a time. */
  @Override
  public MemoryMode getMemoryMode() {
    return reader.getMemoryMode();
  }

  /** Does nothing, with success: Prometheus comes when it wants to. */
  @Override
  public CompletableResultCode forceFlush() {
    return CompletableResultCode.ofSuccess();
  }

  /**
   * Stops the server, whose port is free when this returns: scrapes that run have the time to end
   * that {@link PrometheusServer#close} gives them. A handler that is mounted elsewhere shows
   * nothing from here on. Shutting down again does nothing.
   */
  @Override
  public CompletableResultCode shutdown() {
    if (!shutDown.getAndSet(true)) {
      if (server != null) {
        server.close();
      }
      if (handler != null) {
        handler.close();
      }
      return reader.shutdown();
    }
    return CompletableResultCode.ofSuccess();
  }

  /** As {@link #shutdown}; for exporters that no SDK closes. */
  @Override
  public void close() {
    shutdown();
  }

  /** A description for people; the form is not fixed. */
  @Override
  public String toString() {
    return "PrometheusExporter{"
        + (server == null ? "no server" : "address=" + server.address())
        + "}";
  }

  private static ScrapeHandler handler(MetricSource source, PrometheusExporterBuilder options) {
    PrometheusFormats formats =
        new PrometheusFormats(options.prometheusOptions, options.scrapeOptions.problems());
    return new ScrapeHandler(
        source, new ChunkPool(MAX_IDLE_CHUNKS), formats::encoder, options.scrapeOptions);
  }
}

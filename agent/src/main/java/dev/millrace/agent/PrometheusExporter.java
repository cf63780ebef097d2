package dev.millrace.agent;

import dev.millrace.agent.config.ComponentId;
import dev.millrace.agent.config.PrometheusExporterConfig;
import dev.millrace.agent.config.ScrapeConfig;
import dev.millrace.agent.http.HttpLoops;
import dev.millrace.agent.http.HttpServer;
import dev.millrace.agent.http.HttpServerOptions;
import dev.millrace.agent.http.MetricsRequestHandler;
import dev.millrace.agent.http.ScrapeEndpoint;
import dev.millrace.agent.http.WorkerPool;
import dev.millrace.agent.otlp.OtlpMetricsReceiver;
import dev.millrace.agent.pull.JoinedSource;
import dev.millrace.agent.series.SeriesTable;
import dev.millrace.agent.series.SeriesTableOptions;
import dev.millrace.bytes.ChunkPool;
import dev.millrace.export.scrape.ScrapeHandler;
import dev.millrace.export.server.BasicCheck;
import dev.millrace.format.prometheus.PrometheusFormats;
import dev.millrace.model.MetricSource;
import dev.millrace.model.Problems;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * An exporter of type {@code prometheus}: a series table, the sources that are read beside it, and
 * the server that all are scraped from.
 */
final class PrometheusExporter implements AutoCloseable {
  private final SeriesTable table;
  private final SelfMetrics selfMetrics;
  private final JoinedSource source;
  private final OtlpMetricsReceiver receiver;
  private final ScrapeHandler handler;
  private final WorkerPool scrapers;
  private final HttpServer server;

  private PrometheusExporter(
      SeriesTable table,
      SelfMetrics selfMetrics,
      JoinedSource source,
      OtlpMetricsReceiver receiver,
      ScrapeHandler handler,
      WorkerPool scrapers,
      HttpServer server) {
    this.table = table;
    this.selfMetrics = selfMetrics;
    this.source = source;
    this.receiver = receiver;
    this.handler = handler;
    this.scrapers = scrapers;
    this.server = server;
  }

  /**
   * Starts an exporter.
   *
   * @param ready whether the agent takes requests
   * @throws IOException if the address cannot be listened on, or a file that the configuration
   *     names cannot be used
   */
  static PrometheusExporter start(
      ComponentId id,
      PrometheusExporterConfig config,
      ChunkPool chunks,
      HttpLoops loops,
      BooleanSupplier ready,
      Problems problems,
      ProcessFacts process)
      throws IOException {
    SeriesTable table =
        new SeriesTable(
            SeriesTableOptions.DEFAULTS
                .withMaxSeries(config.maxSeries())
                .withResourcesApart(config.translation().resourceLabels())
                .withExpirationNanos(config.metricExpiration().toNanos()),
            System::nanoTime,
            problems);
    SelfMetrics selfMetrics = new SelfMetrics(table, process);
    PrometheusFormats formats = new PrometheusFormats(config.translation().options(), problems);
    JoinedSource source = new JoinedSource(selfMetrics);
    ScrapeHandler handler =
        new ScrapeHandler(
            source,
            chunks,
            formats::encoder,
            config
                .scrape()
                .handlerOptions()
                .withMaxScrapes(ScrapeEndpoint.MAX_CONCURRENT_SCRAPES)
                .withProblems(problems));
    BasicCheck credentials = credentials(id, config.scrape(), problems);
    WorkerPool scrapers =
        new WorkerPool("millrace-scrape", ScrapeEndpoint.MAX_CONCURRENT_SCRAPES, 0);
    ScrapeEndpoint endpoint = new ScrapeEndpoint(handler, scrapers, ready, credentials, problems);
    HttpServer server =
        HttpServer.start(
            HttpServerOptions.of(
                    "exporters: " + id, config.endpoint().host(), config.endpoint().port())
                .withTls(config.scrape().tls() == null ? null : config.scrape().tls().tls()),
            endpoint,
            loops,
            problems);
    PrometheusExporter exporter =
        new PrometheusExporter(
            table,
            selfMetrics,
            source,
            new OtlpMetricsReceiver(table, chunks, problems),
            handler,
            scrapers,
            server);
    selfMetrics.describe(process.hostName() + ":" + exporter.address().getPort());
    selfMetrics.addProcess(process, problems);
    exporter.addTo(selfMetrics, id, endpoint);
    return exporter;
  }

  /** Takes requests into this exporter's table. */
  MetricsRequestHandler receiver() {
    return receiver::receive;
  }

  /** Takes in what is read at each scrape, behind what was taken in before. */
  void pull(MetricSource pulled) {
    source.add(pulled);
  }

  SelfMetrics selfMetrics() {
    return selfMetrics;
  }

  InetSocketAddress address() {
    return server.localAddress();
  }

  /** Lets go of series that have expired, and of memory that nobody needed for a while. */
  void expire() {
    table.expire();
    handler.trim();
  }

  void beginStop() {
    server.beginStop();
  }

  boolean awaitStop(long deadlineNanos) {
    boolean finished = server.awaitStop(deadlineNanos);
    scrapers.close();
    return finished;
  }

  @Override
  public void close() {
    handler.close();
  }

  private static @Nullable BasicCheck credentials(
      ComponentId id, ScrapeConfig config, Problems problems) throws IOException {
    try {
      return config.basicAuth() == null
          ? null
          : config.basicAuth().authentication().check(problems);
    } catch (UncheckedIOException | IllegalArgumentException e) {
      throw new IOException("exporters: " + id + ": basic_auth: " + e.getMessage(), e);
    }
  }

  private void addTo(SelfMetrics metrics, ComponentId id, ScrapeEndpoint endpoint) {
    String name = id.toString();
    metrics.size(
        "millrace.exporter.series",
        "{series}",
        "Series in the scrape, the agent's own aside.",
        table::seriesCount,
        "exporter",
        name);
    metrics.counts(
        "millrace.exporter.points",
        "{point}",
        "Points that were received, by whether they were taken over.",
        "outcome",
        to -> {
          to.accept("accepted", table.acceptedPoints());
          to.accept("rejected", table.rejectedPoints());
        },
        "exporter",
        name);
    metrics.counter(
        "millrace.exporter.scrapes",
        "{scrape}",
        "Scrapes that were answered in full.",
        endpoint::scrapes,
        "exporter",
        name);
    metrics.counter(
        "millrace.exporter.sent",
        "By",
        "Bodies of scrapes, as they were on the wire.",
        endpoint::sentBytes,
        "exporter",
        name);
    metrics.size(
        "millrace.exporter.connections",
        "{connection}",
        "Open connections.",
        server::connectionCount,
        "exporter",
        name);
  }
}

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
import dev.millrace.agent.series.PointPolicy;
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
final class PrometheusExporter implements MetricsExporter {
  private final String name;
  private final SeriesTable table;
  private final SelfMetrics selfMetrics;
  private final JoinedSource source;
  private final OtlpMetricsReceiver receiver;
  private final ScrapeHandler handler;
  private final WorkerPool scrapers;
  private final ScrapeEndpoint endpoint;
  private final HttpServer server;

  private PrometheusExporter(
      String name,
      SeriesTable table,
      SelfMetrics selfMetrics,
      JoinedSource source,
      OtlpMetricsReceiver receiver,
      ScrapeHandler handler,
      WorkerPool scrapers,
      ScrapeEndpoint endpoint,
      HttpServer server) {
    this.name = name;
    this.table = table;
    this.selfMetrics = selfMetrics;
    this.source = source;
    this.receiver = receiver;
    this.handler = handler;
    this.scrapers = scrapers;
    this.endpoint = endpoint;
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
                .withPoints(
                    PointPolicy.LATEST.withResourcesApart(config.translation().resourceLabels()))
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
            id.toString(),
            table,
            selfMetrics,
            source,
            new OtlpMetricsReceiver(table, chunks, problems),
            handler,
            scrapers,
            endpoint,
            server);
    selfMetrics.describe(process.hostName() + ":" + exporter.address().getPort());
    selfMetrics.addProcess(process, problems);
    return exporter;
  }

  /** Takes requests into this exporter's table. */
  @Override
  public MetricsRequestHandler receiver() {
    return receiver::receive;
  }

  @Override
  public void pull(MetricSource pulled) {
    source.add(pulled);
  }

  @Override
  public SelfMetrics selfMetrics() {
    return selfMetrics;
  }

  @Override
  public InetSocketAddress address() {
    return server.localAddress();
  }

  @Override
  public void expire() {
    table.expire();
    handler.trim();
  }

  @Override
  public void beginStop() {
    server.beginStop();
  }

  @Override
  public boolean awaitStop(long deadlineNanos) {
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

  @Override
  public void addTo(SelfMetrics metrics) {
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
        "Bodies that were sent, as they were on the wire.",
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

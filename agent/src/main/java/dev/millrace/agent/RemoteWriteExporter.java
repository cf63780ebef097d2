package dev.millrace.agent;

import dev.millrace.agent.config.ComponentId;
import dev.millrace.agent.config.RemoteWriteClientConfig;
import dev.millrace.agent.config.RemoteWriteExporterConfig;
import dev.millrace.agent.http.MetricsRequestHandler;
import dev.millrace.agent.otlp.OtlpMetricsReceiver;
import dev.millrace.agent.pull.JoinedSource;
import dev.millrace.agent.series.PointPolicy;
import dev.millrace.agent.series.SeriesTable;
import dev.millrace.agent.series.SeriesTableOptions;
import dev.millrace.bytes.ChunkPool;
import dev.millrace.export.remotewrite.RemoteWriteQueue;
import dev.millrace.export.remotewrite.RemoteWriter;
import dev.millrace.export.remotewrite.RemoteWriterOptions;
import dev.millrace.model.MetricCursor;
import dev.millrace.model.MetricSource;
import dev.millrace.model.Problem;
import dev.millrace.model.Problems;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * An exporter of type {@code prometheusremotewrite}.
 *
 * <p>What is received goes into a series table, which knows what delta points add up to, and shows
 * each point once. The points are made into requests once a second, or sooner where a second point
 * of a series comes: that costs a thread that receives some processor time, and never the time of a
 * network. The agent's own metrics and the sources that are read stand beside the table, and are
 * collected whole on an interval.
 */
final class RemoteWriteExporter implements MetricsExporter {
  /** As long as a request that is not full is kept open for more. */
  private static final long READ_MILLIS = 1_000;

  /** How long the receiver may take for what is queued when the agent stops. */
  private static final long STOP_MILLIS = 1_500;

  /** How long what could not be sent then may take to reach the disk. */
  private static final long STORE_MILLIS = 1_000;

  private final SeriesTable table;
  private final SelfMetrics selfMetrics;
  private final JoinedSource collected;
  private final OtlpMetricsReceiver receiver;
  private final RemoteWriter writer;
  private final RemoteWriteMetrics metrics;
  private final Problem failed;
  private final ScheduledThreadPoolExecutor timer;
  private final Thread stopper;
  private volatile boolean finished;

  private RemoteWriteExporter(
      ComponentId id,
      RemoteWriteExporterConfig config,
      RemoteWriter writer,
      ChunkPool chunks,
      Problems problems,
      ProcessFacts process) {
    this.writer = writer;
    table =
        new SeriesTable(
            SeriesTableOptions.DEFAULTS
                .withMaxSeries(config.series().maxSeries())
                .withExpirationNanos(config.series().expiration().toNanos())
                .withPoints(
                    new PointPolicy(
                        config.series().resourceLabels(), true, config.series().refusesDelta())),
            System::nanoTime,
            problems);
    selfMetrics =
        new SelfMetrics(
            new SeriesTable(SeriesTableOptions.DEFAULTS, System::nanoTime, problems), process);
    collected = new JoinedSource(selfMetrics);
    receiver = new OtlpMetricsReceiver(table, chunks, problems);
    metrics = new RemoteWriteMetrics(id.toString(), table, writer);
    failed = problems.kind("remote_write_encoding_failed");
    timer = new ScheduledThreadPoolExecutor(1, task -> daemon(task, "millrace-write " + id));
    stopper = daemon(this::finish, "millrace-stop " + id);
    table.unreadPoints().readBy(this::writeReceived);
  }

  /**
   * Starts an exporter.
   *
   * @throws IOException if a file that the configuration names, or the disk directory, cannot be
   *     used
   */
  static RemoteWriteExporter start(
      ComponentId id,
      RemoteWriteExporterConfig config,
      ChunkPool chunks,
      Problems problems,
      ProcessFacts process)
      throws IOException {
    RemoteWriter writer;
    try {
      writer = new RemoteWriter(options(id, config, problems), chunks);
    } catch (UncheckedIOException | IllegalArgumentException e) {
      throw new IOException("exporters: " + id + ": " + e.getMessage(), e);
    }
    RemoteWriteExporter exporter =
        new RemoteWriteExporter(id, config, writer, chunks, problems, process);
    exporter.selfMetrics.describe(process.hostName() + ":" + id);
    exporter.selfMetrics.addProcess(process, problems);
    exporter.every(READ_MILLIS, exporter::writeReceived);
    exporter.every(config.collectionInterval().toMillis(), exporter::writeCollected);
    return exporter;
  }

  private static RemoteWriterOptions options(
      ComponentId id, RemoteWriteExporterConfig config, Problems problems) {
    RemoteWriteClientConfig client = config.client();
    RemoteWriteQueue queue = config.delivery().queue();
    Path directory = queue.directory();
    return RemoteWriterOptions.to(config.endpoint())
        .withEncoding(config.encoding())
        .withVersions(config.versions())
        .withHeaders(client.headers(problems))
        .withConnection(client.connection())
        .withDelivery(config.delivery().delivery())
        // Exporters that are given one directory each have a folder of their own in it.
        .withQueue(
            directory == null
                ? queue
                : queue.withDirectory(directory.resolve(id.toString().replace('/', '-'))))
        .withProblems(problems);
  }

  private static Thread daemon(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }

  @SuppressWarnings("FutureReturnValueIgnored") // The task throws nothing, and runs until the end.
  private void every(long millis, Runnable task) {
    timer.scheduleWithFixedDelay(
        () -> {
          try {
            task.run();
          } catch (RuntimeException e) {
            // A timer that throws is never run again.
            failed.add(
                1, () -> "expected metrics that can be encoded, found some that failed: " + e);
          }
        },
        millis,
        millis,
        TimeUnit.MILLISECONDS);
  }

  private void writeReceived() {
    try (MetricCursor cursor = table.unreadPoints().open()) {
      writer.write(cursor, false);
    }
  }

  private void writeCollected() {
    try (MetricCursor cursor = collected.open()) {
      writer.write(cursor, true);
    }
  }

  @Override
  public MetricsRequestHandler receiver() {
    return receiver::receive;
  }

  @Override
  public void pull(MetricSource pulled) {
    collected.add(pulled);
  }

  @Override
  public SelfMetrics selfMetrics() {
    return selfMetrics;
  }

  @Override
  public void addTo(SelfMetrics to) {
    metrics.addTo(to);
  }

  @Override
  public @Nullable InetSocketAddress address() {
    return null;
  }

  @Override
  public void expire() {
    table.expire();
  }

  @Override
  public void beginStop() {
    timer.shutdown();
    stopper.start();
  }

  /** Sends what was received, and stores or drops what cannot be sent in time. */
  private void finish() {
    try {
      writeReceived();
    } catch (RuntimeException e) {
      failed.add(1, () -> "expected metrics that can be encoded, found some that failed: " + e);
    } finally {
      finished = writer.shutdown(STOP_MILLIS);
    }
  }

  @Override
  public boolean awaitStop(long deadlineNanos) {
    long leftMillis = TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime());
    try {
      stopper.join(Math.max(1, leftMillis + STORE_MILLIS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return finished && !stopper.isAlive();
  }

  @Override
  public void close() {
    timer.shutdown();
    writer.shutdown(0);
  }
}

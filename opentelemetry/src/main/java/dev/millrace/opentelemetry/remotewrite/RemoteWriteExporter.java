package dev.millrace.opentelemetry.remotewrite;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.export.remotewrite.RemoteWriter;
import dev.millrace.export.remotewrite.RemoteWriterOptions;
import dev.millrace.model.EncodedLabelsBudget;
import dev.millrace.model.MetricCursor;
import dev.millrace.opentelemetry.MetricDataSource;
import dev.millrace.opentelemetry.self.SuppressedTransport;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.common.export.MemoryMode;
import io.opentelemetry.sdk.metrics.Aggregation;
import io.opentelemetry.sdk.metrics.InstrumentType;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.export.DefaultAggregationSelector;
import io.opentelemetry.sdk.metrics.export.MetricExporter;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.StringJoiner;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Exports the metrics of an OpenTelemetry SDK by Prometheus remote write, 2.0 or 1.0.
 *
 * <pre>{@code
 * RemoteWriteExporter exporter =
 *     RemoteWriteExporter.to(URI.create("http://mimir:8080/api/v1/push"));
 * SdkMeterProvider provider =
 *     SdkMeterProvider.builder()
 *         .registerMetricReader(PeriodicMetricReader.create(exporter))
 *         .build();
 * assert exporter.toString().equals("RemoteWriteExporter{http://mimir:8080}");
 * }</pre>
 *
 * <p><b>What is sent.</b> Names and labels are those that a scrape has. Values are cumulative. Each
 * export is a whole collection: a series that the last one had and this one has not has ended, and
 * gets a stale marker. So do all series at the shutdown, because they end with the process.
 *
 * <p><b>Delivery.</b> An export succeeds once its requests are queued: it waits for no network.
 * {@link #flush} ends when what was exported before was delivered, given up or stored on disk.
 * {@link #shutdown} flushes, for {@value #MAX_SHUTDOWN_MILLIS} ms at most. Several endpoints have a
 * queue each: one that is down, or slow, never holds another up.
 *
 * <p>Thread-safe: exports that come at once are encoded one after the other. None of its threads
 * keeps the JVM alive. Its own requests are not traced.
 */
public final class RemoteWriteExporter implements MetricExporter {
  /**
   * The SDK waits ten seconds for the end of all that it has, and what could not be sent has to
   * reach the disk within them.
   */
  static final long MAX_SHUTDOWN_MILLIS = 8_000;

  /** The kind of problem that counts collections which could not be encoded. */
  static final String ENCODING_FAILED = "remote_write_encoding_failed";

  /** 8 MiB: the requests of a large collection. Chunks that nobody needs are let go. */
  private static final int MAX_IDLE_CHUNKS = 128;

  private final ChunkPool pool = new ChunkPool(MAX_IDLE_CHUNKS);
  private final List<Target> targets;
  private final DefaultAggregationSelector aggregation;
  private final MetricDataSource source;
  private final @Nullable Health health;
  private final ReentrantLock lock = new ReentrantLock();
  private boolean shutDown;
  private Collection<MetricData> current = List.of();

  RemoteWriteExporter(RemoteWriteExporterBuilder options) {
    aggregation = options.defaultAggregation;
    source =
        new MetricDataSource(() -> current, new EncodedLabelsBudget(options.encodedLabelsBytes));
    targets = Target.open(options.endpoints(), pool);
    health = options.meterProvider == null ? null : new Health(options.meterProvider, targets);
  }

  /**
   * An exporter to one endpoint, with everything else as {@link #builder} has it.
   *
   * @param endpoint {@code http} or {@code https}, with the path that the receiver wants, such as
   *     Prometheus' {@code /api/v1/write}
   * @throws IllegalArgumentException if it is no such address
   */
  public static RemoteWriteExporter to(URI endpoint) {
    return builder().endpoint(endpoint).build();
  }

  /** An exporter that is not built yet. */
  public static RemoteWriteExporterBuilder builder() {
    return new RemoteWriteExporterBuilder();
  }

  /** Encodes a collection and queues it, for each endpoint. */
  @Override
  public CompletableResultCode export(Collection<MetricData> metrics) {
    boolean queued = true;
    lock.lock();
    try {
      if (shutDown) {
        return CompletableResultCode.ofFailure();
      }
      current = metrics;
      for (Target target : targets) {
        queued &= write(target);
      }
    } finally {
      current = List.of();
      lock.unlock();
    }
    if (health != null) {
      health.exported();
    }
    return queued ? CompletableResultCode.ofSuccess() : CompletableResultCode.ofFailure();
  }

  private boolean write(Target target) {
    try (MetricCursor cursor = source.open()) {
      target.writer().write(cursor, true);
      return true;
    } catch (RuntimeException e) {
      target
          .options()
          .problems()
          .kind(ENCODING_FAILED)
          .add(1, () -> "expected metrics that can be encoded, found some that failed: " + e);
      return false;
    }
  }

  /** Cumulative, always: Prometheus knows nothing else. */
  @Override
  public AggregationTemporality getAggregationTemporality(InstrumentType instrumentType) {
    return AggregationTemporality.CUMULATIVE;
  }

  /** As built. */
  @Override
  public Aggregation getDefaultAggregation(InstrumentType instrumentType) {
    return aggregation.getDefaultAggregation(instrumentType);
  }

  /** Reusable, always: what is exported has been read when {@link #export} returns. */
  @Override
  public MemoryMode getMemoryMode() {
    return MemoryMode.REUSABLE_DATA;
  }

  /**
   * Sends what is queued now, at each endpoint within the timeout of a request. It succeeds when
   * all of it was delivered, given up as the options say, or stored on disk.
   */
  @Override
  public CompletableResultCode flush() {
    return Target.each(
        targets,
        "flush",
        target -> target.writer().flush(target.options().delivery().timeoutMillis()));
  }

  /**
   * Takes no more and sends what is queued: for the timeout of a request and {@value
   * #MAX_SHUTDOWN_MILLIS} ms at most. What is left then goes to the disk, or is dropped and
   * counted. Shutting down again does nothing.
   */
  @Override
  public CompletableResultCode shutdown() {
    lock.lock();
    try {
      if (shutDown) {
        return CompletableResultCode.ofSuccess();
      }
      shutDown = true;
    } finally {
      lock.unlock();
    }
    if (health != null) {
      health.close();
    }
    CompletableResultCode all =
        Target.each(
            targets,
            "shutdown",
            target ->
                target
                    .writer()
                    .shutdown(
                        Math.min(
                            MAX_SHUTDOWN_MILLIS, target.options().delivery().timeoutMillis())));
    return all.whenComplete(pool::trim);
  }

  /** Where to, for people: scheme, host and port of each endpoint. */
  @Override
  public String toString() {
    StringJoiner names = new StringJoiner(", ", "RemoteWriteExporter{", "}");
    for (Target target : targets) {
      names.add(target.writer().name());
    }
    return names.toString();
  }

  /** Chunks of memory that are in use; for tests. */
  long outstandingChunks() {
    return pool.outstandingChunks();
  }

  /** One endpoint: a writer, and what it was made of. */
  record Target(RemoteWriterOptions options, RemoteWriter writer) {
    /** What is done with one endpoint, which may wait for it. */
    interface Step {
      /**
       * Does it.
       *
       * @return whether all came to an end
       */
      boolean of(Target target);
    }

    static List<Target> open(List<RemoteWriterOptions> endpoints, ChunkPool pool) {
      List<Target> opened = new ArrayList<>();
      try {
        for (RemoteWriterOptions options : endpoints) {
          opened.add(
              new Target(options, new RemoteWriter(options, pool, SuppressedTransport::new)));
        }
        return List.copyOf(opened);
      } catch (RuntimeException e) {
        for (Target target : opened) {
          target.writer.close();
        }
        throw e;
      }
    }

    /** Does something with all endpoints at once: each may take its time, and none the others'. */
    static CompletableResultCode each(List<Target> targets, String name, Step step) {
      List<CompletableResultCode> results = new ArrayList<>();
      for (Target target : targets) {
        CompletableResultCode result = new CompletableResultCode();
        results.add(result);
        Thread thread =
            new Thread(
                () -> finish(target, step, result),
                "millrace-remote-write-" + name + " " + target.writer.name());
        thread.setDaemon(true);
        thread.start();
      }
      return CompletableResultCode.ofAll(results);
    }

    private static void finish(Target target, Step step, CompletableResultCode result) {
      boolean ended = false;
      try {
        ended = step.of(target);
      } finally {
        if (ended) {
          result.succeed();
        } else {
          result.fail();
        }
      }
    }
  }
}

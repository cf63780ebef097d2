package dev.millrace.agent;

import dev.millrace.agent.config.ComponentId;
import dev.millrace.agent.config.MillraceStoreReceiverConfig;
import dev.millrace.agent.config.MultiprocessReceiverConfig;
import dev.millrace.model.Labels;
import dev.millrace.model.MetricSource;
import dev.millrace.model.Problems;
import dev.millrace.model.Resource;
import dev.millrace.store.StoreOptions;
import dev.millrace.store.StoreSource;
import dev.millrace.store.foreign.ForeignBounds;
import dev.millrace.store.foreign.ForeignOptions;
import dev.millrace.store.foreign.ForeignSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * A receiver of type {@code millrace_store} or {@code multiprocess}: a directory that other
 * processes write, and that is read when an exporter is scraped. Thread-safe.
 */
final class DirectoryReceiver implements AutoCloseable {
  private final MetricSource source;
  private final Consumer<SelfMetrics> ownMetrics;
  private final Runnable onClose;

  private DirectoryReceiver(
      MetricSource source, Consumer<SelfMetrics> ownMetrics, Runnable onClose) {
    this.source = source;
    this.ownMetrics = ownMetrics;
    this.onClose = onClose;
  }

  /**
   * Opens a store's directory, and looks after its dead processes where that is asked for.
   *
   * @throws IOException if the directory cannot be used; the message says what to do
   */
  static DirectoryReceiver start(
      ComponentId id, MillraceStoreReceiverConfig config, Problems problems) throws IOException {
    if (config.retire()) {
      makeWritable(id, config.directory());
    }
    StoreSource source;
    try {
      source =
          StoreSource.of(
              config.directory(),
              StoreOptions.builder()
                  .problems(problems)
                  .resource(resource(config.resourceAttributes()))
                  .build());
    } catch (UncheckedIOException e) {
      throw failure(id, e.getMessage(), e);
    }
    if (!config.retire()) {
      return new DirectoryReceiver(source, metrics -> {}, source::close);
    }
    AtomicLong retired = new AtomicLong();
    ScheduledThreadPoolExecutor timer =
        every(config.retireInterval().toMillis(), () -> retired.addAndGet(source.retire()));
    return new DirectoryReceiver(
        source,
        metrics ->
            metrics.counter(
                "millrace.receiver.retired",
                "{process}",
                "Dead processes whose values were folded into the totals.",
                retired::get,
                "receiver",
                id.toString()),
        () -> {
          timer.shutdownNow();
          source.close();
        });
  }

  /**
   * Opens another client's directory.
   *
   * @throws IOException if the path is no directory, or the schema cannot be read
   */
  static DirectoryReceiver start(
      ComponentId id, MultiprocessReceiverConfig config, Problems problems) throws IOException {
    ForeignOptions.Builder options =
        ForeignOptions.builder()
            .client(config.client())
            .bounds(
                new ForeignBounds(
                    ForeignBounds.DEFAULT.maxFiles(),
                    ForeignBounds.DEFAULT.maxFileBytes(),
                    config.maxSamples(),
                    ForeignBounds.DEFAULT.maxKeyBytes()))
            .problems(problems)
            .resource(resource(config.resourceAttributes()));
    config.schema().ifPresent(options::schema);
    try {
      ForeignSource source = ForeignSource.of(config.directory(), options.build());
      return new DirectoryReceiver(
          source, metrics -> addTo(metrics, id.toString(), source), source::close);
    } catch (UncheckedIOException e) {
      throw failure(id, e.getMessage(), e);
    }
  }

  private static void addTo(SelfMetrics metrics, String name, ForeignSource source) {
    metrics.size(
        "millrace.receiver.files",
        "{file}",
        "Files that are read at each scrape.",
        source::fileCount,
        "receiver",
        name);
    metrics.size(
        "millrace.receiver.damaged_files",
        "{file}",
        "Files of which only a part is read, because the rest is damaged.",
        source::damagedFileCount,
        "receiver",
        name);
    metrics.size(
        "millrace.receiver.samples",
        "{sample}",
        "Samples of all files merged; each bucket of a histogram is one.",
        source::sampleCount,
        "receiver",
        name);
  }

  private static void makeWritable(ComponentId id, Path directory) throws IOException {
    try {
      Files.createDirectories(directory);
    } catch (IOException e) {
      throw failure(id, directory + ": expected a directory, or a place to make one: " + e, e);
    }
    if (!Files.isWritable(directory)) {
      throw failure(
          id,
          directory
              + ": expected a directory that this process can write in, found a read-only one;"
              + " let it write there, or set retire: false",
          null);
    }
  }

  private static IOException failure(
      ComponentId id,
      @org.jspecify.annotations.Nullable String reason,
      @org.jspecify.annotations.Nullable Throwable cause) {
    return new IOException("receivers: " + id + ": " + reason, cause);
  }

  private static Resource resource(Map<String, String> attributes) {
    if (attributes.isEmpty()) {
      return Resource.EMPTY;
    }
    Labels.Builder labels = new Labels.Builder();
    attributes.forEach(labels::put);
    return new Resource(labels.build(), "");
  }

  @SuppressWarnings("FutureReturnValueIgnored") // The task throws nothing, and runs until the end.
  private static ScheduledThreadPoolExecutor every(long millis, Runnable task) {
    ScheduledThreadPoolExecutor timer =
        new ScheduledThreadPoolExecutor(
            1,
            run -> {
              Thread thread = new Thread(run, "millrace-retire");
              thread.setDaemon(true);
              return thread;
            });
    timer.scheduleWithFixedDelay(task, millis, millis, TimeUnit.MILLISECONDS);
    return timer;
  }

  /** What an exporter reads. */
  MetricSource source() {
    return source;
  }

  /** Adds this receiver's counts to an exporter's own metrics. */
  void addTo(SelfMetrics metrics) {
    ownMetrics.accept(metrics);
  }

  @Override
  public void close() {
    onClose.run();
  }
}

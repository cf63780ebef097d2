package dev.millrace.agent;

import dev.millrace.agent.config.AgentConfig;
import dev.millrace.agent.config.ComponentId;
import dev.millrace.agent.config.ExporterConfig;
import dev.millrace.agent.config.MillraceStoreReceiverConfig;
import dev.millrace.agent.config.MultiprocessReceiverConfig;
import dev.millrace.agent.config.OtlpReceiverConfig;
import dev.millrace.agent.config.PipelineConfig;
import dev.millrace.agent.config.PrometheusExporterConfig;
import dev.millrace.agent.config.ReceiverConfig;
import dev.millrace.agent.config.RemoteWriteExporterConfig;
import dev.millrace.agent.http.BodyBudget;
import dev.millrace.agent.http.HttpLoops;
import dev.millrace.agent.http.MetricsRequestHandler;
import dev.millrace.agent.http.WorkerPool;
import dev.millrace.agent.pull.JoinedSource;
import dev.millrace.bytes.ChunkPool;
import dev.millrace.model.Problems;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A running agent: every receiver and exporter of a configuration, connected as its pipelines say.
 *
 * <p>Exporters are started first and stopped last, so that whatever is received can be scraped.
 * Thread-safe. {@link #stop} is called once.
 */
public final class Agent {
  /**
   * Idle chunks that are kept: 16 MiB, the bodies and replies of a busy moment. A quiet pool gives
   * them up.
   */
  private static final int MAX_IDLE_CHUNKS = 256;

  /** The part of the heap that request bodies may have; the series need the rest. */
  private static final int HEAP_SHARE_OF_BODIES = 4;

  /** Decoding is work for the processor alone. */
  private static final int MAX_OTLP_WORKERS = 4;

  /** Requests that wait for a worker: about a tenth of a second of work. */
  private static final int MAX_WAITING_REQUESTS = 128;

  /** How long requests in progress may take when the agent stops. */
  private static final long STOP_RECEIVERS_MILLIS = 2_000;

  /** How long scrapes in progress, and what waits to be sent, may take when the agent stops. */
  private static final long STOP_EXPORTERS_MILLIS = 1_500;

  private static final long EXPIRE_MILLIS = 1_000;

  private final Problems problems = new Problems();
  private final ProcessFacts process = new ProcessFacts();
  private final ChunkPool chunks = new ChunkPool(MAX_IDLE_CHUNKS);
  private final HttpLoops loops = new HttpLoops();
  private final WorkerPool workers;
  private final BodyBudget budget;
  private final Map<ComponentId, MetricsExporter> exporters = new LinkedHashMap<>();
  private final Map<ComponentId, OtlpReceiver> receivers = new LinkedHashMap<>();
  private final List<DirectoryReceiver> directories = new ArrayList<>();
  private final ScheduledThreadPoolExecutor timer;
  private volatile boolean ready;

  private Agent() {
    int processors = Runtime.getRuntime().availableProcessors();
    workers =
        new WorkerPool(
            "millrace-otlp", Math.min(MAX_OTLP_WORKERS, processors), MAX_WAITING_REQUESTS);
    budget = new BodyBudget(Runtime.getRuntime().maxMemory() / HEAP_SHARE_OF_BODIES);
    timer =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread = new Thread(task, "millrace-timer");
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * Starts everything that a configuration names.
   *
   * @throws IOException if an address cannot be listened on; the message says which and what to do,
   *     and nothing is left running
   */
  public static Agent start(AgentConfig config) throws IOException {
    Agent agent = new Agent();
    try {
      for (Map.Entry<ComponentId, ExporterConfig> entry : config.exporters().entrySet()) {
        agent.startExporter(entry.getKey(), entry.getValue());
      }
      agent.addExporters();
      for (Map.Entry<ComponentId, ReceiverConfig> entry : config.receivers().entrySet()) {
        agent.startReceiver(entry.getKey(), entry.getValue(), config.pipelines());
      }
      agent.startTimer();
      agent.ready = true;
      return agent;
    } catch (IOException | RuntimeException | Error e) {
      agent.stop();
      throw e;
    }
  }

  /** Where each receiver and exporter listens, by its name in the configuration. */
  public Map<String, InetSocketAddress> addresses() {
    Map<String, InetSocketAddress> addresses = new LinkedHashMap<>();
    receivers.forEach((id, receiver) -> addresses.put("receivers: " + id, receiver.address()));
    exporters.forEach(
        (id, exporter) -> {
          InetSocketAddress address = exporter.address();
          if (address != null) {
            addresses.put("exporters: " + id, address);
          }
        });
    return addresses;
  }

  /**
   * Stops: accepts nothing more, lets what is in progress finish, and ends every thread. Takes 4.5
   * seconds at most where peers and disks are slow, and no time where nothing is in progress.
   *
   * @return whether everything that was in progress finished
   */
  public boolean stop() {
    ready = false;
    timer.shutdownNow();
    boolean finished = true;
    long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(STOP_RECEIVERS_MILLIS);
    receivers.values().forEach(OtlpReceiver::beginStop);
    for (OtlpReceiver receiver : receivers.values()) {
      finished &= receiver.awaitStop(deadlineNanos);
    }
    workers.close();
    deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(STOP_EXPORTERS_MILLIS);
    exporters.values().forEach(MetricsExporter::beginStop);
    for (MetricsExporter exporter : exporters.values()) {
      finished &= exporter.awaitStop(deadlineNanos);
    }
    loops.close();
    receivers.values().forEach(OtlpReceiver::close);
    exporters.values().forEach(MetricsExporter::close);
    directories.forEach(DirectoryReceiver::close);
    return finished;
  }

  /** How long ago this process began. */
  Duration uptime() {
    return process.uptime();
  }

  /** The pool that all of this agent's bytes come from. */
  ChunkPool chunks() {
    return chunks;
  }

  private void startExporter(ComponentId id, ExporterConfig config) throws IOException {
    if (config instanceof PrometheusExporterConfig prometheus) {
      add(
          id,
          PrometheusExporter.start(id, prometheus, chunks, loops, () -> ready, problems, process));
    } else if (config instanceof RemoteWriteExporterConfig remoteWrite) {
      add(id, RemoteWriteExporter.start(id, remoteWrite, chunks, problems, process));
    }
  }

  private void add(ComponentId id, MetricsExporter exporter) {
    exporters.put(id, exporter);
    addPool(exporter.selfMetrics());
  }

  private void startReceiver(ComponentId id, ReceiverConfig config, List<PipelineConfig> pipelines)
      throws IOException {
    if (config instanceof OtlpReceiverConfig otlp) {
      List<MetricsExporter> targets = targets(id, pipelines);
      List<MetricsRequestHandler> handlers = new ArrayList<>();
      for (MetricsExporter target : targets) {
        handlers.add(target.receiver());
      }
      OtlpReceiver receiver =
          OtlpReceiver.start(
              id,
              otlp.http(),
              FanOut.to(handlers, chunks),
              budget,
              chunks,
              workers,
              loops,
              problems);
      receivers.put(id, receiver);
      for (MetricsExporter exporter : exporters.values()) {
        receiver.addTo(exporter.selfMetrics());
      }
    } else if (config instanceof MillraceStoreReceiverConfig store) {
      addDirectory(DirectoryReceiver.start(id, store, problems), targets(id, pipelines));
    } else if (config instanceof MultiprocessReceiverConfig multiprocess) {
      addDirectory(DirectoryReceiver.start(id, multiprocess, problems), targets(id, pipelines));
    }
  }

  /** All exporters get the directories in one order, which {@link JoinedSource} asks for. */
  private void addDirectory(DirectoryReceiver directory, List<MetricsExporter> targets) {
    directories.add(directory);
    for (MetricsExporter target : targets) {
      target.pull(directory.source());
    }
    for (MetricsExporter exporter : exporters.values()) {
      directory.addTo(exporter.selfMetrics());
    }
  }

  /** The exporters that a receiver feeds, each once, whatever pipelines they share. */
  private List<MetricsExporter> targets(ComponentId receiver, List<PipelineConfig> pipelines) {
    List<MetricsExporter> targets = new ArrayList<>();
    for (Map.Entry<ComponentId, MetricsExporter> entry : exporters.entrySet()) {
      if (pipelines.stream()
          .anyMatch(
              pipeline ->
                  pipeline.receivers().contains(receiver)
                      && pipeline.exporters().contains(entry.getKey()))) {
        targets.add(entry.getValue());
      }
    }
    return targets;
  }

  /** What exporters that send count is shown by all: it is where a scrape finds that one fails. */
  private void addExporters() {
    for (MetricsExporter exporter : exporters.values()) {
      for (MetricsExporter shownBy : exporters.values()) {
        if (exporter == shownBy || exporter.address() == null) {
          exporter.addTo(shownBy.selfMetrics());
        }
      }
    }
  }

  private void addPool(SelfMetrics metrics) {
    metrics.counter(
        "millrace.chunks.allocated",
        "{chunk}",
        "Chunks of 64 KiB that were allocated because none was idle.",
        chunks::allocatedChunks);
    metrics.size(
        "millrace.chunks.outstanding",
        "{chunk}",
        "Chunks of 64 KiB in use.",
        chunks::outstandingChunks);
    metrics.size(
        "millrace.chunks.idle", "{chunk}", "Chunks of 64 KiB kept for use.", chunks::idleChunks);
  }

  private void startTimer() {
    every(EXPIRE_MILLIS, () -> exporters.values().forEach(MetricsExporter::expire));
  }

  @SuppressWarnings("FutureReturnValueIgnored") // The task throws nothing, and runs until the end.
  private void every(long millis, Runnable task) {
    timer.scheduleWithFixedDelay(
        () -> {
          try {
            task.run();
          } catch (RuntimeException e) {
            // A timer that throws is never run again.
            problems.kind("timer_failed").add(1, e::toString);
          }
        },
        millis,
        millis,
        TimeUnit.MILLISECONDS);
  }
}

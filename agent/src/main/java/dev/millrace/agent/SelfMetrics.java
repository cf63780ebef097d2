package dev.millrace.agent;

import dev.millrace.agent.series.OwnSeries;
import dev.millrace.agent.series.SeriesTable;
import dev.millrace.model.Labels;
import dev.millrace.model.MetricCursor;
import dev.millrace.model.MetricDescriptor;
import dev.millrace.model.MetricKind;
import dev.millrace.model.MetricSource;
import dev.millrace.model.Problem;
import dev.millrace.model.Problems;
import dev.millrace.model.Resource;
import dev.millrace.model.Scope;
import dev.millrace.model.Temporality;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/**
 * The agent's own metrics, as series of a table that an exporter reads: they stand beside what was
 * received, under {@code job="millrace-agent"}. Thread-safe.
 *
 * <p>Values are read when the table is opened through {@link #open}, so that in between they cost
 * nothing. Names follow OpenTelemetry's semantic conventions where those have one.
 */
final class SelfMetrics implements MetricSource {
  /** Reads values that come and go by name, such as counts by kind. */
  interface Counts {
    /** Calls {@code to} for each. */
    void forEach(Count to);
  }

  /** Takes one value of {@link Counts}. */
  interface Count {
    /** A value and the label that tells it from the others. */
    void accept(Object label, long value);
  }

  private final SeriesTable table;
  private final long startUnixNanos;
  private final List<Runnable> readers = new ArrayList<>();
  private Resource resource = Resource.EMPTY;

  /** Metrics in one table. {@link #describe} comes next, and then what is measured. */
  SelfMetrics(SeriesTable table, ProcessFacts process) {
    this.table = table;
    this.startUnixNanos = process.startUnixNanos();
  }

  /**
   * Says whose metrics these are.
   *
   * @param instanceId {@code service.instance.id}: tells this agent from all others, and stays the
   *     same when it is started again
   */
  void describe(String instanceId) {
    resource =
        new Resource(
            Labels.of(
                "service.name",
                "millrace-agent",
                "service.instance.id",
                instanceId,
                "service.version",
                AgentVersion.text()),
            "");
  }

  @Override
  public MetricCursor open() {
    update();
    return table.open();
  }

  /**
   * Adds what every agent has. The semantic conventions' names come with their own descriptions, so
   * that they share a HELP with the same metrics of applications.
   */
  void addProcess(ProcessFacts process, Problems problems) {
    gauge("process.uptime", "s", "The time the process has been running.", process::uptimeSeconds);
    doubleCounter(
        "process.cpu.time",
        "s",
        "Total CPU seconds broken down by different states.",
        process::cpuSeconds);
    size(
        "process.memory.usage",
        "By",
        "The amount of physical memory in use.",
        process::residentBytes);
    Runtime runtime = Runtime.getRuntime();
    size(
        "jvm.memory.used",
        "By",
        "Measure of memory used.",
        () -> runtime.totalMemory() - runtime.freeMemory());
    size("jvm.memory.limit", "By", "Measure of max obtainable memory.", runtime::maxMemory);
    counts(
        "millrace.problems",
        "{problem}",
        "What went wrong with data and peers, by kind.",
        "kind",
        to -> {
          for (Problem kind : problems.kinds()) {
            to.accept(kind.name(), kind.count());
          }
        });
  }

  /** Adds a cumulative count. */
  void counter(String name, String unit, String description, LongSupplier value, String... labels) {
    OwnSeries series = series(descriptor(name, unit, description, true), Labels.of(labels));
    addReader(() -> series.set(value.getAsLong()));
  }

  /** Adds a size that rises and falls. */
  void size(String name, String unit, String description, LongSupplier value, String... labels) {
    OwnSeries series = series(descriptor(name, unit, description, false), Labels.of(labels));
    addReader(() -> series.set(value.getAsLong()));
  }

  /** Adds cumulative counts that one label tells apart. */
  void counts(
      String name,
      String unit,
      String description,
      String label,
      Counts values,
      String... moreLabels) {
    MetricDescriptor descriptor = descriptor(name, unit, description, true);
    Map<Object, OwnSeries> known = new HashMap<>();
    addReader(
        () ->
            values.forEach(
                (key, value) ->
                    known
                        .computeIfAbsent(key, k -> series(descriptor, labels(label, k, moreLabels)))
                        .set(value)));
  }

  private synchronized void addReader(Runnable reader) {
    readers.add(reader);
  }

  /** Reads every value. */
  synchronized void update() {
    for (int i = 0; i < readers.size(); i++) {
      readers.get(i).run();
    }
  }

  /** Adds a cumulative count of what is not whole. */
  void doubleCounter(
      String name, String unit, String description, DoubleSupplier value, String... labels) {
    OwnSeries series = series(descriptor(name, unit, description, true), Labels.of(labels));
    addReader(() -> series.set(value.getAsDouble()));
  }

  /** Adds what is measured. */
  void gauge(String name, String unit, String description, DoubleSupplier value, String... labels) {
    OwnSeries series =
        series(
            new MetricDescriptor(
                name, description, unit, MetricKind.GAUGE, false, Temporality.UNSPECIFIED),
            Labels.of(labels));
    addReader(() -> series.set(value.getAsDouble()));
  }

  private static MetricDescriptor descriptor(
      String name, String unit, String description, boolean monotonic) {
    return new MetricDescriptor(
        name, description, unit, MetricKind.SUM, monotonic, Temporality.CUMULATIVE);
  }

  private static Labels labels(String label, Object key, String... more) {
    Labels.Builder labels = new Labels.Builder();
    for (int i = 0; i < more.length; i += 2) {
      labels.put(more[i], more[i + 1]);
    }
    if (key instanceof Integer number) {
      labels.put(label, number.longValue());
    } else {
      labels.put(label, key.toString());
    }
    return labels.build();
  }

  private OwnSeries series(MetricDescriptor descriptor, Labels labels) {
    return table.own(resource, Scope.EMPTY, descriptor, labels, startUnixNanos);
  }
}

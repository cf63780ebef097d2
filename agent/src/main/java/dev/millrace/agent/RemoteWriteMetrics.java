package dev.millrace.agent;

import dev.millrace.agent.series.SeriesTable;
import dev.millrace.export.remotewrite.DropReason;
import dev.millrace.export.remotewrite.RemoteWriteStats;
import dev.millrace.export.remotewrite.RemoteWriter;
import java.util.EnumMap;
import java.util.Map;

/** What an exporter of type {@code prometheusremotewrite} counts, among the agent's own metrics. */
final class RemoteWriteMetrics {
  private static final double MILLIS_PER_SECOND = 1e3;

  private final String name;
  private final SeriesTable table;
  private final RemoteWriter writer;

  RemoteWriteMetrics(String name, SeriesTable table, RemoteWriter writer) {
    this.name = name;
    this.table = table;
    this.writer = writer;
  }

  void addTo(SelfMetrics metrics) {
    addReceived(metrics);
    addSamples(metrics);
    addQueue(metrics);
    addRequests(metrics);
  }

  private void addReceived(SelfMetrics metrics) {
    metrics.size(
        "millrace.exporter.series",
        "{series}",
        "Series that are held, the agent's own aside.",
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
  }

  private void addSamples(SelfMetrics metrics) {
    metrics.counts(
        "millrace.exporter.samples",
        "{sample}",
        "Samples that were given to the queue.",
        "kind",
        to -> {
          RemoteWriteStats stats = writer.stats();
          to.accept("sample", stats.samples().in());
          to.accept("histogram", stats.histograms().in());
          to.accept("exemplar", stats.exemplars().in());
        },
        "exporter",
        name);
    metrics.counts(
        "millrace.exporter.samples.sent",
        "{sample}",
        "Samples that the receiver took.",
        "kind",
        to -> {
          RemoteWriteStats stats = writer.stats();
          to.accept("sample", stats.samples().sent());
          to.accept("histogram", stats.histograms().sent());
          to.accept("exemplar", stats.exemplars().sent());
        },
        "exporter",
        name);
    metrics.counts(
        "millrace.exporter.samples.retried",
        "{sample}",
        "Samples that were sent once more.",
        "kind",
        to -> {
          RemoteWriteStats stats = writer.stats();
          to.accept("sample", stats.samples().retried());
          to.accept("histogram", stats.histograms().retried());
          to.accept("exemplar", stats.exemplars().retried());
        },
        "exporter",
        name);
    metrics.counts(
        "millrace.exporter.samples.dropped",
        "{sample}",
        "Samples, histograms and exemplars that were given up, by reason.",
        "reason",
        to -> {
          RemoteWriteStats stats = writer.stats();
          Map<DropReason, Long> all = new EnumMap<>(DropReason.class);
          stats.samples().dropped().forEach((reason, count) -> all.merge(reason, count, Long::sum));
          stats
              .histograms()
              .dropped()
              .forEach((reason, count) -> all.merge(reason, count, Long::sum));
          stats
              .exemplars()
              .dropped()
              .forEach((reason, count) -> all.merge(reason, count, Long::sum));
          for (DropReason reason : DropReason.values()) {
            to.accept(reason.label(), all.getOrDefault(reason, 0L));
          }
        },
        "exporter",
        name);
  }

  private void addQueue(SelfMetrics metrics) {
    metrics.size(
        "millrace.exporter.queue.requests",
        "{request}",
        "Requests that wait in memory.",
        () -> writer.stats().queue().requests(),
        "exporter",
        name);
    metrics.size(
        "millrace.exporter.queue.samples",
        "{sample}",
        "Samples and histograms that wait in memory.",
        () -> writer.stats().queue().items(),
        "exporter",
        name);
    metrics.size(
        "millrace.exporter.queue.size",
        "By",
        "What the requests that wait in memory take.",
        () -> writer.stats().queue().bytes(),
        "exporter",
        name);
    metrics.gauge(
        "millrace.exporter.queue.age",
        "s",
        "How long the oldest request has waited in memory.",
        () -> writer.stats().queue().oldestAgeMillis() / MILLIS_PER_SECOND,
        "exporter",
        name);
    metrics.counter(
        "millrace.exporter.queue.stored",
        "{request}",
        "Requests that went to the disk.",
        () -> writer.stats().queue().stored(),
        "exporter",
        name);
  }

  private void addRequests(SelfMetrics metrics) {
    metrics.counts(
        "millrace.exporter.requests",
        "{request}",
        "Attempts to send a request, by whether the receiver took it.",
        "outcome",
        to -> {
          RemoteWriteStats.Requests requests = writer.stats().requests();
          to.accept("taken", requests.count() - requests.failed());
          to.accept("failed", requests.failed());
        },
        "exporter",
        name);
    metrics.doubleCounter(
        "millrace.exporter.requests.duration",
        "s",
        "How long all attempts to send a request took together.",
        () -> writer.stats().requests().seconds(),
        "exporter",
        name);
    metrics.counter(
        "millrace.exporter.sent",
        "By",
        "Bodies that were sent, as they were on the wire.",
        () -> writer.stats().requests().bytes(),
        "exporter",
        name);
  }
}

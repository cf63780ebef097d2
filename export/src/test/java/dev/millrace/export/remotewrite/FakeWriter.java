package dev.millrace.export.remotewrite;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.export.push.FakeTimer;
import dev.millrace.format.remotewrite.RemoteWriteLimits;
import dev.millrace.model.MetricCursor;
import dev.millrace.model.Problems;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/** A writer on time that a test lets pass, to a receiver that a test plays. */
final class FakeWriter {
  private static final long BEGIN_UNIX_MILLIS = 1_800_000_000_000L;

  final FakeTimer timer = new FakeTimer();
  final FakeRequestTransport transport = new FakeRequestTransport();
  final List<String> log = new ArrayList<>();
  final RemoteWriter writer;
  private final Points points = new Points("load");

  /** One on a timer of its own. */
  FakeWriter(ChunkPool pool, UnaryOperator<RemoteWriterOptions> change) {
    writer =
        new RemoteWriter(
            change.apply(options(new Problems(timer::nanoTime, log::add))),
            pool,
            transport,
            timer,
            this::nowUnixMillis);
  }

  /** 1.0, one shard, no metadata and no stale markers, each write sent at once. */
  static RemoteWriterOptions options(Problems problems) {
    RemoteWriterOptions options = RemoteWriterOptions.to(URI.create("http://receiver:1/write"));
    return options
        .withEncoding(
            options
                .encoding()
                .withMetadataIntervalMillis(0)
                .withPrometheus(options.encoding().prometheus().withTargetInfo(false))
                .withLimits(RemoteWriteLimits.DEFAULT))
        .withVersions(VersionPolicy.V1)
        .withDelivery(options.delivery().withFlushIntervalMillis(0).withEndSeriesAtShutdown(false))
        .withProblems(problems);
  }

  long nowUnixMillis() {
    return BEGIN_UNIX_MILLIS + TimeUnit.NANOSECONDS.toMillis(timer.nanoTime());
  }

  /** Writes one sample of one series, and lets everything happen that takes no time. */
  void write(int series, double value) {
    writeLater(series, value);
    timer.run();
  }

  /** Writes one sample of one series. */
  void writeLater(int series, double value) {
    points.clear().add(series, nowUnixMillis() + points.nextMillis(), value);
    writeAll(points);
  }

  /** Writes what a source has. */
  void writeAll(Points source) {
    try (MetricCursor cursor = source.open()) {
      writer.write(cursor, false);
    }
  }

  /** All values that the receiver was sent, attempt by attempt. */
  List<List<Double>> values() {
    return transport.values();
  }

  long dropped(DropReason reason) {
    return writer.stats().samples().dropped().getOrDefault(reason, 0L);
  }

  long sent() {
    return writer.stats().samples().sent();
  }
}

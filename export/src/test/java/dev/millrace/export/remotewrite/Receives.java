package dev.millrace.export.remotewrite;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.export.http.ScriptedServer;
import dev.millrace.export.push.Retry;
import dev.millrace.format.remotewrite.RemoteWriteLimits;
import dev.millrace.model.MetricCursor;
import dev.millrace.model.Problems;
import dev.millrace.testkit.Eventually;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** What tests over real connections share. */
final class Receives {
  static final Duration LIMIT = Duration.ofMinutes(2);

  private Receives() {}

  /** As {@link FakeWriter#options}, with short pauses. */
  static RemoteWriterOptions options(URI uri, Problems problems) {
    RemoteWriterOptions options = RemoteWriterOptions.to(uri);
    return options
        .withEncoding(
            options
                .encoding()
                .withMetadataIntervalMillis(0)
                .withPrometheus(options.encoding().prometheus().withTargetInfo(false))
                .withLimits(RemoteWriteLimits.DEFAULT))
        .withVersions(VersionPolicy.V1)
        .withDelivery(
            options
                .delivery()
                .withFlushIntervalMillis(0)
                .withTimeoutMillis(LIMIT.toMillis())
                .withRetry(new Retry(Integer.MAX_VALUE, 1, 20, 2, 0.2))
                .withEndSeriesAtShutdown(false))
        .withProblems(problems);
  }

  static Problems problems(List<String> log) {
    return new Problems(System::nanoTime, log::add);
  }

  /** Writes one sample. */
  static void write(RemoteWriter writer, int series, double value) {
    write(writer, new Points("load").add(series, System.currentTimeMillis(), value));
  }

  static void write(RemoteWriter writer, Points points) {
    try (MetricCursor cursor = points.open()) {
      writer.write(cursor, false);
    }
  }

  static boolean flush(RemoteWriter writer) {
    return writer.flush(LIMIT.toMillis());
  }

  static boolean shutdown(RemoteWriter writer) {
    return writer.shutdown(LIMIT.toMillis());
  }

  /** The requests that a server has read, as it understands them. */
  static List<ReadRequest> requests(ScriptedServer server) {
    return server.requests().stream().map(Receives::read).toList();
  }

  static ReadRequest read(ScriptedServer.Request request) {
    return ReadRequest.of(request.body(), request.header("content-type").contains("v2"));
  }

  /** Answers as a receiver of 2.0 does. */
  static void written(ScriptedServer.Request request, Socket socket) throws IOException {
    ScriptedServer.reply(
        socket,
        204,
        "X-Prometheus-Remote-Write-Samples-Written: " + read(request).sampleCount() + "\r\n",
        new byte[0]);
  }

  /** Answers each request with the next status; the last one stays. */
  static ScriptedServer.Answer statuses(int... statuses) {
    AtomicInteger next = new AtomicInteger();
    return (request, socket) ->
        ScriptedServer.reply(
            socket, statuses[Math.min(next.getAndIncrement(), statuses.length - 1)]);
  }

  /** What an aborted send keeps from its pool comes back with a garbage collection. */
  static void awaitGivenBack(ChunkPool pool) {
    Eventually.isTrue(
        "all chunks back in the pool",
        LIMIT,
        () -> {
          System.gc();
          return pool.outstandingChunks() == 0;
        });
  }
}

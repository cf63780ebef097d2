package dev.millrace.export.remotewrite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.export.http.ScriptedServer;
import dev.millrace.format.remotewrite.RemoteWriteLimits;
import dev.millrace.testkit.Eventually;
import dev.millrace.testkit.GivenBack;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Eight threads, a queue that is always full, and a receiver that gives every kind of answer. */
class RemoteWriterStressTest {
  private static final int THREADS = 8;
  private static final int WRITES = 60;
  private static final int SERIES = 20;

  @RegisterExtension
  final GivenBack<ChunkPool> chunks =
      GivenBack.to(new ChunkPool(256), ChunkPool::outstandingChunks);

  @TempDir private Path directory;
  private final AtomicLong taken = new AtomicLong();
  private final List<String> log = Collections.synchronizedList(new ArrayList<>());

  private RemoteWriter open(ScriptedServer server, RemoteWriteQueue queue) {
    RemoteWriterOptions options = Receives.options(server.uri(), Receives.problems(log));
    return new RemoteWriter(
        options
            .withEncoding(
                options
                    .encoding()
                    .withLimits(RemoteWriteLimits.DEFAULT.withShards(4).withMaxSamples(8)))
            .withQueue(queue),
        chunks.pool());
  }

  private ScriptedServer.Answer any(SplittableRandom random) {
    return (request, socket) -> {
      int answer;
      synchronized (random) {
        answer = random.nextInt(10);
      }
      answer(answer, request, socket);
    };
  }

  private void answer(int answer, ScriptedServer.Request request, Socket socket) throws Exception {
    switch (answer) {
      case 0 -> ScriptedServer.reply(socket, 503);
      case 1 -> ScriptedServer.reply(socket, 400);
      case 2 -> ScriptedServer.reply(socket, 413);
      case 3 -> ScriptedServer.reply(socket, 429);
      default -> {
        taken.addAndGet(Receives.read(request).sampleCount());
        ScriptedServer.reply(socket, 204);
      }
    }
  }

  private static Callable<Boolean> writes(RemoteWriter writer, int thread) {
    return () -> {
      Points points = new Points("thread_" + thread);
      long begin = System.currentTimeMillis();
      for (int i = 0; i < WRITES; i++) {
        points.clear();
        for (int series = 0; series < SERIES; series++) {
          points.add(series, begin + i, i);
        }
        Receives.write(writer, points);
      }
      return true;
    };
  }

  private static void writeByAll(RemoteWriter writer) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    List<Future<Boolean>> results = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      results.add(threads.submit(writes(writer, i)));
    }
    for (Future<Boolean> result : results) {
      assertThat(result.get(Receives.LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }
    threads.shutdown();
  }

  @Test
  void everySampleIsSentOrCounted() throws Exception {
    long seed = System.nanoTime();
    try (ScriptedServer server = ScriptedServer.plain(any(new SplittableRandom(seed)))) {
      RemoteWriter writer = open(server, RemoteWriteQueue.defaults().withMaxRequests(16));
      writeByAll(writer);
      assertThat(Receives.shutdown(writer)).as("seed %d", seed).isTrue();
      RemoteWriteStats.Items samples = writer.stats().samples();
      assertThat(samples.in()).isEqualTo((long) THREADS * WRITES * SERIES);
      assertThat(samples.sent() + samples.droppedTotal())
          .as("seed %d: %s", seed, samples)
          .isEqualTo(samples.in());
      assertThat(samples.sent()).as("seed %d", seed).isEqualTo(taken.get());
      assertThat(writer.stats().queue().requests()).isZero();
    }
    Receives.awaitGivenBack(chunks.pool());
  }

  @Test
  void everySampleIsSentOrCountedWithADiskAndARestartToo() throws Exception {
    long seed = System.nanoTime();
    RemoteWriteQueue queue =
        RemoteWriteQueue.defaults().withMaxRequests(64).withDirectory(directory);
    try (ScriptedServer server = ScriptedServer.plain(any(new SplittableRandom(seed)))) {
      RemoteWriter first = open(server, queue);
      writeByAll(first);
      first.shutdown(1);
      RemoteWriteStats.Items before = first.stats().samples();
      RemoteWriter second = open(server, queue);
      long left = before.in() - before.sent() - before.droppedTotal();
      Eventually.isTrue(
          "the rest from the disk, seed " + seed,
          Receives.LIMIT,
          () -> {
            RemoteWriteStats.Items after = second.stats().samples();
            return after.sent() + after.droppedTotal() == left;
          });
      assertThat(Receives.shutdown(second)).isTrue();
      // A request whose answer the shutdown cut off can have been taken, and comes again.
      long sent = before.sent() + second.stats().samples().sent();
      assertThat(taken.get()).as("seed %d", seed).isBetween(sent, sent + 4 * 8);
    }
    Receives.awaitGivenBack(chunks.pool());
  }
}

package dev.millrace.export.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.export.push.Heard;
import dev.millrace.export.push.Outcome;
import dev.millrace.export.push.Payloads;
import dev.millrace.export.push.Retry;
import dev.millrace.export.push.Sender;
import dev.millrace.export.push.SenderOptions;
import dev.millrace.testkit.Eventually;
import dev.millrace.testkit.GivenBack;
import dev.millrace.testkit.ManagedProcess;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A sender and the transport together, on the system's clock. */
class SenderOverHttpTest {
  private static final int THREADS = 8;
  private static final int SENDS = 25;

  @RegisterExtension
  final GivenBack<ChunkPool> chunks =
      GivenBack.to(new ChunkPool(128), ChunkPool::outstandingChunks);

  private static SenderOptions options() {
    return SenderOptions.defaults()
        .withTimeoutMillis(Sends.LIMIT.toMillis())
        .withMaxInFlight(1_000)
        .withRetry(new Retry(1_000, 1, 20, 1.5, 0.2));
  }

  /** The length tells the seed of the bytes. */
  private static byte[] body(int lengthBytes) {
    return Payloads.random(lengthBytes, lengthBytes);
  }

  @Test
  void eightThreadsOnOnePoolAndAServerThatFailsNowAndThen() throws Exception {
    long seed = System.nanoTime();
    SplittableRandom faults = new SplittableRandom(seed);
    List<String> wrong = new ArrayList<>();
    try (ScriptedServer server =
        ScriptedServer.plain(
            (request, socket) -> {
              int fault;
              synchronized (faults) {
                fault = faults.nextInt(8);
                if (!Arrays.equals(request.body(), body(request.body().length))) {
                  wrong.add("body of " + request.body().length);
                }
              }
              switch (fault) {
                case 0 -> ScriptedServer.reply(socket, 503);
                case 1 -> socket.close();
                default -> ScriptedServer.reply(socket, 200);
              }
            })) {
      Sender sender =
          new Sender(
              new HttpTransport(HttpTransportOptions.to(server.uri(), "text/plain"), chunks.pool()),
              options());
      ExecutorService threads = Executors.newFixedThreadPool(THREADS);
      SplittableRandom random = new SplittableRandom(seed);
      List<Future<List<Heard>>> results = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        SplittableRandom own = random.split();
        results.add(threads.submit(sends(sender, own)));
      }
      for (Future<List<Heard>> result : results) {
        for (Heard heard : result.get(Sends.LIMIT.toSeconds(), TimeUnit.SECONDS)) {
          Eventually.isTrue("an end, seed " + seed, Sends.LIMIT, heard::isDone);
          assertThat(heard.outcome().delivered()).as("seed %d", seed).isEqualTo(1);
        }
      }
      threads.shutdown();
      assertThat(sender.shutdown(Sends.LIMIT.toMillis())).isTrue();
      assertThat(wrong).as("seed %d", seed).isEmpty();
    }
    Sends.awaitGivenBack(chunks.pool());
  }

  private Callable<List<Heard>> sends(Sender sender, SplittableRandom random) {
    return () -> {
      List<Heard> all = new ArrayList<>();
      for (int i = 0; i < SENDS; i++) {
        Heard heard = new Heard();
        sender.send(Payloads.of(chunks.pool(), body(random.nextInt(1, 300_000))), 1, heard);
        all.add(heard);
      }
      return all;
    };
  }

  @Test
  void shutdownWhileAServerIsSilentLosesWithinTheTime() throws Exception {
    CountDownLatch over = new CountDownLatch(1);
    try (ScriptedServer server = ScriptedServer.plain((request, socket) -> over.await())) {
      Sender sender =
          new Sender(
              new HttpTransport(HttpTransportOptions.to(server.uri(), "text/plain"), chunks.pool()),
              options());
      List<Heard> all = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        Heard heard = new Heard();
        all.add(heard);
        sender.send(Payloads.of(chunks.pool(), body(100_000)), 3, heard);
      }
      assertThat(sender.flush(1)).isFalse();
      assertThat(sender.shutdown(1)).isFalse();
      for (Heard heard : all) {
        Outcome outcome = heard.outcome();
        assertThat(outcome.lost()).isEqualTo(3);
      }
      over.countDown();
    }
    Sends.awaitGivenBack(chunks.pool());
  }

  /** An application that sends and returns. */
  static final class Application {
    private Application() {}

    /** The address. */
    public static void main(String[] arguments) {
      ChunkPool pool = new ChunkPool(16);
      Sender sender =
          new Sender(
              new HttpTransport(
                  HttpTransportOptions.to(URI.create(arguments[0]), "text/plain"), pool),
              options());
      Heard heard = new Heard();
      sender.send(Payloads.of(pool, body(1_000)), 1, heard);
      System.out.println("flushed " + sender.flush(Sends.LIMIT.toMillis()));
      // In flight as the application ends.
      sender.send(Payloads.of(pool, body(1_001)), 1, new Heard());
    }
  }

  @Test
  void noThreadKeepsTheJvmAlive(@TempDir Path directory) throws Exception {
    CountDownLatch over = new CountDownLatch(1);
    try (ScriptedServer server =
            ScriptedServer.plain(
                (request, socket) -> {
                  if (request.body().length > 1_000) {
                    over.await();
                  }
                  ScriptedServer.reply(socket, 200);
                });
        ManagedProcess application =
            ManagedProcess.start(
                List.of(
                    ManagedProcess.java(),
                    "-cp",
                    System.getProperty("java.class.path"),
                    Application.class.getName(),
                    server.uri().toString()),
                Map.of(),
                directory.resolve("log"))) {
      assertThat(application.process().waitFor(Sends.LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(application.process().exitValue()).as(application.output()).isZero();
      assertThat(application.output()).contains("flushed true\n");
      over.countDown();
    }
  }
}

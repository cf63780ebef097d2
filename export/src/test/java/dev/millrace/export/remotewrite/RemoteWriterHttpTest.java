package dev.millrace.export.remotewrite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.export.http.FileCredentials;
import dev.millrace.export.http.HeaderSource;
import dev.millrace.export.http.HttpConnection;
import dev.millrace.export.http.ScriptedServer;
import dev.millrace.export.tls.Tls;
import dev.millrace.format.remotewrite.RemoteWriteLimits;
import dev.millrace.model.Problems;
import dev.millrace.testkit.Eventually;
import dev.millrace.testkit.FreePort;
import dev.millrace.testkit.GivenBack;
import dev.millrace.testkit.ManagedProcess;
import dev.millrace.testkit.TestIdentity;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A writer and the transport together, on the system's clock. */
class RemoteWriterHttpTest {
  private static final int THREADS = 8;

  /** So few that all requests fit the queue, even if each has one series. */
  private static final int WRITES = 25;

  private static final int SHARDS = 4;

  @RegisterExtension
  final GivenBack<ChunkPool> chunks =
      GivenBack.to(new ChunkPool(256), ChunkPool::outstandingChunks);

  @TempDir private Path directory;
  private final List<String> log = Collections.synchronizedList(new ArrayList<>());

  private RemoteWriterOptions options(URI uri) {
    return Receives.options(uri, Receives.problems(log));
  }

  private static RemoteWriterOptions sharded(RemoteWriterOptions options) {
    return options.withEncoding(
        options.encoding().withLimits(RemoteWriteLimits.DEFAULT.withShards(SHARDS)));
  }

  private RemoteWriter open(RemoteWriterOptions options) {
    return new RemoteWriter(options, chunks.pool());
  }

  /** Each series has one thread, whose values rise; the receiver fails now and then. */
  @Test
  void samplesOfASeriesStayInOrderUnderEightThreads() throws Exception {
    long seed = System.nanoTime();
    SplittableRandom faults = new SplittableRandom(seed);
    Map<String, Double> last = new ConcurrentHashMap<>();
    List<String> wrong = Collections.synchronizedList(new ArrayList<>());
    try (ScriptedServer server =
        ScriptedServer.plain(
            (request, socket) -> {
              int fault;
              synchronized (faults) {
                fault = faults.nextInt(8);
              }
              if (fault == 0) {
                ScriptedServer.reply(socket, 503);
              } else if (fault == 1) {
                socket.close();
              } else {
                take(Receives.read(request), last, wrong);
                ScriptedServer.reply(socket, 204);
              }
            })) {
      RemoteWriter writer = open(sharded(options(server.uri())));
      ExecutorService threads = Executors.newFixedThreadPool(THREADS);
      List<Future<Boolean>> results = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        results.add(threads.submit(writes(writer, i)));
      }
      for (Future<Boolean> result : results) {
        assertThat(result.get(Receives.LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
      }
      threads.shutdown();
      assertThat(Receives.shutdown(writer)).as("seed %d", seed).isTrue();
      assertThat(wrong).as("seed %d", seed).isEmpty();
      assertThat(writer.stats().samples().sent()).as("seed %d", seed).isEqualTo(8L * WRITES * 5);
      assertThat(last).hasSize(THREADS * 5);
      assertThat(last.values()).as("seed %d", seed).containsOnly(WRITES - 1.0);
    }
    Receives.awaitGivenBack(chunks.pool());
  }

  private static void take(ReadRequest request, Map<String, Double> last, List<String> wrong) {
    for (ReadRequest.Series series : request.series()) {
      String key = series.labels().get("__name__") + series.labels().get("number");
      for (ReadRequest.Sample sample : series.samples()) {
        double before = last.getOrDefault(key, -1.0);
        if (sample.value() != before + 1) {
          wrong.add(key + ": " + sample.value() + " after " + before);
        }
        last.put(key, sample.value());
      }
    }
  }

  private static Callable<Boolean> writes(RemoteWriter writer, int thread) {
    return () -> {
      Points points = new Points("thread_" + thread);
      long begin = System.currentTimeMillis();
      for (int i = 0; i < WRITES; i++) {
        points.clear();
        for (int series = 0; series < 5; series++) {
          points.add(series, begin + i, i);
        }
        Receives.write(writer, points);
      }
      return true;
    };
  }

  @Test
  void aDeadEndpointNeverSlowsAnother() throws Exception {
    CountDownLatch over = new CountDownLatch(1);
    try (ScriptedServer silent = ScriptedServer.plain((request, socket) -> over.await());
        ScriptedServer alive = ScriptedServer.plain(Receives.statuses(204))) {
      List<RemoteWriter> dead =
          List.of(
              open(options(silent.uri())),
              open(options(URI.create("http://127.0.0.1:" + FreePort.find() + "/"))));
      RemoteWriter writer = open(options(alive.uri()));
      Points points = new Points("load");
      for (int i = 0; i < 100; i++) {
        points.clear().add(0, System.currentTimeMillis() + i, i);
        for (RemoteWriter each : dead) {
          Receives.write(each, points);
        }
        Receives.write(writer, points);
        // Nothing of the others has to come to an end for this.
        assertThat(Receives.flush(writer)).isTrue();
      }
      assertThat(writer.stats().samples().sent()).isEqualTo(100);
      for (RemoteWriter each : dead) {
        assertThat(each.stats().samples().sent()).isZero();
        assertThat(each.shutdown(1)).isFalse();
        assertThat(each.stats().samples().dropped()).containsEntry(DropReason.SHUTDOWN, 100L);
      }
      assertThat(Receives.shutdown(writer)).isTrue();
      over.countDown();
    }
    Receives.awaitGivenBack(chunks.pool());
  }

  @Test
  void aBatchWithOneBadSeriesEndsAndLaterOnesGoOn() throws Exception {
    try (ScriptedServer server =
        ScriptedServer.plain(
            (request, socket) -> {
              boolean bad = Receives.read(request).values().contains(-1.0);
              ScriptedServer.reply(
                  socket,
                  bad ? 400 : 204,
                  "Content-Type: text/plain\r\n",
                  bad ? "bad sample".getBytes(StandardCharsets.US_ASCII) : new byte[0]);
            })) {
      RemoteWriter writer = open(options(server.uri()));
      Points points = new Points("load");
      long now = System.currentTimeMillis();
      Receives.write(writer, points.add(0, now, 1).add(1, now, -1));
      Receives.write(writer, points.clear().add(0, now + 1, 2).add(1, now + 1, 3));
      assertThat(Receives.shutdown(writer)).isTrue();
      assertThat(server.requests()).hasSize(2);
      assertThat(writer.stats().samples().sent()).isEqualTo(2);
      assertThat(writer.stats().samples().dropped())
          .containsExactly(Map.entry(DropReason.REJECTED, 2L));
      assertThat(log).hasSize(1).allMatch(line -> line.contains("bad sample"));
    }
  }

  @Test
  void aTokenThatIsReplacedIsUsedWithoutARestart() throws Exception {
    Path token = Files.writeString(directory.resolve("token"), "one-secret");
    Set<String> seen = ConcurrentHashMap.newKeySet();
    try (ScriptedServer server =
        ScriptedServer.plain(
            (request, socket) -> {
              seen.add(request.header("authorization"));
              ScriptedServer.reply(socket, 204);
            })) {
      RemoteWriterOptions options =
          options(server.uri()).withHeaders(FileCredentials.bearer(token, new Problems()));
      RemoteWriter writer = open(options);
      Receives.write(writer, 0, 1);
      assertThat(Receives.flush(writer)).isTrue();
      assertThat(seen).containsExactly("Bearer one-secret");
      Files.writeString(token, "another-secret");
      AtomicInteger value = new AtomicInteger();
      Eventually.isTrue(
          "the other token",
          Receives.LIMIT,
          () -> {
            Receives.write(writer, 0, value.incrementAndGet());
            return Receives.flush(writer) && seen.contains("Bearer another-secret");
          });
      assertThat(Receives.shutdown(writer)).isTrue();
      assertThat(writer.stats().samples().droppedTotal()).isZero();
    }
  }

  @Test
  void bothSidesShowCertificates() throws Exception {
    TestIdentity authority = TestIdentity.selfSigned(directory, "authority", "EC");
    TestIdentity server = authority.signs(directory, "server", "EC");
    TestIdentity client = authority.signs(directory, "client", "EC");
    Path ca = Files.writeString(directory.resolve("ca.crt"), authority.certificatePem());
    Tls tls =
        Tls.server(
                Files.writeString(directory.resolve("server.crt"), server.certificatePem()),
                Files.writeString(directory.resolve("server.key"), server.keyPem()))
            .withClientAuthorities(ca);
    try (ScriptedServer secure =
        ScriptedServer.tls(tls.sslContext(new Problems()), true, Receives.statuses(204))) {
      RemoteWriter writer =
          open(
              options(secure.uri())
                  .withConnection(
                      HttpConnection.defaults()
                          .withTls(
                              Tls.client()
                                  .withAuthorities(ca)
                                  .withCertificate(
                                      Files.writeString(
                                          directory.resolve("client.crt"), client.certificatePem()),
                                      Files.writeString(
                                          directory.resolve("client.key"), client.keyPem())))));
      Receives.write(writer, 0, 1);
      assertThat(Receives.shutdown(writer)).isTrue();
      assertThat(writer.stats().samples().sent()).isEqualTo(1);
    }
  }

  @Test
  void aConnectionThatTheServerClosesIsReplaced() throws Exception {
    // The second request of each connection finds it closed after it was sent.
    Set<Integer> seen = ConcurrentHashMap.newKeySet();
    try (ScriptedServer server =
        ScriptedServer.plain(
            (request, socket) -> {
              if (seen.add(request.connection())) {
                ScriptedServer.reply(socket, 204);
              } else {
                socket.close();
              }
            })) {
      RemoteWriter writer = open(options(server.uri()));
      for (int i = 0; i < 5; i++) {
        Receives.write(writer, i, i);
        assertThat(Receives.flush(writer)).isTrue();
      }
      assertThat(writer.stats().samples().sent()).isEqualTo(5);
      assertThat(Receives.shutdown(writer)).isTrue();
      assertThat(log).isEmpty();
    }
    Receives.awaitGivenBack(chunks.pool());
  }

  @Test
  void aReplyAfterTheTimeoutIsAnotherAttempt() throws Exception {
    CountDownLatch over = new CountDownLatch(1);
    AtomicInteger count = new AtomicInteger();
    try (ScriptedServer server =
        ScriptedServer.plain(
            (request, socket) -> {
              if (count.getAndIncrement() == 0) {
                over.await();
              }
              ScriptedServer.reply(socket, 204);
            })) {
      RemoteWriterOptions options = options(server.uri());
      RemoteWriter writer = open(options.withDelivery(options.delivery().withTimeoutMillis(300)));
      Receives.write(writer, 0, 1);
      assertThat(Receives.flush(writer)).isTrue();
      assertThat(writer.stats().samples().sent()).isEqualTo(1);
      assertThat(writer.stats().samples().retried()).isPositive();
      over.countDown();
      assertThat(Receives.shutdown(writer)).isTrue();
    }
    Receives.awaitGivenBack(chunks.pool());
  }

  @Test
  void ofALargeReplyNothingIsKept() throws Exception {
    byte[] piece = new byte[1 << 20];
    try (ScriptedServer server =
        ScriptedServer.plain(
            (request, socket) -> {
              OutputStream out = socket.getOutputStream();
              out.write(
                  ("HTTP/1.1 400 X\r\nContent-Type: text/plain\r\nContent-Length: "
                          + (100L << 20)
                          + "\r\n\r\n")
                      .getBytes(StandardCharsets.US_ASCII));
              for (int i = 0; i < 100; i++) {
                out.write(piece);
              }
            })) {
      RemoteWriter writer = open(options(server.uri()));
      Receives.write(writer, 0, 1);
      assertThat(Receives.shutdown(writer)).isTrue();
      assertThat(writer.stats().samples().dropped()).containsEntry(DropReason.REJECTED, 1L);
      assertThat(log).allMatch(line -> line.length() < 1_000);
    }
    Receives.awaitGivenBack(chunks.pool());
  }

  @Test
  void secretsAreInNoLogAndNoText() throws Exception {
    try (ScriptedServer server = ScriptedServer.plain(Receives.statuses(401, 503, 204))) {
      URI withQuery = URI.create(server.uri() + "?token=query-secret");
      RemoteWriterOptions options =
          options(withQuery)
              .withHeaders(HeaderSource.of(Map.of("Authorization", "Bearer header-secret")));
      RemoteWriter writer = open(options);
      Receives.write(writer, 0, 1);
      assertThat(Receives.flush(writer)).isTrue();
      Receives.write(writer, 0, 2);
      assertThat(Receives.shutdown(writer)).isTrue();
      RemoteWriter broken =
          open(options.withHeaders(HeaderSource.of(Map.of("X-Bad", "line\r\nbreak-secret"))));
      Receives.write(broken, 0, 1);
      assertThat(Receives.shutdown(broken)).isTrue();
      assertThat(broken.stats().samples().droppedTotal()).isEqualTo(1);
      assertThat(log).isNotEmpty();
      assertThat(log + options.toString() + writer.name() + writer.stats())
          .doesNotContain("secret");
    }
  }

  @Test
  void shutdownWhileAServerIsSilentEndsInTime() throws Exception {
    CountDownLatch over = new CountDownLatch(1);
    try (ScriptedServer server = ScriptedServer.plain((request, socket) -> over.await())) {
      RemoteWriter writer = open(sharded(options(server.uri())));
      for (int i = 0; i < 50; i++) {
        Receives.write(writer, i, i);
      }
      assertThat(writer.flush(1)).isFalse();
      assertThat(writer.shutdown(1)).isFalse();
      assertThat(writer.stats().samples().dropped())
          .containsExactly(Map.entry(DropReason.SHUTDOWN, 50L));
      assertThat(writer.stats().queue().requests()).isZero();
      over.countDown();
    }
    Receives.awaitGivenBack(chunks.pool());
  }

  /** An application that writes and returns. */
  static final class Application {
    private Application() {}

    /** The address. */
    public static void main(String[] arguments) {
      RemoteWriter writer =
          new RemoteWriter(
              sharded(Receives.options(URI.create(arguments[0]), new Problems())),
              new ChunkPool(16));
      Receives.write(writer, 0, 1);
      System.out.println("flushed " + writer.flush(Receives.LIMIT.toMillis()));
      // In flight as the application ends.
      Receives.write(writer, 0, 2);
    }
  }

  @Test
  void noThreadKeepsTheJvmAlive() throws Exception {
    CountDownLatch over = new CountDownLatch(1);
    AtomicInteger count = new AtomicInteger();
    try (ScriptedServer server =
            ScriptedServer.plain(
                (request, socket) -> {
                  if (count.getAndIncrement() > 0) {
                    over.await();
                  }
                  ScriptedServer.reply(socket, 204);
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
      assertThat(application.process().waitFor(Receives.LIMIT.toSeconds(), TimeUnit.SECONDS))
          .isTrue();
      assertThat(application.process().exitValue()).as(application.output()).isZero();
      assertThat(application.output()).contains("flushed true\n");
      over.countDown();
    }
  }

  @Test
  void aWriterHasOneThreadBesideThoseOfTheClientAndAllAreDaemons() throws Exception {
    Set<Thread> before = new HashSet<>(Thread.getAllStackTraces().keySet());
    try (ScriptedServer server = ScriptedServer.plain(Receives.statuses(503))) {
      RemoteWriter writer = open(sharded(options(server.uri())));
      Map<String, Integer> started = new HashMap<>();
      for (int i = 0; i < 40; i++) {
        Receives.write(writer, i, i);
      }
      Eventually.isTrue("attempts", Receives.LIMIT, () -> server.requests().size() > 20);
      for (Thread thread : Thread.getAllStackTraces().keySet()) {
        if (!before.contains(thread) && thread.getName().startsWith("millrace")) {
          assertThat(thread.isDaemon()).as(thread.getName()).isTrue();
          started.merge(thread.getName().replaceAll(" .*", ""), 1, Integer::sum);
        }
      }
      assertThat(started).containsEntry("millrace-remote-write", 1);
      assertThat(started.getOrDefault("millrace-http", 0)).isLessThanOrEqualTo(3);
      writer.shutdown(1);
    }
    Receives.awaitGivenBack(chunks.pool());
  }
}

package dev.millrace.export.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.export.scrape.ScrapeHandlerOptions;
import dev.millrace.export.server.RawConnection.Reply;
import dev.millrace.model.MetricCursor;
import dev.millrace.model.Problems;
import dev.millrace.store.Counter;
import dev.millrace.store.MetricStore;
import dev.millrace.testkit.Eventually;
import dev.millrace.testkit.GivenBack;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Peers of every kind, on raw sockets. */
class PeersTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** For servers whose slow peers are to be cut off in this test. */
  private static final long SHORT_MILLIS = 1_000;

  private static final long LONG_MILLIS = 600_000;

  private static final int MAX_SCRAPES = 8;

  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(16), ChunkPool::outstandingChunks);

  private final MetricStore store = MetricStore.inMemory();
  private final Problems problems = new Problems();
  private volatile CountDownLatch hold = new CountDownLatch(0);

  @AfterEach
  void closeStore() {
    store.close();
  }

  private PrometheusServer start(long peerLimitMillis) {
    return start(peerLimitMillis, LONG_MILLIS);
  }

  private PrometheusServer start(long peerLimitMillis, long maxWaitMillis) {
    return PrometheusServer.builder()
        .port(0)
        .problems(problems)
        .scrapeOptions(
            ScrapeHandlerOptions.defaults()
                .withMaxScrapes(MAX_SCRAPES)
                .withMaxWaitMillis(maxWaitMillis))
        .limits(peerLimitMillis, LONG_MILLIS, chunks.pool())
        .start(this::open);
  }

  private MetricCursor open() {
    try {
      assertThat(hold.await(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError("expected no interrupt outside of waits for the peer", e);
    }
    return store.open();
  }

  /** Far more than the sockets' buffers of both sides take together. */
  private void fillWithMegabytes() {
    Counter counter = store.counter("big").labelNames("number", "padding").create();
    String padding = "x".repeat(1_000);
    for (int i = 0; i < 20_000; i++) {
      counter.labels(Integer.toString(i), padding).increment();
    }
  }

  private static void expectScrapable(PrometheusServer server) {
    Eventually.isTrue(
        "a scrape",
        LIMIT,
        () -> {
          try (RawConnection client = RawConnection.to(server.address())) {
            return client.get("/metrics").status() == 200;
          }
        });
  }

  private void expectProblem(String kind, long atLeast) {
    Eventually.isTrue(kind, LIMIT, () -> problems.kind(kind).count() >= atLeast);
  }

  @Test
  void headHasTheHeadersOfGetAndNoBody() throws Exception {
    store.counter("c").create().increment();
    try (PrometheusServer server = start(LONG_MILLIS);
        RawConnection client = RawConnection.to(server.address())) {
      client.request("HEAD", "/metrics", "Accept-Encoding: gzip");
      Reply head = client.reply(false);
      assertThat(head.status()).isEqualTo(200);
      assertThat(head.header("Content-Encoding")).isEqualTo("gzip");
      assertThat(head.header("Content-Length")).isNull();
      // Whatever came after the headers would be in the way of the next reply.
      Reply get = client.get("/metrics", "Accept-Encoding: gzip");
      assertThat(get.header("Content-Type")).isEqualTo(head.header("Content-Type"));
      assertThat(get.gunzipped()).contains("c_total 1\n");
      client.request("HEAD", "/nothing");
      assertThat(client.reply(false).status()).isEqualTo(404);
      assertThat(client.get("/metrics").status()).isEqualTo(200);
    }
  }

  @Test
  void otherMethodsAreRefused() throws Exception {
    try (PrometheusServer server = start(LONG_MILLIS);
        RawConnection client = RawConnection.to(server.address())) {
      for (String path : List.of("/metrics", "/")) {
        for (String method : List.of("POST", "OPTIONS", "PUT", "DELETE", "get", "BREW")) {
          client.request(method, path);
          Reply reply = client.reply(true);
          assertThat(reply.status()).as(method).isEqualTo(405);
          assertThat(reply.header("Allow")).isEqualTo("GET, HEAD");
        }
      }
      client.send("POST /metrics HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello");
      assertThat(client.reply(true).status()).isEqualTo(405);
      assertThat(client.get("/metrics").status()).isEqualTo(200);
    }
    assertThat(problems.kind("scrape_wrong_method").count()).isEqualTo(13);
  }

  @Test
  void oneLargeReplyIsChunkedAndASmallOneHasItsLength() throws Exception {
    store.counter("c").create().increment();
    try (PrometheusServer server = start(LONG_MILLIS);
        RawConnection client = RawConnection.to(server.address())) {
      assertThat(client.get("/metrics").header("Content-Length")).isNotNull();
      fillWithMegabytes();
      Reply large = client.get("/metrics");
      assertThat(large.header("Transfer-Encoding")).isEqualTo("chunked");
      assertThat(large.text().lines().filter(line -> line.startsWith("big_total{")))
          .hasSize(20_000);
      assertThat(client.get("/metrics", "Accept-Encoding: gzip").gunzipped())
          .isEqualTo(large.text());
    }
  }

  @Test
  void anOldClientGetsItsReplyUpToTheEndOfTheConnection() throws Exception {
    fillWithMegabytes();
    try (PrometheusServer server = start(LONG_MILLIS);
        RawConnection client = RawConnection.to(server.address())) {
      client.send("GET /metrics HTTP/1.0\r\n\r\n");
      String reply = new String(client.untilClosed(), StandardCharsets.UTF_8);
      assertThat(reply).doesNotContainIgnoringCase("\r\nTransfer-Encoding:");
      assertThat(reply.lines().filter(line -> line.startsWith("big_total{"))).hasSize(20_000);
    }
  }

  @Test
  void pipelinedRequestsAreAnsweredInTheirOrder() throws Exception {
    store.counter("c").create().increment();
    try (PrometheusServer server = start(LONG_MILLIS);
        RawConnection client = RawConnection.to(server.address())) {
      String host = " HTTP/1.1\r\nHost: a\r\n\r\n";
      client.send(
          "GET /metrics"
              + host
              + "GET /"
              + host
              + "HEAD /metrics"
              + host
              + "GET /x"
              + host
              + "GET /metrics"
              + host);
      assertThat(client.reply(true).text()).contains("c_total 1\n");
      assertThat(client.reply(true).text()).contains("/metrics");
      assertThat(client.reply(false).status()).isEqualTo(200);
      assertThat(client.reply(true).status()).isEqualTo(404);
      assertThat(client.reply(true).text()).contains("c_total 1\n");
    }
  }

  @Test
  void halvesOfRequestsHoldNoThreadForEver() throws Exception {
    List<RawConnection> clients = new ArrayList<>();
    try (PrometheusServer server = start(SHORT_MILLIS)) {
      // More than there are threads: some wait for the rest of the request, some are not let in.
      for (int i = 0; i < MAX_SCRAPES + PrometheusServer.MORE_THREADS + 8; i++) {
        RawConnection client = RawConnection.to(server.address());
        clients.add(client);
        client.send(i % 2 == 0 ? "GET /met" : "GET /metrics HTTP/1.1\r\nHost: a\r\nAccept: te");
      }
      for (RawConnection client : clients) {
        assertThat(client.untilClosed()).isEmpty();
      }
      expectProblem("scrape_slow_request", 1);
      expectScrapable(server);
    } finally {
      for (RawConnection client : clients) {
        client.close();
      }
    }
  }

  @Test
  void aRequestThatDripsIsCutOff() throws Exception {
    try (PrometheusServer server = start(SHORT_MILLIS);
        RawConnection client = RawConnection.to(server.address())) {
      client.send("GET /metrics HTTP/1.1\r\nX: ");
      // Each byte is progress, and all the same the request is not there in time.
      Eventually.isTrue(
          "a closed connection",
          LIMIT,
          () -> {
            try {
              client.send("y");
              return false;
            } catch (IOException e) {
              return true;
            }
          });
      expectProblem("scrape_slow_request", 1);
      expectScrapable(server);
    }
  }

  @Test
  void aBodyThatDoesNotComeIsNotWaitedForForEver() throws Exception {
    try (PrometheusServer server = start(SHORT_MILLIS);
        RawConnection client = RawConnection.to(server.address())) {
      client.send("POST /metrics HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\nhalf");
      client.untilClosed();
      expectScrapable(server);
    }
  }

  @Test
  void headersWithoutEndAreCutOff() throws Exception {
    try (PrometheusServer server = start(SHORT_MILLIS);
        RawConnection client = RawConnection.to(server.address())) {
      client.send("GET /metrics HTTP/1.1\r\n");
      String line = "Accept: " + "text/plain;q=0.5,".repeat(50) + "\r\n";
      Eventually.isTrue(
          "a closed connection",
          LIMIT,
          () -> {
            try {
              for (int i = 0; i < 1_000; i++) {
                client.send(line);
              }
              return false;
            } catch (IOException e) {
              return true;
            }
          });
      expectScrapable(server);
    }
  }

  @Test
  void longHeadersWithinTheLimitAreRead() throws Exception {
    store.counter("c").create().increment();
    try (PrometheusServer server = start(LONG_MILLIS);
        RawConnection client = RawConnection.to(server.address())) {
      String junk = "a/b;q=0.001;x=\"\\\"\",".repeat(5_000);
      Reply reply =
          client.get("/metrics", "Accept: " + junk, "Accept: */*", "accept-encoding: " + junk);
      assertThat(reply.status()).isEqualTo(200);
      assertThat(reply.text()).contains("c_total 1\n");
    }
  }

  @Test
  void clientsThatCloseHalfWayCostTheirScrapeAlone() throws Exception {
    fillWithMegabytes();
    try (PrometheusServer server = start(LONG_MILLIS)) {
      for (int i = 0; i < MAX_SCRAPES + 1; i++) {
        try (RawConnection client = RawConnection.withSmallWindow(server.address())) {
          client.request("GET", "/metrics", i % 2 == 0 ? "Accept: */*" : "Accept: text/plain");
          assertThat(client.read()).isEqualTo('H');
        }
        expectProblem("scrape_aborted", i + 1);
      }
      expectScrapable(server);
      Eventually.isTrue("all scrapes over", LIMIT, () -> server.gate().running() == 0);
    }
  }

  @Test
  void aClientThatReadsByteByByteIsCutOff() throws Exception {
    fillWithMegabytes();
    try (PrometheusServer server = start(SHORT_MILLIS);
        RawConnection client = RawConnection.withSmallWindow(server.address())) {
      client.request("GET", "/metrics");
      Eventually.isTrue(
          "the end of the scrape",
          LIMIT,
          () -> {
            assertThat(client.socket().getInputStream().read()).isNotNegative();
            return problems.kind("scrape_aborted").count() == 1;
          });
      String rest = new String(client.untilClosed(), StandardCharsets.ISO_8859_1);
      assertThat(rest).doesNotEndWith("\r\n0\r\n\r\n");
      expectScrapable(server);
    }
  }

  @Test
  void aClientThatReadsNothingHoldsOthersUpForABoundedTime() throws Exception {
    fillWithMegabytes();
    try (PrometheusServer server = start(LONG_MILLIS, SHORT_MILLIS);
        RawConnection slow = RawConnection.withSmallWindow(server.address())) {
      slow.request("GET", "/metrics");
      assertThat(slow.read()).isEqualTo('H');
      expectScrapable(server);
      expectProblem("scrape_dropped", 1);
      expectProblem("scrape_aborted", 1);
      String rest = new String(slow.untilClosed(), StandardCharsets.ISO_8859_1);
      assertThat(rest).doesNotEndWith("\r\n0\r\n\r\n");
    }
  }

  @Test
  void eightScrapesAtOnceAreServedAndANinthIsToldToComeBack() throws Exception {
    store.counter("c").create().increment();
    CountDownLatch released = new CountDownLatch(1);
    hold = released;
    ExecutorService clients = Executors.newCachedThreadPool();
    try (PrometheusServer server = start(LONG_MILLIS)) {
      List<Future<Reply>> replies = new ArrayList<>();
      for (int i = 0; i < MAX_SCRAPES; i++) {
        boolean gzip = i % 2 == 0;
        replies.add(
            clients.submit(
                () -> {
                  try (RawConnection client = RawConnection.to(server.address())) {
                    return client.get("/metrics", gzip ? "Accept-Encoding: gzip" : "Accept: */*");
                  }
                }));
      }
      Eventually.isTrue(
          "eight scrapes in progress", LIMIT, () -> server.gate().running() == MAX_SCRAPES);
      try (RawConnection ninth = RawConnection.to(server.address())) {
        Reply busy = ninth.get("/metrics");
        assertThat(busy.status()).isEqualTo(503);
        assertThat(busy.header("Retry-After")).isEqualTo("1");
        assertThat(busy.text()).contains("at most 8 scrapes at once");
        assertThat(ninth.get("/").status()).isEqualTo(200);
        released.countDown();
        for (int i = 0; i < replies.size(); i++) {
          Reply reply = replies.get(i).get(LIMIT.toSeconds(), TimeUnit.SECONDS);
          assertThat(reply.status()).isEqualTo(200);
          assertThat(i % 2 == 0 ? reply.gunzipped() : reply.text()).contains("c_total 1\n");
        }
        Eventually.isTrue("room", LIMIT, () -> ninth.get("/metrics").status() == 200);
      }
      assertThat(problems.kind("scrape_unavailable").count()).isPositive();
    } finally {
      released.countDown();
      clients.shutdown();
    }
  }

  @Test
  void aSourceThatFailsIsAnErrorOfTheServer() throws Exception {
    try (PrometheusServer server =
            PrometheusServer.builder()
                .port(0)
                .problems(problems)
                .start(
                    () -> {
                      throw new IllegalStateException("no metrics today");
                    });
        RawConnection client = RawConnection.to(server.address())) {
      Reply reply = client.get("/metrics");
      assertThat(reply.status()).isEqualTo(500);
      assertThat(reply.text()).doesNotContain("today");
      assertThat(client.get("/").status()).isEqualTo(200);
      assertThat(problems.kind("scrape_failed").count()).isEqualTo(1);
    }
  }

  @Test
  void closingLetsScrapesEnd() throws Exception {
    store.counter("c").create().increment();
    CountDownLatch released = new CountDownLatch(1);
    hold = released;
    ExecutorService others = Executors.newCachedThreadPool();
    PrometheusServer server = start(LONG_MILLIS);
    try (RawConnection client = RawConnection.to(server.address());
        RawConnection late = RawConnection.to(server.address())) {
      client.request("GET", "/metrics");
      Eventually.isTrue("a scrape in progress", LIMIT, () -> server.gate().running() == 1);
      Future<?> closing = others.submit(server::close);
      Eventually.isTrue("a closed gate", LIMIT, () -> server.gate().isClosed());
      Reply refused = late.get("/metrics");
      assertThat(refused.status()).isEqualTo(503);
      assertThat(refused.text()).contains("stops");
      released.countDown();
      assertThat(client.reply(true).text()).contains("c_total 1\n");
      closing.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
      assertThat(client.untilClosed()).isEmpty();
    } finally {
      released.countDown();
      server.close();
      others.shutdown();
    }
  }

  @Test
  void closingCutsOffWhoDoesNotRead() throws Exception {
    fillWithMegabytes();
    PrometheusServer server =
        PrometheusServer.builder()
            .port(0)
            .problems(problems)
            .limits(LONG_MILLIS, 1, chunks.pool())
            .start(store);
    try (RawConnection client = RawConnection.withSmallWindow(server.address())) {
      client.request("GET", "/metrics");
      assertThat(client.read()).isEqualTo('H');
      server.close();
      Eventually.isTrue("the scrape's end", LIMIT, () -> server.gate().running() == 0);
      String rest = new String(client.untilClosed(), StandardCharsets.ISO_8859_1);
      assertThat(rest).doesNotEndWith("\r\n0\r\n\r\n");
    } finally {
      server.close();
    }
  }
}

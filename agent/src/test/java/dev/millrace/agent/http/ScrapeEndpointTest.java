package dev.millrace.agent.http;

import static dev.millrace.format.prometheus.PrometheusFormat.OPEN_METRICS_1_0_0;
import static dev.millrace.format.prometheus.PrometheusFormat.TEXT_0_0_4;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.agent.http.RawClient.Reply;
import dev.millrace.bytes.ChunkPool;
import dev.millrace.format.prometheus.PrometheusFormat;
import dev.millrace.testkit.Eventually;
import dev.millrace.testkit.GivenBack;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ScrapeEndpointTest {
  private static final String OPENMETRICS =
      "Accept: application/openmetrics-text;version=1.0.0,text/plain;q=0.5";
  private static final Duration LIMIT = Duration.ofSeconds(20);

  /** More than the kernel and the reply's bound on unwritten chunks hold together. */
  private static final int MANY_LINES = 1_500_000;

  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(64), ChunkPool::outstandingChunks);

  private ScrapeServer scrape;

  @BeforeEach
  void start() throws IOException {
    scrape = new ScrapeServer(chunks.pool());
  }

  @AfterEach
  void stop() {
    scrape.close();
    assertThat(scrape.openCursors).hasValue(0);
  }

  private void restart(UnaryOperator<HttpServerOptions> change) throws IOException {
    scrape.close();
    scrape = new ScrapeServer(chunks.pool(), change, 120_000);
  }

  private static String gunzip(Reply reply) throws IOException {
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(reply.bodyBytes()))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void aScrapeIsStreamedInTheNegotiatedFormat() throws Exception {
    try (RawClient client = scrape.connect()) {
      Reply text = client.head("GET /metrics").read();
      assertThat(text.status()).isEqualTo(200);
      assertThat(text.header("content-type")).isEqualTo("test/TEXT_0_0_4; charset=utf-8");
      assertThat(text.header("transfer-encoding")).isEqualTo("chunked");
      assertThat(text.header("content-encoding")).isEqualTo("(none)");
      assertThat(text.header("vary")).isEqualTo("Accept, Accept-Encoding");
      assertThat(text.header("date")).endsWith("GMT");
      assertThat(text.body()).isEqualTo(scrape.expected(TEXT_0_0_4));

      Reply openMetrics = client.head("GET /metrics?x=y", OPENMETRICS).read();
      assertThat(openMetrics.header("content-type")).startsWith("test/OPEN_METRICS_1_0_0");
      assertThat(openMetrics.body()).isEqualTo(scrape.expected(OPEN_METRICS_1_0_0));

      Reply gzip =
          client
              .head("GET /metrics", OPENMETRICS, "Accept-Encoding: br", "Accept-Encoding: gzip")
              .read();
      assertThat(gzip.header("content-encoding")).isEqualTo("gzip");
      assertThat(gunzip(gzip)).isEqualTo(scrape.expected(OPEN_METRICS_1_0_0));
      Eventually.isTrue("three scrapes", LIMIT, () -> scrape.endpoint.scrapes() == 3);
      assertThat(scrape.endpoint.sentBytes())
          .isEqualTo(
              text.bodyBytes().length + openMetrics.bodyBytes().length + gzip.bodyBytes().length);
    }
  }

  @Test
  void aLargeScrapeArrivesWholeInBoundedMemory() throws Exception {
    scrape.lines = MANY_LINES;
    try (RawClient client = scrape.connect()) {
      assertThat(client.head("GET /metrics").read().body()).isEqualTo(scrape.expected(TEXT_0_0_4));
    }
    assertThat(chunks.pool().allocatedChunks())
        .isLessThanOrEqualTo(StreamedReply.MAX_UNWRITTEN_CHUNKS + 2);
  }

  @Test
  void headHasTheHeadersOfGetAndNoBody() throws Exception {
    try (RawClient client = scrape.connect()) {
      for (String path : List.of("/metrics", "/-/healthy", "/-/ready", "/")) {
        Reply get = client.head("GET " + path, OPENMETRICS).read();
        Reply head = client.head("HEAD " + path, OPENMETRICS).readHead();
        assertThat(head.status()).isEqualTo(get.status());
        for (String header :
            List.of("content-type", "content-length", "transfer-encoding", "connection")) {
          assertThat(head.header(header)).as(path + " " + header).isEqualTo(get.header(header));
        }
      }
    }
  }

  @Test
  void http10GetsABodyThatEndsWithItsConnection() throws Exception {
    try (RawClient client = scrape.connect()) {
      Reply reply = client.send("GET /metrics HTTP/1.0\r\nConnection: keep-alive\r\n\r\n").read();
      assertThat(reply.header("transfer-encoding")).isEqualTo("(none)");
      assertThat(reply.header("content-length")).isEqualTo("(none)");
      assertThat(reply.header("connection")).isEqualTo("close");
      assertThat(reply.body()).isEqualTo(scrape.expected(TEXT_0_0_4));
    }
  }

  @Test
  void healthAndReadinessAreText() throws Exception {
    try (RawClient client = scrape.connect()) {
      assertThat(client.head("GET /-/healthy").read().body()).isEqualTo("healthy\n");
      assertThat(client.head("GET /-/ready").read().body()).isEqualTo("ready\n");
      scrape.ready = false;
      Reply notReady = client.head("GET /-/ready").read();
      assertThat(notReady.status()).isEqualTo(503);
      assertThat(notReady.header("retry-after")).isEqualTo("1");
      assertThat(client.head("GET /-/healthy").read().status()).isEqualTo(200);
      assertThat(client.head("GET /").read().body()).contains("/metrics");
    }
  }

  @Test
  void otherPathsAndMethodsAreRefused() throws Exception {
    try (RawClient client = scrape.connect()) {
      for (String path : List.of("/metric", "/metrics/", "/v1/metrics", "/-/", "/%6detrics")) {
        Reply reply = client.head("GET " + path).read();
        assertThat(reply.status()).as(path).isEqualTo(404);
        assertThat(reply.body()).contains("expected /metrics");
      }
      for (String method : List.of("POST", "PUT", "DELETE", "OPTIONS")) {
        for (String path : List.of("/metrics", "/-/ready")) {
          Reply reply = client.head(method + " " + path, "Content-Length: 3").send("abc").read();
          assertThat(reply.status()).isEqualTo(405);
          assertThat(reply.header("allow")).isEqualTo("GET, HEAD");
        }
      }
    }
    assertThat(scrape.problemCount("scrape_unknown_path")).isEqualTo(5);
    assertThat(scrape.problemCount("scrape_wrong_method")).isEqualTo(8);
  }

  @Test
  void aBodyIsDroppedUnlessItIsLarge() throws Exception {
    try (RawClient client = scrape.connect()) {
      Reply reply = client.head("GET /-/healthy", "Content-Length: 3").send("abc").read();
      assertThat(reply.status()).isEqualTo(200);
      client.head("GET /metrics", "Transfer-Encoding: chunked");
      for (int i = 0; i < 20; i++) {
        client.send("8000\r\n" + "x".repeat(0x8000) + "\r\n");
      }
      assertThat(client.send("0\r\n\r\n").read().status()).isEqualTo(413);
    }
  }

  @Test
  void eightScrapesAtOnceOfBothFormatsAreNotMixed() throws Exception {
    scrape.lines = 50_000;
    int clients = 8;
    CyclicBarrier together = new CyclicBarrier(clients);
    ExecutorService threads = Executors.newFixedThreadPool(clients);
    try {
      List<Future<Boolean>> results = new ArrayList<>();
      for (int i = 0; i < clients; i++) {
        PrometheusFormat format = i % 2 == 0 ? OPEN_METRICS_1_0_0 : TEXT_0_0_4;
        boolean gzip = i % 4 < 2;
        String expected = scrape.expected(format);
        Callable<Boolean> client =
            () -> {
              try (RawClient connection = scrape.connect()) {
                together.await();
                for (int round = 0; round < 4; round++) {
                  connection.head(
                      "GET /metrics",
                      format == OPEN_METRICS_1_0_0 ? OPENMETRICS : "Accept: */*",
                      gzip ? "Accept-Encoding: gzip" : "X: y");
                  Reply reply = connection.read();
                  if (reply.status() == 503) {
                    // As many clients as workers: one may ask before a worker is free again.
                    round--;
                    continue;
                  }
                  assertThat(gzip ? gunzip(reply) : reply.body()).isEqualTo(expected);
                }
                return true;
              }
            };
        results.add(threads.submit(client));
      }
      for (Future<Boolean> result : results) {
        assertThat(result.get()).isTrue();
      }
    } finally {
      threads.shutdown();
    }
  }

  @Test
  void scrapesSentAheadAreAnsweredInOrder() throws Exception {
    try (RawClient client = scrape.connect()) {
      for (int i = 0; i < 6; i++) {
        client.head(
            i % 3 == 0 ? "HEAD /metrics" : "GET /metrics", i % 2 == 0 ? OPENMETRICS : "X: y");
      }
      for (int i = 0; i < 6; i++) {
        Reply reply = i % 3 == 0 ? client.readHead() : client.read();
        PrometheusFormat format = i % 2 == 0 ? OPEN_METRICS_1_0_0 : TEXT_0_0_4;
        assertThat(reply.header("content-type")).contains(format.name());
        assertThat(reply.body()).isEqualTo(i % 3 == 0 ? "" : scrape.expected(format));
      }
    }
  }

  @Test
  void theJdksClientIsServed() throws Exception {
    HttpClient client = HttpClient.newHttpClient();
    URI uri = URI.create("http://127.0.0.1:" + scrape.address().getPort() + "/metrics");
    for (int i = 0; i < 20; i++) {
      HttpResponse<String> reply =
          client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
      assertThat(reply.body()).isEqualTo(scrape.expected(TEXT_0_0_4));
    }
  }

  @Test
  void aScraperThatReadsNothingIsClosedAndCounted() throws Exception {
    restart(options -> options.withStallMillis(200));
    scrape.lines = MANY_LINES;
    try (RawClient stalled = new RawClient(scrape.address(), 4_096)) {
      stalled.head("GET /metrics");
      Eventually.isTrue(
          "a stalled reply", LIMIT, () -> scrape.problemCount("http_reply_stalled") == 1);
      Eventually.isTrue("the source is free", LIMIT, () -> scrape.openCursors.get() == 0);
      // What arrives is cut off, not ended: nobody can take it for a whole scrape.
      assertThatThrownBy(stalled::read).isInstanceOf(IOException.class);
    }
    assertThat(scrape.problemCount("scrape_aborted")).isEqualTo(1);
    assertThat(scrape.endpoint.scrapes()).isZero();
  }

  @Test
  void aScraperThatReadsAByteNowAndThenIsClosedInTheEnd() throws Exception {
    restart(options -> options.withReplyMillis(500));
    scrape.lines = MANY_LINES;
    try (RawClient slow = new RawClient(scrape.address(), 4_096)) {
      slow.head("GET /metrics");
      Eventually.isTrue(
          "a reply that took too long",
          LIMIT,
          () -> {
            slow.readByte();
            return scrape.problemCount("http_reply_stalled") == 1;
          });
    }
  }

  @Test
  void aSmallScrapeFreesItsSourceHoweverSlowTheScraperIs() throws Exception {
    // More than the kernel takes for this client, less than the bound on unwritten chunks.
    scrape.lines = 50_000;
    try (RawClient slow = new RawClient(scrape.address(), 4_096)) {
      slow.head("GET /metrics");
      Eventually.isTrue("the scrape is encoded", LIMIT, () -> scrape.endpoint.scrapes() == 1);
      assertThat(scrape.openCursors).hasValue(0);
      assertThat(slow.read().body()).isEqualTo(scrape.expected(TEXT_0_0_4));
    }
  }

  @Test
  void aScraperThatGoesAwayInTheMiddleLeavesNothing() throws Exception {
    scrape.lines = MANY_LINES;
    for (int i = 0; i < 4; i++) {
      RawClient client = new RawClient(scrape.address(), 4_096);
      client.head("GET /metrics", i % 2 == 0 ? "X: y" : OPENMETRICS);
      client.readByte();
      if (i < 2) {
        client.reset();
      } else {
        client.close();
      }
    }
    Eventually.isTrue(
        "four aborted scrapes", LIMIT, () -> scrape.problemCount("scrape_aborted") == 4);
    Eventually.isTrue("every chunk is back", LIMIT, () -> chunks.pool().outstandingChunks() == 0);
    assertThat(scrape.openCursors).hasValue(0);
    scrape.lines = 10;
    try (RawClient client = scrape.connect()) {
      assertThat(client.head("GET /metrics").read().body()).isEqualTo(scrape.expected(TEXT_0_0_4));
    }
  }

  @Test
  void aScraperThatGoesAwayBeforeItsReplyLeavesNothing() throws Exception {
    CountDownLatch gate = new CountDownLatch(1);
    scrape.gate = gate;
    scrape.lines = MANY_LINES;
    try (RawClient client = scrape.connect()) {
      client.head("GET /metrics");
      Eventually.isTrue("a scrape in progress", LIMIT, () -> scrape.openCursors.get() == 1);
      client.reset();
    }
    gate.countDown();
    Eventually.isTrue("the scrape ends", LIMIT, () -> scrape.openCursors.get() == 0);
  }

  @Test
  void moreScrapesThanAllowedAre503() throws Exception {
    CountDownLatch gate = new CountDownLatch(1);
    scrape.gate = gate;
    List<RawClient> clients = new ArrayList<>();
    for (int i = 0; i < ScrapeEndpoint.MAX_CONCURRENT_SCRAPES; i++) {
      RawClient client = scrape.connect();
      clients.add(client);
      client.head("GET /metrics");
    }
    Eventually.isTrue(
        "all workers busy",
        LIMIT,
        () -> scrape.workers.activeCount() == ScrapeEndpoint.MAX_CONCURRENT_SCRAPES);
    assertThat(scrape.openCursors).hasValue(1);
    try (RawClient client = scrape.connect()) {
      Reply refused = client.head("GET /metrics").read();
      assertThat(refused.status()).isEqualTo(503);
      assertThat(refused.header("retry-after")).isEqualTo("1");
      // The rest of the endpoint is as alive as ever.
      assertThat(client.head("GET /-/healthy").read().status()).isEqualTo(200);
      gate.countDown();
      for (RawClient waiting : clients) {
        assertThat(waiting.read().body()).isEqualTo(scrape.expected(TEXT_0_0_4));
        waiting.close();
      }
      assertThat(client.head("GET /metrics").read().status()).isEqualTo(200);
    }
    assertThat(scrape.problemCount("scrape_overloaded")).isEqualTo(1);
  }

  @Test
  void aScraperThatReadsNothingIsCutOffWhenAnotherOneWaits() throws Exception {
    scrape.close();
    scrape = new ScrapeServer(chunks.pool(), options -> options, 1_000);
    scrape.lines = MANY_LINES;
    try (RawClient stalled = new RawClient(scrape.address(), 4_096)) {
      stalled.head("GET /metrics");
      Eventually.isTrue("a scrape in progress", LIMIT, () -> scrape.openCursors.get() == 1);
      Eventually.isTrue(
          "another scrape",
          LIMIT,
          () -> {
            try (RawClient client = scrape.connect()) {
              // Where the machine is slow, the wait may end before the source is free.
              Reply reply = client.head("GET /metrics").read();
              assertThat(reply.status()).isIn(200, 503);
              return reply.status() == 200
                  && reply.body().equals(scrape.expected(TEXT_0_0_4))
                  && scrape.problemCount("scrape_dropped") == 1;
            }
          });
      assertThatThrownBy(stalled::read).isInstanceOf(IOException.class);
    }
    assertThat(scrape.problemCount("http_reply_stalled")).isZero();
  }

  @Test
  void aScrapeThatCannotHaveTheSourceInTimeIs503() throws Exception {
    scrape.close();
    scrape = new ScrapeServer(chunks.pool(), options -> options, 50);
    CountDownLatch gate = new CountDownLatch(1);
    scrape.gate = gate;
    try (RawClient first = scrape.connect();
        RawClient second = scrape.connect()) {
      first.head("GET /metrics");
      Eventually.isTrue("a scrape in progress", LIMIT, () -> scrape.openCursors.get() == 1);
      Reply refused = second.head("GET /metrics").read();
      assertThat(refused.status()).isEqualTo(503);
      assertThat(refused.header("retry-after")).isEqualTo("1");
      assertThat(refused.body()).contains("expected the source to be free within 50 ms");
      gate.countDown();
      assertThat(first.read().body()).isEqualTo(scrape.expected(TEXT_0_0_4));
      assertThat(second.head("HEAD /metrics").readHead().status()).isEqualTo(200);
    }
    assertThat(scrape.problemCount("scrape_unavailable")).isEqualTo(1);
  }

  @Test
  void aScrapeThatFailsIs500OrCutOff() throws Exception {
    scrape.failure = new IllegalStateException("the encoder is broken");
    try (RawClient client = scrape.connect()) {
      Reply early = client.head("GET /metrics").read();
      assertThat(early.status()).isEqualTo(500);
      assertThat(early.body()).doesNotContain("broken");
      scrape.lines = MANY_LINES;
      client.head("GET /metrics");
      assertThatThrownBy(client::read).isInstanceOf(IOException.class);
    }
    assertThat(scrape.problemCount("scrape_failed")).isEqualTo(2);
    assertThat(scrape.log.get(0)).contains("the encoder is broken");
  }
}

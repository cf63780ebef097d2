package dev.millrace.agent.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.agent.http.RawClient.Reply;
import dev.millrace.bytes.ChunkPool;
import dev.millrace.testkit.Eventually;
import dev.millrace.testkit.GivenBack;
import io.netty.channel.ChannelOption;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The server itself, whatever it serves; here that is OTLP. */
class HttpServerTest {
  private static final String JSON = "Content-Type: application/json";
  private static final Duration LIMIT = Duration.ofSeconds(20);

  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(64), ChunkPool::outstandingChunks);

  private OtlpServer otlp;

  @BeforeEach
  void start() throws IOException {
    otlp = new OtlpServer(chunks.pool());
  }

  @AfterEach
  void stop() {
    otlp.close();
    assertThat(otlp.budget.usedBytes()).isZero();
  }

  private void restart(UnaryOperator<HttpServerOptions> change) throws IOException {
    otlp.close();
    otlp = new OtlpServer(chunks.pool(), change, 4 * OtlpServer.MAX_BODY_BYTES);
  }

  /** In the requests here a bar stands for the end of a line. */
  @Test
  void whatIsNotHttpIs400AndClosed() throws Exception {
    Map<String, Integer> requests =
        Map.ofEntries(
            Map.entry("hello||", 400),
            Map.entry("\u0016\u0003\u0001\u0002\u0000\u0001\u0000||", 400),
            Map.entry("POST /v1/metrics||", 400),
            Map.entry("POST /v1/metrics HTTP/1.1||", 400),
            Map.entry("POST /v1/metrics HTTP/1.1|Host: a|Host: b||", 400),
            Map.entry("POST /v1/metrics HTTP/1.1|Host: a|no colon||", 400),
            Map.entry("POST /v1/metrics HTTP/1.1|Host: a|Content-Length: -1||", 400),
            Map.entry("POST /v1/metrics HTTP/1.1|Host: a|Content-Length: x||", 400),
            Map.entry("POST / HTTP/1.1|Host: a|Content-Length: 1|Content-Length: 2||xx", 400),
            Map.entry(
                "POST / HTTP/1.1|Host: a|Content-Length: 1|Transfer-Encoding: chunked||0||", 400),
            Map.entry("POST / HTTP/1.0|Transfer-Encoding: chunked||0||", 400),
            Map.entry("POST / HTTP/1.1|Host: a|Transfer-Encoding: gzip||", 400),
            Map.entry("POST / HTTP/1.1|Host: a|Transfer-Encoding: gzip, chunked||0||", 501),
            Map.entry("POST / HTTP/1.1|Host: a|Expect: the best||", 417),
            Map.entry("PRI * HTTP/2.0||SM||", 505),
            Map.entry("GET / HTTP/1.1|Host: a|X: " + "x".repeat(20_000) + "||", 431),
            Map.entry("GET /" + "x".repeat(5_000) + " HTTP/1.1|Host: a||", 414));
    for (Map.Entry<String, Integer> request : requests.entrySet()) {
      try (RawClient client = otlp.connect()) {
        Reply reply = client.send(request.getKey().replace("|", "\r\n")).read();
        assertThat(reply.status()).as(request.getKey()).isEqualTo(request.getValue());
        assertThat(reply.header("connection")).isEqualTo("close");
        assertThat(reply.header("content-type")).isEqualTo("application/json");
        assertThat(reply.body()).contains("expected").doesNotContain("Exception");
        assertThat(client.isClosedByPeer()).isTrue();
      }
    }
    assertThat(otlp.problemCount("http_malformed")).isEqualTo(requests.size());
    assertThat(otlp.log).as("one line a kind").hasSize(1);
  }

  @Test
  void aBrokenChunkIs400() throws Exception {
    for (String chunk : List.of("zz\r\n", "-1\r\nx", "5\r\nabcdefgh\r\n", "fffffffff\r\n")) {
      try (RawClient client = otlp.connect()) {
        client.head("POST /v1/metrics", JSON, "Transfer-Encoding: chunked").send(chunk);
        assertThat(client.read().status()).as(chunk).isEqualTo(400);
        assertThat(client.isClosedByPeer()).isTrue();
      }
    }
    assertThat(otlp.received).isEmpty();
  }

  @Test
  void http10ClosesUnlessAskedNotTo() throws Exception {
    String request = "POST /v1/metrics HTTP/1.0\r\n" + JSON + "\r\nContent-Length: 1\r\n";
    try (RawClient client = otlp.connect()) {
      Reply kept = client.send(request + "Connection: keep-alive\r\n\r\nx").read();
      assertThat(kept.header("connection")).isEqualTo("keep-alive");
      Reply closed = client.send(request + "\r\nx").read();
      assertThat(closed.header("connection")).isEqualTo("close");
      assertThat(client.isClosedByPeer()).isTrue();
    }
    assertThat(otlp.received).hasSize(2);
  }

  @Test
  void closesWhenTheClientAsks() throws Exception {
    try (RawClient client = otlp.connect()) {
      client.head("POST /v1/metrics", JSON, "Content-Length: 1", "Connection: close").send("x");
      assertThat(client.read().header("connection")).isEqualTo("close");
      assertThat(client.isClosedByPeer()).isTrue();
    }
  }

  @Test
  void theJdksClientIsServed() throws Exception {
    // It offers HTTP/2 by Upgrade on its first request, and keeps its connection.
    HttpClient client = HttpClient.newHttpClient();
    URI uri = URI.create("http://127.0.0.1:" + otlp.address().getPort() + "/v1/metrics");
    List<CompletableFuture<HttpResponse<String>>> replies = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      HttpRequest request =
          HttpRequest.newBuilder(uri)
              .header("Content-Type", "application/json")
              .expectContinue(i % 2 == 0)
              .POST(HttpRequest.BodyPublishers.ofString("x".repeat(i * 1000 + 1)))
              .build();
      replies.add(client.sendAsync(request, HttpResponse.BodyHandlers.ofString()));
    }
    for (CompletableFuture<HttpResponse<String>> reply : replies) {
      // More at once than there are workers and places: some are told to come back.
      assertThat(reply.get().statusCode()).isIn(400, 503);
    }
  }

  @Test
  void smallRepliesDoNotWaitForAcknowledgements() throws Exception {
    try (RawClient client = otlp.connect()) {
      client.head("POST /v1/metrics", JSON, "Content-Length: 1").send("x").read();
      assertThat(List.copyOf(otlp.server.connections()))
          .singleElement()
          .extracting(channel -> channel.config().getOption(ChannelOption.TCP_NODELAY))
          .isEqualTo(true);
    }
  }

  @Test
  void anIdleConnectionIsClosed() throws Exception {
    restart(options -> options.withIdleMillis(100));
    try (RawClient silent = otlp.connect();
        RawClient used = otlp.connect();
        RawClient halfAHead = otlp.connect()) {
      halfAHead.send("POST /v1/metrics HTTP/1.1\r\nHost:");
      used.head("POST /v1/metrics", JSON, "Content-Length: 1").send("x").read();
      assertThat(silent.isClosedByPeer()).isTrue();
      assertThat(used.isClosedByPeer()).isTrue();
      assertThat(halfAHead.isClosedByPeer()).isTrue();
    }
  }

  @Test
  void aBodyThatDoesNotComeIs408() throws Exception {
    restart(options -> options.withRequestMillis(100));
    try (RawClient client = otlp.connect();
        RawClient refused = otlp.connect()) {
      client.head("POST /v1/metrics", "Content-Type: application/x-protobuf", "Content-Length: 9");
      refused.head("POST /v1/nowhere", "Content-Length: 9");
      Reply reply = client.send("four").read();
      assertThat(reply.status()).isEqualTo(408);
      assertThat(reply.header("content-type")).isEqualTo("application/x-protobuf");
      assertThat(client.isClosedByPeer()).isTrue();
      assertThat(refused.read().status()).isEqualTo(408);
    }
    assertThat(otlp.problemCount("http_request_timeout")).isEqualTo(2);
  }

  @Test
  void moreConnectionsThanAllowedAreClosed() throws Exception {
    restart(options -> options.withMaxConnections(2));
    try (RawClient first = otlp.connect();
        RawClient second = otlp.connect()) {
      // Both are known to the server once it has answered them.
      first.head("POST /v1/metrics", JSON).read();
      second.head("POST /v1/metrics", JSON).read();
      try (RawClient third = otlp.connect()) {
        assertThat(third.isClosedByPeer()).isTrue();
      }
      first.head("POST /v1/metrics", JSON).read();
    }
    assertThat(otlp.problemCount("http_too_many_connections")).isEqualTo(1);
    Eventually.isTrue("room again", LIMIT, () -> otlp.server.connectionCount() == 0);
    try (RawClient again = otlp.connect()) {
      assertThat(again.head("POST /v1/metrics", JSON).read().status()).isEqualTo(400);
    }
  }

  @Test
  void aTakenPortIsNamed() {
    int port = otlp.address().getPort();
    HttpServerOptions options = HttpServerOptions.of("receivers: otlp/2", "127.0.0.1", port);
    try (HttpLoops loops = new HttpLoops()) {
      assertThatThrownBy(
              () -> HttpServer.start(options, otlp.endpoint, loops, otlp.problems).stop(0))
          .isInstanceOf(IOException.class)
          .hasMessage(
              "receivers: otlp/2: cannot listen on 127.0.0.1:%d: port %d is in use by another"
                  + " program or another agent; stop that one, or set \"endpoint\" to another port",
              port, port);
    }
  }

  @Test
  void anAddressThatIsNotOursIsNamed() {
    HttpServerOptions foreign = HttpServerOptions.of("exporters: prometheus", "192.0.2.1", 0);
    try (HttpLoops loops = new HttpLoops()) {
      assertThatThrownBy(
              () -> HttpServer.start(foreign, otlp.endpoint, loops, otlp.problems).stop(0))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("exporters: prometheus: cannot listen on 192.0.2.1:0")
          .hasMessageContaining("no address of this machine");
    }
  }

  @Test
  void stopLetsRequestsInProgressFinish() throws Exception {
    CountDownLatch gate = new CountDownLatch(1);
    otlp.gate = gate;
    try (RawClient idle = otlp.connect();
        RawClient working = otlp.connect();
        RawClient sending = otlp.connect()) {
      idle.head("POST /v1/metrics").read();
      working.head("POST /v1/metrics", JSON, "Content-Length: 1").send("x");
      sending.head("POST /v1/metrics", JSON, "Content-Length: 4").send("xx");
      Eventually.isTrue("two bodies in flight", LIMIT, () -> otlp.budget.usedBytes() == 2 * 65_536);
      CompletableFuture<Boolean> stopped = CompletableFuture.supplyAsync(() -> otlp.stop(20_000));
      assertThat(idle.isClosedByPeer()).isTrue();
      // The kernel lets go of the port when the event loop looks at its sockets the next time.
      Eventually.isTrue("no more connections", LIMIT, this::isRefused);
      sending.send("xx");
      gate.countDown();
      for (RawClient client : List.of(working, sending)) {
        Reply reply = client.read();
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.header("connection")).isEqualTo("close");
        assertThat(client.isClosedByPeer()).isTrue();
        client.close();
      }
      assertThat(stopped.get()).as("all requests finished").isTrue();
    }
    assertThat(otlp.received)
        .extracting(bytes -> new String(bytes, StandardCharsets.UTF_8))
        .containsExactlyInAnyOrder("x", "xxxx");
  }

  private boolean isRefused() {
    try {
      otlp.connect().close();
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  @Test
  void stopDoesNotWaitForASlowClientLongerThanItsDeadline() throws Exception {
    try (RawClient slow = otlp.connect()) {
      slow.head("POST /v1/metrics", JSON, "Content-Length: 100").send("x");
      Eventually.isTrue("a body in flight", LIMIT, () -> otlp.budget.usedBytes() > 0);
      assertThat(otlp.stop(50)).as("all requests finished").isFalse();
      assertThat(slow.isClosedByPeer()).isTrue();
    }
    assertThat(otlp.server.connectionCount()).isZero();
  }

  @Test
  void aServerThatStoppedFreesItsPort() throws Exception {
    int port = otlp.address().getPort();
    try (RawClient client = otlp.connect()) {
      client.head("POST /v1/metrics", JSON).read();
      otlp.close();
    }
    try (HttpLoops loops = new HttpLoops()) {
      HttpServer again =
          HttpServer.start(
              HttpServerOptions.of("again", "127.0.0.1", port),
              otlp.endpoint,
              loops,
              otlp.problems);
      assertThat(again.localAddress().getPort()).isEqualTo(port);
      assertThat(again.stop(1_000)).isTrue();
    }
  }
}

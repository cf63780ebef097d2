package dev.millrace.agent.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.agent.http.RawClient.Reply;
import dev.millrace.bytes.ChunkPool;
import dev.millrace.testkit.Eventually;
import dev.millrace.testkit.GivenBack;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OtlpEndpointTest {
  private static final String PROTOBUF = "application/x-protobuf";
  private static final String JSON = "application/json";
  private static final byte[] BODY = "a body".getBytes(StandardCharsets.UTF_8);

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

  @ParameterizedTest
  @ValueSource(
      strings = {
        JSON,
        "application/json; charset=utf-8",
        "Application/JSON;charset=ISO-8859-1",
        PROTOBUF,
        "application/x-protobuf;proto=x",
      })
  void repliesInTheEncodingOfTheRequest(String contentType) throws Exception {
    try (RawClient client = otlp.connect()) {
      Reply reply = client.post(contentType, BODY).read();
      assertThat(reply.status()).isEqualTo(400);
      assertThat(reply.body()).contains("received 6");
      assertThat(contentType.toLowerCase(java.util.Locale.ROOT))
          .startsWith(reply.header("content-type"));
      assertThat(reply.header("date")).endsWith("GMT");
    }
    assertThat(otlp.received).containsExactly(BODY);
    assertThat(otlp.endpoint.receivedBytes()).isEqualTo(BODY.length);
    assertThat(otlp.endpoint.replies().count(400)).isEqualTo(1);
  }

  @Test
  void keepsAConnectionForManyRequests() throws Exception {
    try (RawClient client = otlp.connect()) {
      for (int i = 0; i < 50; i++) {
        Reply reply = client.post(i % 2 == 0 ? JSON : PROTOBUF, BODY).read();
        assertThat(reply.header("connection")).isEqualTo("(none)");
      }
    }
    assertThat(otlp.received).hasSize(50);
  }

  @Test
  void anEmptyBodyIsTheHandlersToJudge() throws Exception {
    try (RawClient client = otlp.connect()) {
      assertThat(client.post(PROTOBUF, new byte[0]).read().body()).contains("received 0");
      client.head("POST /v1/metrics", "Content-Type: " + JSON);
      assertThat(client.read().body()).contains("received 0");
    }
  }

  @Test
  void fillsChunksAcrossParts() throws Exception {
    long seed = 8;
    SplittableRandom random = new SplittableRandom(seed);
    byte[] body = new byte[300_000];
    random.nextBytes(body);
    try (RawClient client = otlp.connect()) {
      client.head("POST /v1/metrics?x=1", "Content-Type: " + JSON, "Transfer-Encoding: chunked");
      int at = 0;
      while (at < body.length) {
        int length = Math.min(body.length - at, 1 + random.nextInt(9_000));
        client.send(Integer.toHexString(length) + "\r\n");
        client.send(java.util.Arrays.copyOfRange(body, at, at + length));
        client.send("\r\n");
        at += length;
      }
      client.send("0\r\n\r\n");
      assertThat(client.read().body()).as("seed %d", seed).contains("received 300000");
    }
    assertThat(otlp.received).containsExactly(body);
  }

  @Test
  void manyTinyChunksInOneReadAreNoProblem() throws Exception {
    int count = 10_000;
    try (RawClient client = otlp.connect()) {
      client.head("POST /v1/metrics", "Content-Type: " + JSON, "Transfer-Encoding: chunked");
      client.send("1\r\nx\r\n".repeat(count) + "0\r\n\r\n").read();
    }
    assertThat(otlp.received.get(0)).hasSize(count);
  }

  @Test
  void aSlowClientSendsOneByteAtATime() throws Exception {
    String request =
        "POST /v1/metrics HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
            + "Content-Length: 6\r\n\r\na body";
    try (RawClient client = otlp.connect()) {
      for (int i = 0; i < request.length(); i++) {
        client.send(request.substring(i, i + 1));
      }
      assertThat(client.read().body()).contains("received 6");
    }
  }

  @Test
  void requestsSentAheadAreAnsweredInOrder() throws Exception {
    StringBuilder requests = new StringBuilder();
    for (int i = 1; i <= 40; i++) {
      requests
          .append("POST /v1/metrics HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n")
          .append("Content-Length: ")
          .append(i)
          .append("\r\n\r\n")
          .append("x".repeat(i));
      if (i % 5 == 0) {
        requests.append("GET /v1/nowhere HTTP/1.1\r\nHost: x\r\n\r\n");
        requests.append("HEAD /v1/metrics HTTP/1.1\r\nHost: x\r\n\r\n");
      }
    }
    try (RawClient client = otlp.connect()) {
      client.send(requests.toString());
      for (int i = 1; i <= 40; i++) {
        assertThat(client.read().body()).contains("received " + i + "\"");
        if (i % 5 == 0) {
          assertThat(client.read().status()).isEqualTo(404);
          assertThat(client.readHead().status()).isEqualTo(405);
        }
      }
    }
  }

  @Test
  void otherPathsAre404() throws Exception {
    try (RawClient client = otlp.connect()) {
      for (String path : List.of("/", "/v1/metrics/", "/metrics", "/v1/Metrics", "*", "/v2")) {
        Reply reply = client.head("GET " + path, "Content-Type: " + JSON).read();
        assertThat(reply.status()).as(path).isEqualTo(404);
        assertThat(reply.body()).as(path).contains("expected the path /v1/metrics");
      }
      for (String path : List.of("/v1/traces", "/v1/logs", "/v1development/profiles")) {
        client.send(
            "POST "
                + path
                + " HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-protobuf\r\n"
                + "Content-Length: 3\r\n\r\nabc");
        Reply reply = client.read();
        assertThat(reply.status()).as(path).isEqualTo(404);
        assertThat(reply.header("content-type")).isEqualTo(PROTOBUF);
        assertThat(reply.body()).as(path).contains("takes metrics only");
      }
    }
    assertThat(otlp.problemCount("otlp_unknown_path")).isEqualTo(9);
    assertThat(otlp.log).as("one line a kind").hasSize(1);
  }

  @Test
  void theAbsoluteFormOfTheTargetIsServed() throws Exception {
    try (RawClient client = otlp.connect()) {
      String target = "http://agent:4318/v1/metrics?a#b";
      client.head("POST " + target, "Content-Type: " + JSON, "Content-Length: 1");
      assertThat(client.send("x").read().body()).contains("received 1");
    }
  }

  @Test
  void otherMethodsAre405() throws Exception {
    try (RawClient client = otlp.connect()) {
      for (String method : List.of("GET", "PUT", "DELETE", "OPTIONS", "BREW")) {
        Reply reply = client.head(method + " /v1/metrics").read();
        assertThat(reply.status()).as(method).isEqualTo(405);
        assertThat(reply.header("allow")).isEqualTo("POST");
        assertThat(reply.header("content-type")).as("readable").isEqualTo(JSON);
      }
      client.head("HEAD /v1/metrics");
      assertThat(client.readHead().status()).isEqualTo(405);
    }
  }

  @Test
  void otherContentTypesAre415() throws Exception {
    List<String> wrong =
        List.of("text/plain", "application/x-www-form-urlencoded", "application/protobuf", ";");
    try (RawClient client = otlp.connect()) {
      for (String contentType : wrong) {
        Reply reply = client.post(contentType, BODY).read();
        assertThat(reply.status()).as(contentType).isEqualTo(415);
        assertThat(reply.header("content-type")).isEqualTo(JSON);
        assertThat(reply.body()).contains("expected Content-Type application/x-protobuf");
      }
      client.head("POST /v1/metrics", "Content-Length: 1").send("x");
      assertThat(client.read().body()).contains("found none");
    }
    assertThat(otlp.problemCount("otlp_wrong_content_type")).isEqualTo(5);
    assertThat(otlp.received).isEmpty();
  }

  @Test
  void otherContentEncodingsAre415() throws Exception {
    try (RawClient client = otlp.connect()) {
      for (String coding : List.of("br", "zstd", "deflate", "gzip, gzip", "snappy")) {
        Reply reply = client.post(PROTOBUF, BODY, "Content-Encoding: " + coding).read();
        assertThat(reply.status()).as(coding).isEqualTo(415);
        assertThat(reply.header("content-type")).isEqualTo(PROTOBUF);
        assertThat(reply.header("accept-encoding")).isEqualTo("gzip, identity");
      }
      for (String coding : List.of("identity", "", "Identity")) {
        assertThat(client.post(JSON, BODY, "Content-Encoding: " + coding).read().body())
            .contains("received 6");
      }
    }
  }

  @Test
  void anAnnouncedBodyOverTheLimitIs413AtOnce() throws Exception {
    try (RawClient client = otlp.connect()) {
      client.head("POST /v1/metrics", "Content-Type: " + JSON, "Content-Length: 99999999999");
      Reply reply = client.read();
      assertThat(reply.status()).isEqualTo(413);
      assertThat(reply.body()).contains("max_request_body_size");
      assertThat(reply.header("connection")).isEqualTo("close");
      assertThat(client.isClosedByPeer()).isTrue();
    }
  }

  @Test
  void aBodyThatGrowsOverTheLimitIs413() throws Exception {
    String chunk = "10000\r\n" + "x".repeat(0x10000) + "\r\n";
    try (RawClient client = otlp.connect()) {
      client.head("POST /v1/metrics", "Content-Type: " + PROTOBUF, "Transfer-Encoding: chunked");
      // Twice the limit: the client does not look at the reply before it has sent everything.
      for (int i = 0; i < 32; i++) {
        client.send(chunk);
      }
      client.send("0\r\n\r\n");
      Reply reply = client.read();
      assertThat(reply.status()).isEqualTo(413);
      assertThat(reply.header("content-type")).isEqualTo(PROTOBUF);
    }
    assertThat(otlp.problemCount("otlp_body_too_large")).isEqualTo(1);
    assertThat(otlp.received).isEmpty();
  }

  @Test
  void aBodyAtTheLimitIsTaken() throws Exception {
    try (RawClient client = otlp.connect()) {
      byte[] body = new byte[(int) OtlpServer.MAX_BODY_BYTES];
      assertThat(client.post(JSON, body).read().body()).contains("received 1048576");
    }
  }

  @Test
  void aClientThatGoesAwayInTheMiddleLeavesNothing() throws Exception {
    for (int i = 0; i < 6; i++) {
      RawClient client = otlp.connect();
      client.head("POST /v1/metrics", "Content-Type: " + JSON, "Content-Length: 200000");
      client.send("x".repeat(i * 30_000));
      if (i % 2 == 0) {
        client.reset();
      } else {
        client.close();
      }
    }
    Eventually.isTrue(
        "six aborted requests",
        Duration.ofSeconds(20),
        () -> otlp.problemCount("http_request_aborted") == 6);
    assertThat(chunks.pool().outstandingChunks()).isZero();
    assertThat(otlp.received).isEmpty();
    assertThat(otlp.log).hasSize(1);
  }

  @Test
  void aClientThatEndsItsSideStillGetsItsReply() throws Exception {
    try (RawClient client = otlp.connect()) {
      client.post(JSON, BODY).endOutput();
      assertThat(client.read().body()).contains("received 6");
      assertThat(client.isClosedByPeer()).isTrue();
    }
  }

  @Test
  void moreRequestsThanWorkersAndPlacesAre503() throws Exception {
    CountDownLatch gate = new CountDownLatch(1);
    otlp.gate = gate;
    List<RawClient> clients = new ArrayList<>();
    int places = OtlpServer.WORKERS + OtlpServer.WAITING;
    for (int i = 0; i < places + 3; i++) {
      RawClient client = otlp.connect();
      clients.add(client);
      client.post(JSON, BODY);
    }
    Eventually.isTrue(
        "three refusals", Duration.ofSeconds(20), () -> otlp.problemCount("otlp_overloaded") == 3);
    gate.countDown();
    int refused = 0;
    for (RawClient client : clients) {
      Reply reply = client.read();
      if (reply.status() == 503) {
        refused++;
        assertThat(reply.header("retry-after")).isEqualTo("1");
        assertThat(reply.body()).contains("workers busy");
        // The same connection can be used for the next try.
        assertThat(client.post(JSON, BODY).read().status()).isEqualTo(400);
      }
      client.close();
    }
    assertThat(refused).isEqualTo(3);
    assertThat(otlp.received).hasSize(places + 3);
  }

  @Test
  void aHandlerThatFailsIs500AndNothingElse() throws Exception {
    try (RawClient client = otlp.connect()) {
      for (int i = 0; i < 5; i++) {
        Reply reply = client.post(JSON, "!".getBytes(StandardCharsets.UTF_8)).read();
        assertThat(reply.status()).isEqualTo(500);
        assertThat(reply.body()).doesNotContain("broken");
      }
      assertThat(client.post(JSON, BODY).read().status()).isEqualTo(400);
    }
    assertThat(otlp.problemCount("otlp_failed")).isEqualTo(5);
    assertThat(otlp.log).hasSize(1);
    assertThat(otlp.log.get(0)).contains("the handler is broken");
  }

  @Test
  void continueIsSentOnlyWhereTheBodyIsWanted() throws Exception {
    String expect = "Expect: 100-continue";
    try (RawClient client = otlp.connect()) {
      client.head("POST /v1/metrics", "Content-Type: " + JSON, "Content-Length: 6", expect);
      assertThat(client.read().status()).isEqualTo(100);
      assertThat(client.send(BODY).read().body()).contains("received 6");
      // A HEAD right behind must not lose its way between the replies.
      client.head("HEAD /v1/metrics");
      assertThat(client.readHead().status()).isEqualTo(405);
      client.head("POST /v1/metrics", "Content-Type: text/plain", "Content-Length: 6", expect);
      assertThat(client.read().status()).isEqualTo(415);
      assertThat(client.isClosedByPeer()).isTrue();
    }
  }

  @Test
  void bodiesInFlightAreBoundedTogether() throws Exception {
    otlp.close();
    otlp = new OtlpServer(chunks.pool(), options -> options, 8 * 65_536);
    List<RawClient> holding = new ArrayList<>();
    // Each holds one chunk of memory for a few bytes, and that is what is counted.
    for (int i = 0; i < 8; i++) {
      RawClient client = otlp.connect();
      holding.add(client);
      client.head("POST /v1/metrics", "Content-Type: " + JSON, "Content-Length: 20");
      client.send("ten bytes.");
    }
    Eventually.isTrue(
        "eight chunks in use", Duration.ofSeconds(20), () -> otlp.budget.usedBytes() == 8 * 65_536);
    try (RawClient client = otlp.connect()) {
      Reply reply = client.post(JSON, BODY).read();
      assertThat(reply.status()).isEqualTo(503);
      assertThat(reply.header("retry-after")).isEqualTo("1");
      // Those who came first can finish.
      for (RawClient held : holding) {
        assertThat(held.send("ten bytes.").read().body()).contains("received 20");
        held.close();
      }
      assertThat(client.post(JSON, BODY).read().body()).contains("received 6");
    }
  }
}

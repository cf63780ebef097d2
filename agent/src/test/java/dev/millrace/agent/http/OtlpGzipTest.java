package dev.millrace.agent.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.agent.http.RawClient.Reply;
import dev.millrace.bytes.ChunkPool;
import dev.millrace.testkit.Eventually;
import dev.millrace.testkit.GivenBack;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class OtlpGzipTest {
  private static final String JSON = "application/json";
  private static final String GZIP = "Content-Encoding: gzip";

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

  private static byte[] gzip(long zeros) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out, 65_536)) {
      byte[] block = new byte[1024 * 1024];
      for (long left = zeros; left > 0; left -= block.length) {
        gzip.write(block, 0, (int) Math.min(left, block.length));
      }
    }
    return out.toByteArray();
  }

  @Test
  void aCompressedBodyArrivesAsItWas() throws Exception {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(body)) {
      gzip.write("hello".getBytes(StandardCharsets.UTF_8));
    }
    try (RawClient client = otlp.connect()) {
      for (String coding : List.of("gzip", "GZIP", "x-gzip")) {
        client.post(JSON, body.toByteArray(), "Content-Encoding: " + coding);
        assertThat(client.read().body()).contains("received 5");
      }
    }
    assertThat(otlp.received).allSatisfy(bytes -> assertThat(bytes).asString().isEqualTo("hello"));
  }

  @Test
  void aBombIs413AndStaysSmall() throws Exception {
    // 100 KiB that unpack to 100 times the limit: a thousand to one is the most that deflate does.
    byte[] bomb = gzip(100L * OtlpServer.MAX_BODY_BYTES);
    assertThat(bomb.length).isLessThan((int) OtlpServer.MAX_BODY_BYTES);
    try (RawClient client = otlp.connect()) {
      for (int i = 0; i < 3; i++) {
        Reply reply = client.post(JSON, bomb, GZIP).read();
        assertThat(reply.status()).isEqualTo(413);
        assertThat(reply.body()).contains("at most 1048576 bytes");
        // The connection is whole: the body was read before it was judged.
        assertThat(reply.header("connection")).isEqualTo("(none)");
      }
    }
    // What was ever out at once: the compressed body and one body's worth of output.
    assertThat(chunks.pool().allocatedChunks())
        .isLessThanOrEqualTo((bomb.length + OtlpServer.MAX_BODY_BYTES) / 65_536 + 4);
    assertThat(otlp.received).isEmpty();
  }

  @Test
  void brokenAndTruncatedAre400() throws Exception {
    byte[] good = gzip(100_000);
    byte[] broken = good.clone();
    broken[good.length - 6] ^= 1; // in the checksum
    byte[] truncated = Arrays.copyOf(good, good.length - 3);
    byte[] garbage = Arrays.copyOf(good, good.length + 3);
    byte[] plain = "{}".getBytes(StandardCharsets.UTF_8);
    try (RawClient client = otlp.connect()) {
      for (byte[] body : List.of(broken, truncated, garbage, plain, new byte[0])) {
        Reply reply = client.post(JSON, body, GZIP).read();
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.body()).contains("expected");
      }
      assertThat(client.post(JSON, good, GZIP).read().body()).contains("received 100000");
    }
    assertThat(otlp.problemCount("otlp_body_not_decompressed")).isEqualTo(5);
    assertThat(otlp.log).hasSize(1);
  }

  @Test
  void aBodyThatNeverHasRoomOnceUnpackedIs413() throws Exception {
    otlp.close();
    otlp = new OtlpServer(chunks.pool(), options -> options, OtlpServer.MAX_BODY_BYTES / 2);
    try (RawClient client = otlp.connect()) {
      // To be told to come back would be no help: there will never be more room.
      Reply reply = client.post(JSON, gzip(OtlpServer.MAX_BODY_BYTES), GZIP).read();
      assertThat(reply.status()).isEqualTo(413);
      assertThat(reply.body()).contains("at most 524288 bytes");
    }
  }

  @Test
  void aBodyThatHasNoRoomAtTheMomentIs503() throws Exception {
    otlp.close();
    otlp = new OtlpServer(chunks.pool(), options -> options, OtlpServer.MAX_BODY_BYTES);
    try (RawClient holding = otlp.connect();
        RawClient client = otlp.connect()) {
      holding.head("POST /v1/metrics", "Content-Type: application/json", "Content-Length: 2");
      holding.send("x");
      Eventually.isTrue(
          "a body in flight", Duration.ofSeconds(20), () -> otlp.budget.usedBytes() > 0);
      byte[] nearlyAll = gzip(OtlpServer.MAX_BODY_BYTES - 3 * 65_536 / 2);
      Reply refused = client.post(JSON, nearlyAll, GZIP).read();
      assertThat(refused.status()).isEqualTo(503);
      assertThat(refused.header("retry-after")).isEqualTo("1");
      holding.send("x").read();
      assertThat(client.post(JSON, nearlyAll, GZIP).read().body()).contains("received");
    }
  }
}

package dev.millrace.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.agent.http.MetricsRequestHandler;
import dev.millrace.agent.otlp.OtlpEncoding;
import dev.millrace.agent.otlp.OtlpMetricsReceiver;
import dev.millrace.agent.otlp.OtlpReply;
import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.ChunkWriter;
import dev.millrace.bytes.Payload;
import dev.millrace.testkit.GivenBack;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class FanOutTest {
  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(16), ChunkPool::outstandingChunks);

  private final List<byte[]> received = new ArrayList<>();

  private Payload body(int lengthBytes) {
    try (ChunkWriter out = new ChunkWriter(chunks.pool())) {
      for (int i = 0; i < lengthBytes; i++) {
        out.writeByte(i % 251);
      }
      return out.finish();
    }
  }

  private MetricsRequestHandler replying(int status, String message) {
    return (encoding, body) -> {
      try (body) {
        received.add(body.toByteArray());
        return OtlpMetricsReceiver.failure(encoding, status, message);
      }
    };
  }

  @Test
  void oneHandlerIsTakenAsItIs() {
    MetricsRequestHandler only = replying(400, "x");
    assertThat(FanOut.to(List.of(only), chunks.pool())).isSameAs(only);
  }

  @Test
  void everyHandlerGetsTheWholeBody() {
    MetricsRequestHandler all =
        FanOut.to(
            List.of(replying(400, "a"), replying(400, "b"), replying(400, "c")), chunks.pool());
    for (int lengthBytes : new int[] {0, 1, 200_000}) {
      received.clear();
      all.receive(OtlpEncoding.PROTOBUF, body(lengthBytes));
      assertThat(received).hasSize(3).allMatch(bytes -> bytes.length == lengthBytes);
      assertThat(received.get(0)).isEqualTo(received.get(1)).isEqualTo(received.get(2));
    }
  }

  @Test
  void theReplyIsTheOneThatHasMostToSay() {
    List<MetricsRequestHandler> handlers =
        List.of(replying(400, "a"), replying(503, "b"), replying(503, "longer"), replying(429, ""));
    OtlpReply reply = FanOut.to(handlers, chunks.pool()).receive(OtlpEncoding.JSON, body(3));
    assertThat(reply.httpStatus()).isEqualTo(503);
    assertThat(new String(reply.body(), java.nio.charset.StandardCharsets.UTF_8))
        .contains("longer");
  }

  @Test
  void aHandlerThatFailsCostsNoChunk() {
    MetricsRequestHandler failing =
        (encoding, body) -> {
          body.close();
          throw new IllegalStateException("broken");
        };
    for (List<MetricsRequestHandler> handlers :
        List.of(
            List.of(failing, replying(400, "a")),
            List.of(replying(400, "a"), failing),
            List.of(replying(400, "a"), failing, replying(400, "b")))) {
      assertThatThrownBy(
              () -> FanOut.to(handlers, chunks.pool()).receive(OtlpEncoding.JSON, body(70_000)))
          .hasMessage("broken");
    }
  }
}

package dev.millrace.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.export.push.SendResult;
import dev.millrace.export.push.Transport;
import dev.millrace.export.push.TransportOptions;
import dev.millrace.export.push.TransportProvider;
import dev.millrace.testkit.Eventually;
import dev.millrace.testkit.GivenBack;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.stub.ServerCalls.UnaryMethod;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Against a server of gRPC's own library. */
class GrpcTransportTest {
  private static final int LARGE = 64 * 1024 * 1024;
  private static final Duration THREAD_END = Duration.ofSeconds(60);
  private static final UnaryMethod<byte[], byte[]> LENGTH =
      (request, reply) -> {
        reply.onNext(Integer.toString(request.length).getBytes(StandardCharsets.UTF_8));
        reply.onCompleted();
      };

  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(64), ChunkPool::outstandingChunks);

  private final ConcurrentLinkedQueue<byte[]> received = new ConcurrentLinkedQueue<>();

  private final UnaryMethod<byte[], byte[]> keep =
      (request, reply) -> {
        received.add(request);
        reply.onNext(new byte[0]);
        reply.onCompleted();
      };

  private ChunkPool pool() {
    return chunks.pool();
  }

  private static byte[] bytes(int length, long seed) {
    byte[] bytes = new byte[length];
    new SplittableRandom(seed).nextBytes(bytes);
    // Half of it compresses.
    Arrays.fill(bytes, 0, length / 2, (byte) 7);
    return bytes;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void carriesPayloadsOfEverySize(boolean gzip) throws Exception {
    long seed = ThreadLocalRandom.current().nextLong();
    try (GrpcJavaServer server = new GrpcJavaServer(keep, LARGE, null);
        GrpcTransport transport =
            GrpcTransport.create(
                Outcome.to(server.port(), pool()).withGzip(gzip), Outcome.METHOD)) {
      for (int length : new int[] {0, 1, 16_379, 16_384, 65_535, 65_536, 1_000_000, 20_000_000}) {
        byte[] sent = bytes(length, seed);
        SendResult result = Outcome.of(transport, pool(), sent).get();
        assertThat(result.kind())
            .as("%s bytes, seed %s: %s", length, seed, result)
            .isEqualTo(SendResult.Kind.SUCCESS);
        assertThat(result.statusCode()).isZero();
        assertThat(result.body()).isEmpty();
        assertThat(received.poll()).as("seed %s", seed).isEqualTo(sent);
      }
    }
  }

  @Test
  void givesTheReply() throws Exception {
    try (GrpcJavaServer server = new GrpcJavaServer(LENGTH, LARGE, null);
        GrpcTransport transport =
            GrpcTransport.create(Outcome.to(server.port(), pool()), Outcome.METHOD)) {
      SendResult result = Outcome.of(transport, pool(), new byte[1234]).get();
      assertThat(result.body()).asString().isEqualTo("1234");
      assertThat(transport.name()).isEqualTo("http://127.0.0.1:" + server.port());
    }
  }

  @Test
  void sendsItsHeaders() throws Exception {
    try (GrpcJavaServer server = new GrpcJavaServer(keep, LARGE, null)) {
      TransportOptions options =
          Outcome.to(server.port(), pool())
              .withHeaders(Map.of("Api-Key", "fixed", "tenant", "one", "trace-bin", "AQI="))
              .withHeaderSupplier(() -> Map.of("Tenant", "two"))
              .withUserAgent("OTel-OTLP-Exporter-Java/1.0");
      try (GrpcTransport transport = GrpcTransport.create(options, Outcome.METHOD)) {
        assertThat(Outcome.of(transport, pool(), new byte[3]).get().kind())
            .isEqualTo(SendResult.Kind.SUCCESS);
      }
      assertThat(server.lastHeader("api-key")).isEqualTo("fixed");
      assertThat(server.lastHeader("tenant")).isEqualTo("two");
      assertThat(
              server
                  .lastHeaders()
                  .get(Metadata.Key.of("trace-bin", Metadata.BINARY_BYTE_MARSHALLER)))
          .containsExactly(1, 2);
      assertThat(server.lastHeader("user-agent"))
          .isEqualTo("OTel-OTLP-Exporter-Java/1.0 millrace-grpc/development");
      assertThat(server.lastHeader("grpc-accept-encoding")).isEqualTo("identity,gzip");
      assertThat(server.lastHeaders().toString()).contains("grpc-timeout");
    }
  }

  @ParameterizedTest
  @EnumSource(Status.Code.class)
  void heedsEveryCode(Status.Code code) throws Exception {
    UnaryMethod<byte[], byte[]> failing =
        (request, reply) -> {
          if (code == Status.Code.OK) {
            reply.onNext(new byte[0]);
            reply.onCompleted();
          } else {
            reply.onError(code.toStatus().withDescription("später, 50%").asRuntimeException());
          }
        };
    try (GrpcJavaServer server = new GrpcJavaServer(failing, LARGE, null);
        GrpcTransport transport =
            GrpcTransport.create(Outcome.to(server.port(), pool()), Outcome.METHOD)) {
      SendResult result = Outcome.of(transport, pool(), new byte[10]).get();
      assertThat(result.statusCode()).isEqualTo(code.value());
      SendResult.Kind expected =
          switch (code) {
            case OK -> SendResult.Kind.SUCCESS;
            case CANCELLED, DEADLINE_EXCEEDED, ABORTED, OUT_OF_RANGE, UNAVAILABLE, DATA_LOSS ->
                SendResult.Kind.RETRYABLE;
            default -> SendResult.Kind.FATAL;
          };
      assertThat(result.kind()).isEqualTo(expected);
      if (code != Status.Code.OK) {
        assertThat(result.errorType()).isEqualTo(code.name());
        assertThat(result.reason()).contains(code.name()).contains("später, 50%");
      }
    }
  }

  @Test
  void retriesAnExhaustedReceiverOnlyWhenItSaysWhen() throws Exception {
    // Status{details: Any{type_url: "t/google.rpc.RetryInfo", value: RetryInfo{retry_delay: 2.5
    // s}}}
    byte[] delay = {
      0x0a, 8, 0x08, 2, 0x10, (byte) 0x80, (byte) 0xca, (byte) 0xb5, (byte) 0xee, 0x01
    };
    byte[] url = "t/google.rpc.RetryInfo".getBytes(StandardCharsets.US_ASCII);
    ByteArrayOutputStream any = new ByteArrayOutputStream();
    any.write(0x0a);
    any.write(url.length);
    any.write(url);
    any.write(0x12);
    any.write(delay.length);
    any.write(delay);
    ByteArrayOutputStream status = new ByteArrayOutputStream();
    status.write(0x1a);
    status.write(any.size());
    status.write(any.toByteArray());
    UnaryMethod<byte[], byte[]> exhausted =
        (request, reply) -> {
          Metadata trailers = new Metadata();
          trailers.put(
              Metadata.Key.of("grpc-status-details-bin", Metadata.BINARY_BYTE_MARSHALLER),
              status.toByteArray());
          reply.onError(Status.RESOURCE_EXHAUSTED.asRuntimeException(trailers));
        };
    try (GrpcJavaServer server = new GrpcJavaServer(exhausted, LARGE, null);
        GrpcTransport transport =
            GrpcTransport.create(Outcome.to(server.port(), pool()), Outcome.METHOD)) {
      SendResult result = Outcome.of(transport, pool(), new byte[10]).get();
      assertThat(result.kind()).as(result.toString()).isEqualTo(SendResult.Kind.RETRYABLE);
      assertThat(result.retryAfterMillis()).isEqualTo(2_500);
    }
  }

  @Test
  void knowsThatThePayloadIsTooLarge() throws Exception {
    try (GrpcJavaServer server = new GrpcJavaServer(keep, 1_000, null);
        GrpcTransport transport =
            GrpcTransport.create(Outcome.to(server.port(), pool()), Outcome.METHOD)) {
      for (int length : new int[] {1_001, 3_000_000}) {
        SendResult result = Outcome.of(transport, pool(), bytes(length, 1)).get();
        assertThat(result.kind()).as(result.toString()).isEqualTo(SendResult.Kind.TOO_LARGE);
      }
      assertThat(Outcome.of(transport, pool(), new byte[999]).get().kind())
          .isEqualTo(SendResult.Kind.SUCCESS);
    }
  }

  @Test
  void eightThreadsSendAtOnce() throws Exception {
    try (GrpcJavaServer server = new GrpcJavaServer(LENGTH, LARGE, null);
        GrpcTransport transport =
            GrpcTransport.create(
                Outcome.to(server.port(), pool()).withGzip(true), Outcome.METHOD)) {
      List<Thread> threads = new ArrayList<>();
      ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();
      for (int t = 0; t < 8; t++) {
        int length = 1 + t * 50_000;
        Thread thread =
            new Thread(
                () -> {
                  try {
                    for (int i = 0; i < 20; i++) {
                      SendResult result = Outcome.of(transport, pool(), bytes(length + i, i)).get();
                      String body = new String(result.body(), StandardCharsets.UTF_8);
                      if (!body.equals(Integer.toString(length + i))) {
                        wrong.add(body + " " + result);
                      }
                    }
                  } catch (Exception | AssertionError e) {
                    wrong.add(e.toString());
                  }
                });
        threads.add(thread);
        thread.start();
      }
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(wrong).isEmpty();
    }
  }

  @Test
  void givesUpAtTheDeadline() throws Exception {
    CountDownLatch free = new CountDownLatch(1);
    UnaryMethod<byte[], byte[]> late =
        (request, reply) -> {
          try {
            if (request.length == 0 && !free.await(Outcome.PATIENCE_SECONDS, TimeUnit.SECONDS)) {
              return;
            }
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          reply.onNext(new byte[0]);
          reply.onCompleted();
        };
    try (GrpcJavaServer server = new GrpcJavaServer(late, LARGE, null);
        GrpcTransport transport =
            GrpcTransport.create(Outcome.to(server.port(), pool()), Outcome.METHOD)) {
      SendResult result =
          Outcome.of(transport, pool(), new byte[0], TimeUnit.MILLISECONDS.toNanos(200)).get();
      assertThat(result.kind()).isEqualTo(SendResult.Kind.RETRYABLE);
      assertThat(result.errorType()).isEqualTo(SendResult.TIMEOUT);
      free.countDown();
      assertThat(Outcome.of(transport, pool(), new byte[1]).get().kind())
          .isEqualTo(SendResult.Kind.SUCCESS);
      assertThat(Outcome.of(transport, pool(), new byte[1], -1).get().errorType())
          .isEqualTo(SendResult.TIMEOUT);
    }
  }

  @Test
  void closingEndsWhatIsUnderWay() throws Exception {
    UnaryMethod<byte[], byte[]> never = (request, reply) -> received.add(request);
    try (GrpcJavaServer server = new GrpcJavaServer(never, LARGE, null)) {
      List<Transport> both =
          new GrpcTransportProvider()
              .create(Outcome.to(server.port(), pool()), List.of(Outcome.METHOD, Outcome.METHOD));
      Outcome first = Outcome.of(both.get(0), pool(), new byte[1_000_000]);
      Outcome second = Outcome.of(both.get(1), pool(), new byte[10]);
      both.get(0).close();
      assertThat(first.get().errorType()).isEqualTo("CANCELLED");
      assertThat(second.isDone()).isFalse();
      both.get(1).close();
      both.get(1).close();
      assertThat(second.get().kind()).isEqualTo(SendResult.Kind.FATAL);
      assertThat(Outcome.of(both.get(1), pool(), new byte[10]).get().reason()).contains("closed");
    }
    // The event loop ends itself after the last connection; closing does not wait for its thread.
    Eventually.isTrue(
        "the transports' threads end with them",
        THREAD_END,
        () ->
            Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().startsWith("millrace-grpc")));
  }

  @Test
  void isFoundByItsProtocol() {
    assertThat(ServiceLoader.load(TransportProvider.class))
        .anyMatch(provider -> provider.protocol().equals("grpc"));
  }

  @Test
  void refusesWhatCannotBeSent() {
    TransportOptions options = TransportOptions.to(URI.create("http://localhost:1"), pool());
    assertThatThrownBy(() -> GrpcTransport.create(options, "Export"))
        .hasMessageContaining("/package.Service/Method");
    for (Map<String, String> headers :
        List.of(
            Map.of("grpc-timeout", "secret"),
            Map.of("a b", "secret"),
            Map.of("a", "secret\n"),
            Map.of("a-bin", "secret!"),
            Map.of(":path", "secret"))) {
      assertThatThrownBy(() -> GrpcTransport.create(options.withHeaders(headers), Outcome.METHOD))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("header")
          .hasMessageNotContaining("secret");
    }
  }

  @Test
  void aHeaderFromTheSupplierThatCannotBeSentIsNamed() throws Exception {
    TransportOptions options =
        Outcome.to(1, pool()).withHeaderSupplier(() -> Map.of("x-token", "secr\net"));
    try (GrpcTransport transport = GrpcTransport.create(options, Outcome.METHOD)) {
      SendResult result = Outcome.of(transport, pool(), new byte[1]).get();
      assertThat(result.kind()).isEqualTo(SendResult.Kind.FATAL);
      assertThat(result.reason()).contains("x-token").doesNotContain("secr");
    }
  }

  @Test
  void aSupplierThatFailsIsTriedAgain() throws Exception {
    TransportOptions options =
        Outcome.to(1, pool())
            .withHeaderSupplier(
                () -> {
                  throw new IllegalStateException("secret");
                });
    try (GrpcTransport transport = GrpcTransport.create(options, Outcome.METHOD)) {
      SendResult result = Outcome.of(transport, pool(), new byte[1]).get();
      assertThat(result.kind()).isEqualTo(SendResult.Kind.RETRYABLE);
      assertThat(result.reason()).doesNotContain("secret");
    }
  }
}

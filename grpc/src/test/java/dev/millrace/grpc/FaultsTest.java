package dev.millrace.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.export.push.ConnectionOptions;
import dev.millrace.export.push.SendResult;
import dev.millrace.export.push.SendResult.Kind;
import dev.millrace.testkit.FreePort;
import dev.millrace.testkit.GivenBack;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Settings;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Against a server that does what none should. */
class FaultsTest {
  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(64), ChunkPool::outstandingChunks);

  private ChunkPool pool() {
    return chunks.pool();
  }

  private GrpcTransport transport(int port) {
    return GrpcTransport.create(Outcome.to(port, pool()), Outcome.METHOD);
  }

  /** The first result by a script, after which a plain success must still be possible. */
  private SendResult by(ScriptedServer.Script script) throws Exception {
    ScriptedServer.Script first =
        exchange -> {
          if (exchange.requestNumber() == 1) {
            script.answer(exchange);
          } else {
            exchange.ok();
          }
        };
    try (ScriptedServer server = new ScriptedServer(first);
        GrpcTransport transport = transport(server.port())) {
      SendResult result = Outcome.of(transport, pool(), new byte[100_000]).get();
      SendResult next = Outcome.of(transport, pool(), new byte[10]).get();
      assertThat(next.kind()).as("the next, after %s: %s", result, next).isEqualTo(Kind.SUCCESS);
      return result;
    }
  }

  @ParameterizedTest
  @CsvSource({
    "400, INTERNAL, FATAL",
    "401, UNAUTHENTICATED, FATAL",
    "403, PERMISSION_DENIED, FATAL",
    "404, UNIMPLEMENTED, FATAL",
    "429, UNAVAILABLE, RETRYABLE",
    "500, UNKNOWN, FATAL",
    "502, UNAVAILABLE, RETRYABLE",
    "503, UNAVAILABLE, RETRYABLE",
    "504, UNAVAILABLE, RETRYABLE"
  })
  void mapsHttpStatusWithoutGrpcStatus(String http, String status, Kind kind) throws Exception {
    SendResult ended =
        by(exchange -> exchange.headers(true, ":status", http, "content-type", "text/html"));
    assertThat(ended.errorType()).isEqualTo(status);
    assertThat(ended.kind()).isEqualTo(kind);
    assertThat(ended.reason()).contains(http).contains("text/html");
    SendResult withBody =
        by(exchange -> exchange.headers(false, ":status", http).data(true, new byte[3]));
    assertThat(withBody.kind()).isEqualTo(kind);
  }

  @ParameterizedTest
  @CsvSource({
    "REFUSED_STREAM, SUCCESS",
    "CANCEL, RETRYABLE",
    "INTERNAL_ERROR, FATAL",
    "ENHANCE_YOUR_CALM, FATAL",
    "INADEQUATE_SECURITY, FATAL"
  })
  void mapsResets(Http2Error error, Kind kind) throws Exception {
    assertThat(by(exchange -> exchange.reset(error)).kind()).isEqualTo(kind);
    assertThat(
            by(exchange -> {
                  exchange.begin();
                  exchange.reset(Http2Error.CANCEL);
                })
                .kind())
        .isEqualTo(Kind.RETRYABLE);
  }

  @Test
  void aStreamThatIsRefusedAgainIsUnavailable() throws Exception {
    try (ScriptedServer server =
            new ScriptedServer(exchange -> exchange.reset(Http2Error.REFUSED_STREAM));
        GrpcTransport transport = transport(server.port())) {
      SendResult result = Outcome.of(transport, pool(), new byte[10]).get();
      assertThat(result.errorType()).isEqualTo("UNAVAILABLE");
      assertThat(server.requests()).isEqualTo(2);
    }
  }

  @Test
  void readsTrailersAlone() throws Exception {
    SendResult result =
        by(
            exchange ->
                exchange.headers(
                    true,
                    ":status",
                    "200",
                    "content-type",
                    "application/grpc",
                    "grpc-status",
                    "14",
                    "grpc-message",
                    "a%0Ab%zz%"));
    assertThat(result.kind()).isEqualTo(Kind.RETRYABLE);
    assertThat(result.reason()).endsWith("a b%zz%");
  }

  @Test
  void repliesThatBreakTheProtocolAreFatal() throws Exception {
    List<ScriptedServer.Script> scripts =
        List.of(
            exchange -> exchange.begin().data(true, new byte[5]),
            exchange -> exchange.begin().headers(true, "x", "y"),
            exchange -> exchange.begin().data(false, (byte) 9).headers(true, "grpc-status", "0"),
            exchange -> exchange.begin().data(false, new byte[3]).headers(true, "grpc-status", "0"),
            exchange ->
                exchange.begin().data(false, new byte[10]).headers(true, "grpc-status", "0"),
            exchange ->
                exchange
                    .begin()
                    .data(false, ScriptedServer.message(true, 3, new byte[3]))
                    .headers(true, "grpc-status", "0"),
            exchange ->
                exchange.headers(true, ":status", "200", "content-type", "application/json"),
            exchange -> exchange.headers(true, "content-type", "application/grpc"));
    for (int i = 0; i < scripts.size(); i++) {
      SendResult result = by(scripts.get(i));
      assertThat(result.kind()).as("script %s: %s", i, result).isEqualTo(Kind.FATAL);
      assertThat(result.reason()).contains("expected").contains("found");
    }
  }

  @Test
  void aReplyOf100MegabytesIsRefused() throws Exception {
    SendResult result =
        by(
            exchange -> {
              exchange.begin().data(false, ScriptedServer.message(false, 100 << 20, new byte[9]));
              exchange.data(false, new byte[100 << 20]).headers(true, "grpc-status", "0");
            });
    assertThat(result.kind()).isEqualTo(Kind.FATAL);
    assertThat(result.reason()).contains("4194304").contains("104857600");
  }

  @Test
  void aReplyThatUnpacksToMoreIsRefused() throws Exception {
    byte[] bomb = gzip(new byte[SendResult.MAX_BODY_BYTES + 1]);
    SendResult result =
        by(
            exchange ->
                exchange
                    .headers(
                        false,
                        ":status",
                        "200",
                        "content-type",
                        "application/grpc",
                        "grpc-encoding",
                        "gzip")
                    .data(false, ScriptedServer.message(true, bomb.length, bomb))
                    .headers(true, "grpc-status", "0"));
    assertThat(result.kind()).isEqualTo(Kind.FATAL);
    assertThat(result.reason()).contains("after decompression");
  }

  @Test
  void unpacksAReply() throws Exception {
    byte[] packed = gzip("partial".getBytes(StandardCharsets.UTF_8));
    SendResult result =
        by(
            exchange ->
                exchange
                    .headers(
                        false,
                        ":status",
                        "200",
                        "content-type",
                        "application/grpc+proto",
                        "grpc-encoding",
                        "gzip")
                    .data(false, ScriptedServer.message(true, packed.length, packed))
                    .headers(true, "grpc-status", "0"));
    assertThat(result.body()).asString().isEqualTo("partial");
  }

  @Test
  void aLostConnectionIsUnavailableAndTheNextSendMakesAnother() throws Exception {
    SendResult before = by(ScriptedServer.Exchange::hangUp);
    assertThat(before.kind()).isEqualTo(Kind.RETRYABLE);
    SendResult half = by(exchange -> exchange.begin().data(false, new byte[2]).hangUp());
    assertThat(half.kind()).isEqualTo(Kind.RETRYABLE);
    assertThat(half.errorType()).isEqualTo("UNAVAILABLE");
  }

  @Test
  void whatGoAwayLeftUnseenMovesToAnotherConnection() throws Exception {
    ScriptedServer.Script script =
        exchange -> {
          if (exchange.requestNumber() == 1) {
            exchange.goAwayUnseen();
          } else {
            exchange.ok();
          }
        };
    try (ScriptedServer server = new ScriptedServer(script);
        GrpcTransport transport = transport(server.port())) {
      assertThat(Outcome.of(transport, pool(), new byte[100_000]).get().kind())
          .isEqualTo(Kind.SUCCESS);
      assertThat(server.connections()).isEqualTo(2);
    }
  }

  @Test
  void whatGoAwayHasSeenIsFinishedAndTheNextGoesElsewhere() throws Exception {
    ScriptedServer.Script script =
        exchange -> {
          if (exchange.requestNumber() == 1) {
            exchange.goAway();
          }
          exchange.ok();
        };
    try (ScriptedServer server = new ScriptedServer(script);
        GrpcTransport transport = transport(server.port())) {
      for (int i = 0; i < 3; i++) {
        assertThat(Outcome.of(transport, pool(), new byte[1_000]).get().kind())
            .isEqualTo(Kind.SUCCESS);
      }
      assertThat(server.connections()).isEqualTo(2);
    }
  }

  @Test
  void asManyStreamsAsThePeerAllows() throws Exception {
    try (ScriptedServer server =
            new ScriptedServer(
                ScriptedServer.Exchange::ok, new Http2Settings().maxConcurrentStreams(1), null);
        GrpcTransport transport = transport(server.port())) {
      List<Outcome> outcomes = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        outcomes.add(Outcome.of(transport, pool(), new byte[10_000 * i]));
      }
      for (Outcome outcome : outcomes) {
        assertThat(outcome.get().kind()).isEqualTo(Kind.SUCCESS);
      }
      assertThat(server.connections()).isEqualTo(1);
    }
  }

  @Test
  void aReplyAfterTheDeadlineIsTooLate() throws Exception {
    List<ScriptedServer.Exchange> kept = new ArrayList<>();
    ScriptedServer.Script script =
        exchange -> {
          if (exchange.requestNumber() == 1) {
            kept.add(exchange);
          } else {
            kept.forEach(ScriptedServer.Exchange::ok);
            exchange.ok();
          }
        };
    try (ScriptedServer server = new ScriptedServer(script);
        GrpcTransport transport = transport(server.port())) {
      SendResult late =
          Outcome.of(transport, pool(), new byte[10], TimeUnit.MILLISECONDS.toNanos(300)).get();
      assertThat(late.errorType()).isEqualTo(SendResult.TIMEOUT);
      assertThat(Outcome.of(transport, pool(), new byte[10]).get().kind()).isEqualTo(Kind.SUCCESS);
    }
  }

  @Test
  void aReceiverThatIsNotThereIsUnavailable() throws Exception {
    int port = FreePort.find();
    try (GrpcTransport transport = transport(port)) {
      SendResult result = Outcome.of(transport, pool(), new byte[10]).get();
      assertThat(result.kind()).isEqualTo(Kind.RETRYABLE);
      assertThat(result.statusCode()).isEqualTo(SendResult.NO_STATUS);
      assertThat(result.reason()).contains(Integer.toString(port));
    }
  }

  @Test
  void aReceiverThatSpeaksHttp1IsUnavailable() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        GrpcTransport transport = transport(server.getLocalPort())) {
      Outcome outcome = Outcome.of(transport, pool(), new byte[10]);
      try (Socket peer = server.accept()) {
        peer.getOutputStream()
            .write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        assertThat(outcome.get().kind()).isEqualTo(Kind.RETRYABLE);
        assertThat(outcome.get().reason()).contains("is this a gRPC port?");
      }
    }
  }

  @Test
  void aReceiverThatSaysNothingIsGivenUp() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        GrpcTransport transport =
            GrpcTransport.create(
                Outcome.to(silent.getLocalPort(), pool())
                    .withConnection(ConnectionOptions.defaults().withConnectTimeoutMillis(200)),
                Outcome.METHOD)) {
      SendResult result = Outcome.of(transport, pool(), new byte[10]).get();
      assertThat(result.kind()).isEqualTo(Kind.RETRYABLE);
      assertThat(result.reason()).contains("within 200 ms");
    }
  }

  private static byte[] gzip(byte[] bytes) throws Exception {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(bytes);
    }
    return packed.toByteArray();
  }
}

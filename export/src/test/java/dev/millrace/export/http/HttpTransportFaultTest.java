package dev.millrace.export.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.export.push.Payloads;
import dev.millrace.export.push.SendResult;
import dev.millrace.export.push.SendResult.Kind;
import dev.millrace.testkit.Eventually;
import dev.millrace.testkit.FreePort;
import dev.millrace.testkit.GivenBack;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Servers that break the connection, are late, say too much, or are not there. */
class HttpTransportFaultTest {
  private static final byte[] BODY = Payloads.random(2, 300_000);
  private static final Duration SHORT = Duration.ofMillis(300);

  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(64), ChunkPool::outstandingChunks);

  private HttpTransport to(URI uri) {
    return new HttpTransport(HttpTransportOptions.to(uri, "application/x-protobuf"), chunks.pool());
  }

  private static void raw(Socket socket, String text) throws Exception {
    OutputStream out = socket.getOutputStream();
    out.write(text.getBytes(StandardCharsets.ISO_8859_1));
    out.flush();
  }

  private SendResult send(HttpTransport transport) throws Exception {
    return Sends.send(transport, chunks.pool(), BODY);
  }

  @Test
  void aConnectionThatWasClosedAsItWasUsedAgainIsReplacedAtOnce() throws Exception {
    // The second request of each connection finds it closed after it was sent.
    Set<Integer> seen = ConcurrentHashMap.newKeySet();
    try (ScriptedServer server =
            ScriptedServer.plain(
                (request, socket) -> {
                  if (seen.contains(request.connection())) {
                    socket.close();
                    return;
                  }
                  seen.add(request.connection());
                  ScriptedServer.reply(socket, 200);
                });
        HttpTransport transport = to(server.uri())) {
      for (int i = 0; i < 5; i++) {
        assertThat(send(transport).kind()).isEqualTo(Kind.SUCCESS);
      }
      assertThat(server.connections()).isEqualTo(5);
      assertThat(server.requests()).hasSize(9);
    }
    Sends.awaitGivenBack(chunks.pool());
  }

  @Test
  void anIdleConnectionThatTheServerClosesIsReplaced() throws Exception {
    try (ScriptedServer server =
            ScriptedServer.plain(
                (request, socket) -> {
                  ScriptedServer.reply(socket, 200);
                  socket.close();
                });
        HttpTransport transport = to(server.uri())) {
      for (int i = 0; i < 5; i++) {
        assertThat(send(transport).kind()).isEqualTo(Kind.SUCCESS);
      }
    }
    Sends.awaitGivenBack(chunks.pool());
  }

  @Test
  void aHalfReplyMayBeSentAgain() throws Exception {
    for (String half :
        List.of(
            "",
            "HTTP/1.1 20",
            "HTTP/1.1 200 OK\r\nContent-Le",
            "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab")) {
      try (ScriptedServer server =
              ScriptedServer.plain(
                  (request, socket) -> {
                    raw(socket, half);
                    socket.close();
                  });
          HttpTransport transport = to(server.uri())) {
        SendResult result = send(transport);
        assertThat(result.kind()).as(half).isEqualTo(Kind.RETRYABLE);
        assertThat(server.requests()).as(half).hasSize(1);
      }
    }
    Sends.awaitGivenBack(chunks.pool());
  }

  @Test
  void whatIsNotHttpIsAFailure() throws Exception {
    try (ScriptedServer server =
            ScriptedServer.plain(
                (request, socket) -> {
                  raw(socket, "SSH-2.0-OpenSSH\r\n");
                  socket.close();
                });
        HttpTransport transport = to(server.uri())) {
      assertThat(send(transport).kind()).isEqualTo(Kind.RETRYABLE);
    }
    Sends.awaitGivenBack(chunks.pool());
  }

  @Test
  void aReplyAfterTheDeadlineIsATimeoutAndTheConnectionGoes() throws Exception {
    CountDownLatch over = new CountDownLatch(1);
    try (ScriptedServer server =
            ScriptedServer.plain(
                (request, socket) -> {
                  over.await();
                  ScriptedServer.reply(socket, 200);
                });
        HttpTransport transport = to(server.uri())) {
      SendResult result =
          Sends.begin(transport, chunks.pool(), BODY, SHORT)
              .get(Sends.LIMIT.toSeconds(), TimeUnit.SECONDS);
      assertThat(result.kind()).isEqualTo(Kind.RETRYABLE);
      assertThat(result.errorType()).isEqualTo(SendResult.TIMEOUT);
      over.countDown();
      Eventually.isTrue("the connection closed", Sends.LIMIT, () -> server.openConnections() == 0);
    }
    Sends.awaitGivenBack(chunks.pool());
  }

  @Test
  void aReplyThatStopsHalfWayIsATimeout() throws Exception {
    try (ScriptedServer server =
            ScriptedServer.plain(
                (request, socket) ->
                    raw(socket, "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"));
        HttpTransport transport = to(server.uri())) {
      SendResult result =
          Sends.begin(transport, chunks.pool(), BODY, SHORT)
              .get(Sends.LIMIT.toSeconds(), TimeUnit.SECONDS);
      assertThat(result.errorType()).isEqualTo(SendResult.TIMEOUT);
      Eventually.isTrue("the connection closed", Sends.LIMIT, () -> server.openConnections() == 0);
    }
    Sends.awaitGivenBack(chunks.pool());
  }

  @Test
  void aServerThatReadsNothingHoldsNoMoreThanOnePayloadsChunks() throws Exception {
    byte[] large = Payloads.random(3, 20_000_000);
    try (ServerSocket deaf = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        HttpTransport transport = to(URI.create("http://127.0.0.1:" + deaf.getLocalPort() + "/"))) {
      for (int i = 0; i < 3; i++) {
        SendResult result =
            Sends.begin(transport, chunks.pool(), large, SHORT)
                .get(Sends.LIMIT.toSeconds(), TimeUnit.SECONDS);
        assertThat(result.errorType()).isEqualTo(SendResult.TIMEOUT);
        assertThat(chunks.pool().outstandingChunks()).isLessThan(16L * (i + 1));
      }
    }
    Sends.awaitGivenBack(chunks.pool());
  }

  @Test
  void ofALargeReplyNothingIsKept() throws Exception {
    AtomicLong written = new AtomicLong();
    byte[] piece = new byte[1 << 20];
    try (ScriptedServer server =
            ScriptedServer.plain(
                (request, socket) -> {
                  raw(socket, "HTTP/1.1 200 OK\r\nContent-Length: " + (100L << 20) + "\r\n\r\n");
                  for (int i = 0; i < 100; i++) {
                    socket.getOutputStream().write(piece);
                    written.addAndGet(piece.length);
                  }
                });
        HttpTransport transport = to(server.uri())) {
      SendResult result = send(transport);
      assertThat(result.kind()).isEqualTo(Kind.SUCCESS);
      assertThat(result.body()).isEmpty();
      Eventually.isTrue("the connection closed", Sends.LIMIT, () -> server.openConnections() == 0);
      assertThat(written.get()).isLessThan(60L << 20);
    }
    Sends.awaitGivenBack(chunks.pool());
  }

  @Test
  void aReplyUpToTheBoundIsKept() throws Exception {
    byte[] reply = Payloads.random(4, SendResult.MAX_BODY_BYTES);
    try (ScriptedServer server =
            ScriptedServer.plain(
                (request, socket) -> ScriptedServer.reply(socket, 200, "", reply));
        HttpTransport transport = to(server.uri())) {
      assertThat(send(transport).body()).isEqualTo(reply);
    }
  }

  @Test
  void nobodyThere() throws Exception {
    try (HttpTransport transport = to(URI.create("http://127.0.0.1:" + FreePort.find() + "/"))) {
      SendResult result = send(transport);
      assertThat(result.kind()).isEqualTo(Kind.RETRYABLE);
      assertThat(result.statusCode()).isEqualTo(SendResult.NO_STATUS);
      assertThat(result.errorType()).isEqualTo("ConnectException");
    }
    Sends.awaitGivenBack(chunks.pool());
  }

  @Test
  void aNameThatNobodyKnows() throws Exception {
    try (HttpTransport transport = to(URI.create("http://nobody.invalid:4318/"))) {
      assertThat(send(transport).kind()).isEqualTo(Kind.RETRYABLE);
    }
    Sends.awaitGivenBack(chunks.pool());
  }

  @Test
  void aDeadlineInThePastSendsNothing() throws Exception {
    try (ScriptedServer server =
            ScriptedServer.plain((request, socket) -> ScriptedServer.reply(socket, 200));
        HttpTransport transport = to(server.uri())) {
      SendResult result =
          Sends.begin(transport, chunks.pool(), BODY, Duration.ZERO)
              .get(Sends.LIMIT.toSeconds(), TimeUnit.SECONDS);
      assertThat(result.errorType()).isEqualTo(SendResult.TIMEOUT);
      assertThat(server.connections()).isZero();
    }
  }

  @Test
  void theEndOfTheTransportEndsWhatIsUnderWay() throws Exception {
    CountDownLatch over = new CountDownLatch(1);
    try (ScriptedServer server = ScriptedServer.plain((request, socket) -> over.await())) {
      HttpTransport transport = to(server.uri());
      List<CompletableFuture<SendResult>> results = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        results.add(Sends.begin(transport, chunks.pool(), BODY, Sends.LIMIT));
      }
      Eventually.isTrue("four requests", Sends.LIMIT, () -> server.requests().size() == 4);
      transport.close();
      transport.close();
      for (CompletableFuture<SendResult> result : results) {
        assertThat(result.get(Sends.LIMIT.toSeconds(), TimeUnit.SECONDS).kind())
            .isEqualTo(Kind.FATAL);
      }
      assertThat(send(transport).errorType()).isEqualTo("closed");
      over.countDown();
    }
    Sends.awaitGivenBack(chunks.pool());
  }
}

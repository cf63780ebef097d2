package dev.millrace.export.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.export.push.Payloads;
import dev.millrace.export.push.SendResult;
import dev.millrace.export.push.SendResult.Kind;
import dev.millrace.testkit.GivenBack;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What goes over the wire, and what answers mean. */
class HttpTransportTest {
  private static final byte[] BODY = Payloads.random(1, 200_000);

  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(64), ChunkPool::outstandingChunks);

  private HttpTransport to(HttpTransportOptions options) {
    return new HttpTransport(options, chunks.pool(), () -> 784_111_770_000L);
  }

  private static HttpTransportOptions options(ScriptedServer server) {
    return HttpTransportOptions.to(server.uri(), "application/x-protobuf");
  }

  private SendResult answered(RetryableStatuses statuses, int status, String headers, byte[] body)
      throws Exception {
    try (ScriptedServer server =
            ScriptedServer.plain(
                (request, socket) -> ScriptedServer.reply(socket, status, headers, body));
        HttpTransport transport =
            to(options(server).withStatuses(statuses).withReplyHeaders(Set.of("X-Written")))) {
      return Sends.send(transport, chunks.pool(), BODY);
    }
  }

  @Test
  void sendsTheBytesAsTheyAre() throws Exception {
    try (ScriptedServer server =
            ScriptedServer.plain((request, socket) -> ScriptedServer.reply(socket, 200));
        HttpTransport transport =
            to(options(server).withHeaders(HeaderSource.of(Map.of("X-Scope-OrgID", "shop"))))) {
      assertThat(Sends.send(transport, chunks.pool(), BODY).kind()).isEqualTo(Kind.SUCCESS);
      assertThat(Sends.send(transport, chunks.pool(), new byte[0]).kind()).isEqualTo(Kind.SUCCESS);
      ScriptedServer.Request request = server.requests().get(0);
      assertThat(request.line()).isEqualTo("POST /v1/test HTTP/1.1");
      assertThat(request.body()).isEqualTo(BODY);
      assertThat(request.header("content-type")).isEqualTo("application/x-protobuf");
      assertThat(request.header("user-agent")).matches("millrace/\\S+");
      assertThat(request.header("x-scope-orgid")).isEqualTo("shop");
      assertThat(request.headers())
          .doesNotContainKeys("content-encoding", "upgrade", "http2-settings", "transfer-encoding");
      assertThat(server.requests().get(1).body()).isEmpty();
      assertThat(server.connections()).isEqualTo(1);
    }
  }

  @Test
  void compresses() throws Exception {
    byte[] text = "the same again ".repeat(20_000).getBytes(StandardCharsets.UTF_8);
    try (ScriptedServer server =
            ScriptedServer.plain((request, socket) -> ScriptedServer.reply(socket, 200));
        HttpTransport transport = to(options(server).withGzip(true))) {
      assertThat(Sends.send(transport, chunks.pool(), text).kind()).isEqualTo(Kind.SUCCESS);
      ScriptedServer.Request request = server.requests().get(0);
      assertThat(request.header("content-encoding")).isEqualTo("gzip");
      assertThat(request.body().length).isLessThan(text.length / 10);
      assertThat(new GZIPInputStream(new ByteArrayInputStream(request.body())).readAllBytes())
          .isEqualTo(text);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "200, SUCCESS", "202, SUCCESS", "204, SUCCESS", "301, FATAL", "307, FATAL", "400, FATAL",
    "401, FATAL", "403, FATAL", "404, FATAL", "413, TOO_LARGE", "415, FATAL", "429, RETRYABLE",
    "500, FATAL", "501, FATAL", "502, RETRYABLE", "503, RETRYABLE", "504, RETRYABLE", "505, FATAL"
  })
  void statusesOfOtlp(int status, Kind kind) throws Exception {
    SendResult result =
        answered(
            RetryableStatuses.otlp(), status, "Location: http://127.0.0.1:1/\r\n", new byte[0]);
    assertThat(result.kind()).isEqualTo(kind);
    assertThat(result.statusCode()).isEqualTo(status);
    assertThat(result.errorType()).isEqualTo(kind == Kind.SUCCESS ? "" : "" + status);
  }

  @ParameterizedTest
  @CsvSource({
    "true, 204, SUCCESS", "true, 400, FATAL", "true, 413, TOO_LARGE", "true, 429, RETRYABLE",
    "false, 429, FATAL", "true, 500, RETRYABLE", "true, 501, RETRYABLE", "true, 599, RETRYABLE"
  })
  void statusesOfRemoteWrite(boolean tooManyRequests, int status, Kind kind) throws Exception {
    SendResult result =
        answered(
            RetryableStatuses.remoteWrite(tooManyRequests),
            status,
            "X-Written: 7\r\n",
            new byte[0]);
    assertThat(result.kind()).isEqualTo(kind);
    assertThat(result.header("x-written")).isEqualTo("7");
  }

  @Test
  void keepsTheTimeToWait() throws Exception {
    RetryableStatuses otlp = RetryableStatuses.otlp();
    assertThat(answered(otlp, 503, "Retry-After: 3\r\n", new byte[0]).retryAfterMillis())
        .isEqualTo(3_000);
    assertThat(
            answered(otlp, 429, "Retry-After: Sun, 06 Nov 1994 08:49:37 GMT\r\n", new byte[0])
                .retryAfterMillis())
        .isEqualTo(7_000);
    assertThat(answered(otlp, 503, "Retry-After: soon\r\n", new byte[0]).retryAfterMillis())
        .isEqualTo(SendResult.NOT_SAID);
    assertThat(answered(otlp, 503, "", new byte[0]).retryAfterMillis())
        .isEqualTo(SendResult.NOT_SAID);
  }

  @Test
  void aReasonHasTheReceiversWords() throws Exception {
    byte[] status = {8, 3, 18, 9, 'b', 'a', 'd', ' ', 't', 'r', 'a', 'c', 'e'};
    SendResult result =
        answered(RetryableStatuses.otlp(), 400, "Content-Type: application/x-protobuf\r\n", status);
    assertThat(result.reason()).endsWith(": HTTP 400: bad trace");
    assertThat(result.body()).isEqualTo(status);
    byte[] text = "out of order\nsample".getBytes(StandardCharsets.UTF_8);
    assertThat(
            answered(RetryableStatuses.otlp(), 400, "Content-Type: text/plain\r\n", text).reason())
        .endsWith(": HTTP 400: out of order sample");
    byte[] broken = {18, 127, 1};
    assertThat(
            answered(
                    RetryableStatuses.otlp(),
                    400,
                    "Content-Type: application/x-protobuf\r\n",
                    broken)
                .reason())
        .endsWith(": HTTP 400");
  }

  @Test
  void headersAreAskedForEachTime() throws Exception {
    AtomicInteger number = new AtomicInteger();
    HeaderSource source = () -> Map.of("X-Number", "" + number.incrementAndGet());
    try (ScriptedServer server =
            ScriptedServer.plain((request, socket) -> ScriptedServer.reply(socket, 200));
        HttpTransport transport =
            to(options(server).withHeaders(HeaderSource.of(Map.of("X-Number", "0")).and(source)))) {
      Sends.send(transport, chunks.pool(), BODY);
      Sends.send(transport, chunks.pool(), BODY);
      assertThat(server.requests())
          .extracting(request -> request.header("x-number"))
          .containsExactly("1", "2");
    }
  }

  @Test
  void aHeaderThatCannotBeSentIsNotShown() throws Exception {
    try (ScriptedServer server =
            ScriptedServer.plain((request, socket) -> ScriptedServer.reply(socket, 200));
        HttpTransport transport =
            to(options(server).withHeaders(HeaderSource.of(Map.of("X-Token", "secr\net"))))) {
      SendResult result = Sends.send(transport, chunks.pool(), BODY);
      assertThat(result.kind()).isEqualTo(Kind.FATAL);
      assertThat(result.toString()).contains("X-Token").doesNotContain("secr");
      assertThat(server.requests()).isEmpty();
    }
  }

  @Test
  void aSourceOfHeadersThatFailsIsAskedAgainAndNotShown() throws Exception {
    HeaderSource source =
        () -> {
          throw new IllegalStateException("token secret");
        };
    try (ScriptedServer server =
            ScriptedServer.plain((request, socket) -> ScriptedServer.reply(socket, 200));
        HttpTransport transport = to(options(server).withHeaders(source))) {
      SendResult result = Sends.send(transport, chunks.pool(), BODY);
      assertThat(result.kind()).isEqualTo(Kind.RETRYABLE);
      assertThat(result.reason())
          .contains(IllegalStateException.class.getName())
          .doesNotContain("secret");
      assertThat(server.requests()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://a:0/",
        "http://a:65536",
        "localhost:4318",
        "ftp://a/",
        "http:///v1",
        "http://a/#b",
        "unix:/a"
      })
  void addressesThatCannotBeUsedAreRefused(String uri) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HttpTransportOptions.to(URI.create(uri), "text/plain"))
        .withMessageStartingWith("uri: expected ");
  }

  @Test
  void namesAndErrorsShowNoSecret() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HttpTransportOptions.to(URI.create("http://me:secret@a/"), "text/plain"))
        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("secret"));
    HttpTransportOptions options =
        HttpTransportOptions.to(URI.create("HTTPS://a/secret?b=secret"), "text/plain")
            .withHeaders(HeaderSource.of(Map.of("Authorization", "secret")));
    assertThat(options.toString()).contains("https://a:443").doesNotContain("secret");
    try (HttpTransport transport = to(options)) {
      assertThat(transport.name()).isEqualTo("https://a:443");
    }
  }
}

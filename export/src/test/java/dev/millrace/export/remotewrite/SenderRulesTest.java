package dev.millrace.export.remotewrite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.export.http.HeaderSource;
import dev.millrace.export.http.ScriptedServer;
import dev.millrace.format.remotewrite.RemoteWriteLimits;
import dev.millrace.model.MetricCursor;
import dev.millrace.testkit.GivenBack;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The rules for senders of the remote-write specifications 1.0 and 2.0, one test each, over real
 * connections. Those for what is in the messages are tested with the encoder.
 */
class SenderRulesTest {
  private static final String VERSION_2 = "X-Prometheus-Remote-Write-Version: 2.0.0\r\n";
  private static final String NOTHING_WRITTEN = "X-Prometheus-Remote-Write-Samples-Written: 0\r\n";
  private static final long STALE_MARKER = 0x7ff0000000000002L;

  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(64), ChunkPool::outstandingChunks);

  private final List<String> log = Collections.synchronizedList(new ArrayList<>());

  private RemoteWriterOptions options(ScriptedServer server) {
    return Receives.options(server.uri(), Receives.problems(log));
  }

  /** Sends one sample and waits for its end. */
  private RemoteWriteStats sendOne(RemoteWriterOptions options) {
    RemoteWriter writer = new RemoteWriter(options, chunks.pool());
    Receives.write(writer, 0, 1);
    assertThat(Receives.flush(writer)).isTrue();
    assertThat(Receives.shutdown(writer)).isTrue();
    return writer.stats();
  }

  @Test
  void sendersMustPostTheMessageInSnappysBlockFormat() throws Exception {
    try (ScriptedServer server = ScriptedServer.plain(Receives.statuses(204))) {
      sendOne(options(server));
      assertThat(server.requests()).hasSize(1);
      assertThat(server.requests().get(0).line()).isEqualTo("POST /v1/test HTTP/1.1");
      assertThat(Receives.requests(server).get(0).values()).containsExactly(1.0);
    }
  }

  @Test
  void sendersMustSendTheHeadersOfVersion1() throws Exception {
    try (ScriptedServer server = ScriptedServer.plain(Receives.statuses(204))) {
      sendOne(options(server));
      assertThat(server.requests().get(0).headers())
          .containsEntry("content-encoding", "snappy")
          .containsEntry("content-type", "application/x-protobuf")
          .containsEntry("x-prometheus-remote-write-version", "0.1.0");
      assertThat(server.requests().get(0).header("user-agent")).startsWith("millrace/");
    }
  }

  @Test
  void sendersMustSendTheHeadersOfVersion2() throws Exception {
    try (ScriptedServer server = ScriptedServer.plain(Receives::written)) {
      sendOne(options(server).withVersions(VersionPolicy.V2));
      assertThat(server.requests().get(0).headers())
          .containsEntry("content-encoding", "snappy")
          .containsEntry(
              "content-type", "application/x-protobuf;proto=io.prometheus.write.v2.Request")
          .containsEntry("x-prometheus-remote-write-version", "2.0.0");
      assertThat(server.requests().get(0).header("user-agent")).startsWith("millrace/");
    }
  }

  @Test
  void sendersMustNotLetUsersConfigureReservedHeaders() throws Exception {
    try (ScriptedServer server = ScriptedServer.plain(Receives.statuses(204))) {
      sendOne(
          options(server)
              .withHeaders(
                  HeaderSource.of(
                      Map.of(
                          "content-encoding", "identity",
                          "CONTENT-TYPE", "text/plain",
                          "X-Prometheus-Remote-Write-Version", "9",
                          "User-Agent", "me",
                          "X-Scope-OrgID", "shop"))));
      assertThat(server.requests().get(0).headers())
          .containsEntry("content-encoding", "snappy")
          .containsEntry("content-type", "application/x-protobuf")
          .containsEntry("x-prometheus-remote-write-version", "0.1.0")
          .containsEntry("x-scope-orgid", "shop");
      assertThat(server.requests().get(0).header("user-agent")).startsWith("millrace/");
    }
  }

  @Test
  void sendersMustRetryOnHttp5xx() throws Exception {
    try (ScriptedServer server =
        ScriptedServer.plain(Receives.statuses(500, 501, 502, 503, 504, 599, 204))) {
      RemoteWriteStats stats = sendOne(options(server));
      assertThat(server.requests()).hasSize(7);
      assertThat(stats.samples().sent()).isEqualTo(1);
      assertThat(stats.samples().retried()).isEqualTo(6);
    }
  }

  @Test
  void sendersMustUseABackoffAlgorithm() {
    FakeWriter fake = new FakeWriter(chunks.pool(), options -> options);
    fake.transport.otherwise = FakeRequestTransport.unavailable();
    fake.write(0, 1);
    List<Integer> attempts = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      fake.timer.advanceMillis(1_000);
      attempts.add(fake.values().size());
    }
    // After 30, 90, 210, 450, 930, 1890 and 3810 milliseconds.
    assertThat(attempts).containsExactly(6, 7, 7, 8, 8);
    fake.writer.shutdown(0);
  }

  @Test
  void sendersMayRetryOnHttp429() throws Exception {
    try (ScriptedServer server = ScriptedServer.plain(Receives.statuses(429, 204))) {
      assertThat(sendOne(options(server)).samples().sent()).isEqualTo(1);
      assertThat(server.requests()).hasSize(2);
    }
    try (ScriptedServer server = ScriptedServer.plain(Receives.statuses(429, 204))) {
      RemoteWriterOptions options = options(server);
      RemoteWriteStats stats =
          sendOne(options.withDelivery(options.delivery().withRetryTooManyRequests(false)));
      assertThat(stats.samples().dropped()).containsEntry(DropReason.TOO_MANY_REQUESTS, 1L);
      assertThat(server.requests()).hasSize(1);
    }
  }

  @Test
  void sendersMustNotRetryOnOtherStatuses() throws Exception {
    for (int status : new int[] {200, 202, 204, 301, 307, 400, 401, 403, 404, 409, 415, 422}) {
      try (ScriptedServer server = ScriptedServer.plain(Receives.statuses(status))) {
        RemoteWriteStats stats = sendOne(options(server));
        assertThat(server.requests()).as("requests with " + status).hasSize(1);
        assertThat(stats.samples().sent())
            .as("sent with " + status)
            .isEqualTo(status < 300 ? 1 : 0);
        assertThat(stats.samples().droppedTotal()).isEqualTo(status < 300 ? 0 : 1);
      }
    }
  }

  @Test
  void sendersMayHandleRetryAfterInSecondsAndAsADate() throws Exception {
    for (boolean asDate : new boolean[] {false, true}) {
      List<Long> times = Collections.synchronizedList(new ArrayList<>());
      try (ScriptedServer server =
          ScriptedServer.plain(
              (request, socket) -> {
                times.add(System.nanoTime());
                boolean first = times.size() == 1;
                ScriptedServer.reply(
                    socket,
                    first ? 503 : 204,
                    first ? "Retry-After: " + (asDate ? inTwoSeconds() : "1") + "\r\n" : "",
                    new byte[0]);
              })) {
        sendOne(options(server));
        assertThat(times).hasSize(2);
        // The own pause is at most 20 milliseconds; a date's second may begin at once.
        assertThat(times.get(1) - times.get(0)).as("date: %s", asDate).isGreaterThan(900_000_000L);
      }
    }
  }

  /** In one to two seconds, as dates have no fractions. */
  private static String inTwoSeconds() {
    return DateTimeFormatter.RFC_1123_DATE_TIME.format(
        ZonedDateTime.now(ZoneOffset.UTC).plusSeconds(2));
  }

  @Test
  void sendersMustIgnoreTheBodyOfSuccess() throws Exception {
    byte[] large = "retry! ".repeat(1_000_000).getBytes(StandardCharsets.US_ASCII);
    try (ScriptedServer server =
        ScriptedServer.plain((request, socket) -> ScriptedServer.reply(socket, 200, "", large))) {
      assertThat(sendOne(options(server)).samples().sent()).isEqualTo(1);
      assertThat(server.requests()).hasSize(1);
    }
    assertThat(log).isEmpty();
  }

  @Test
  void sendersShouldLogTheErrorAsItIs() throws Exception {
    byte[] words = "out of bounds: sample of load{number=\"0\"}".getBytes(StandardCharsets.UTF_8);
    try (ScriptedServer server =
        ScriptedServer.plain(
            (request, socket) ->
                ScriptedServer.reply(socket, 400, "Content-Type: text/plain\r\n", words))) {
      sendOne(options(server));
    }
    assertThat(log)
        .hasSize(1)
        .allMatch(line -> line.contains("HTTP 400: out of bounds: sample of load{number=\"0\"}"));
  }

  @Test
  void sendersMustSendSamplesOfASeriesInTimestampOrder() throws Exception {
    AtomicInteger count = new AtomicInteger();
    try (ScriptedServer server =
        ScriptedServer.plain(
            (request, socket) ->
                ScriptedServer.reply(socket, count.getAndIncrement() % 3 == 0 ? 503 : 204))) {
      RemoteWriterOptions options = options(server);
      RemoteWriter writer =
          new RemoteWriter(
              options.withEncoding(
                  options.encoding().withLimits(RemoteWriteLimits.DEFAULT.withShards(4))),
              chunks.pool());
      Points points = new Points("load");
      long begin = System.currentTimeMillis();
      for (int time = 0; time < 40; time++) {
        points.clear();
        for (int series = 0; series < 20; series++) {
          points.add(series, begin + time, time);
        }
        Receives.write(writer, points);
      }
      assertThat(Receives.shutdown(writer)).isTrue();
      assertThat(writer.stats().samples().sent()).isEqualTo(800);
      Map<String, Double> last = new HashMap<>();
      for (ReadRequest request : Receives.requests(server)) {
        for (ReadRequest.Series series : request.series()) {
          String number = String.valueOf(series.labels().get("number"));
          for (ReadRequest.Sample sample : series.samples()) {
            // A request that was refused comes again as it was.
            double before = last.getOrDefault(number, -1.0);
            assertThat(sample.value()).isBetween(before, before + 1);
            last.put(number, sample.value());
          }
        }
      }
      assertThat(last).hasSize(20).allSatisfy((number, value) -> assertThat(value).isEqualTo(39));
    }
  }

  @Test
  void sendersMustSendStaleMarkersForSeriesThatEnd() throws Exception {
    try (ScriptedServer server = ScriptedServer.plain(Receives.statuses(204))) {
      RemoteWriter writer = new RemoteWriter(options(server), chunks.pool());
      Points points = new Points("load");
      long now = System.currentTimeMillis();
      points.add(0, now, 1).add(1, now, 2);
      writeComplete(writer, points);
      points.clear().add(0, now + 1, 1);
      writeComplete(writer, points);
      assertThat(Receives.shutdown(writer)).isTrue();
      List<Long> ended =
          Receives.requests(server).get(1).series().stream()
              .filter(series -> "1".equals(series.labels().get("number")))
              .map(series -> Double.doubleToRawLongBits(series.samples().get(0).value()))
              .toList();
      assertThat(ended).containsExactly(STALE_MARKER);
    }
  }

  private static void writeComplete(RemoteWriter writer, Points points) {
    try (MetricCursor cursor = points.open()) {
      writer.write(cursor, true);
    }
  }

  @Test
  void sendersMayTryAnotherContentTypeAfter415() throws Exception {
    try (ScriptedServer server = ScriptedServer.plain(Receives.statuses(415, 204))) {
      RemoteWriteStats stats = sendOne(options(server).withVersions(VersionPolicy.V2_THEN_V1));
      assertThat(stats.samples().sent()).isEqualTo(1);
      assertThat(server.requests())
          .extracting(request -> request.header("x-prometheus-remote-write-version"))
          .containsExactly("2.0.0", "0.1.0");
      assertThat(Receives.requests(server).get(1).values()).containsExactly(1.0);
    }
  }

  @Test
  void sendersShouldAssume415WhereNoWrittenHeaderComes() throws Exception {
    try (ScriptedServer server = ScriptedServer.plain(Receives.statuses(204))) {
      RemoteWriteStats stats = sendOne(options(server).withVersions(VersionPolicy.V2_THEN_V1));
      assertThat(stats.samples().sent()).isEqualTo(1);
      assertThat(server.requests())
          .extracting(request -> request.header("x-prometheus-remote-write-version"))
          .containsExactly("2.0.0", "0.1.0");
    }
  }

  @Test
  void sendersCanAssumeThatWhatIsNotSaidWasNotWritten() throws Exception {
    try (ScriptedServer server =
        ScriptedServer.plain(
            (request, socket) ->
                ScriptedServer.reply(
                    socket,
                    204,
                    "X-Prometheus-Remote-Write-Exemplars-Written: 0\r\n",
                    new byte[0]))) {
      RemoteWriteStats stats = sendOne(options(server).withVersions(VersionPolicy.V2_THEN_V1));
      assertThat(server.requests()).hasSize(1);
      assertThat(stats.samples().dropped()).containsEntry(DropReason.NOT_WRITTEN, 1L);
    }
  }

  @Test
  void sendersMustNotAssumeAVersionFromResponseHeaders() throws Exception {
    try (ScriptedServer server =
        ScriptedServer.plain(
            (request, socket) ->
                ScriptedServer.reply(socket, 204, VERSION_2 + NOTHING_WRITTEN, new byte[0]))) {
      RemoteWriter writer = new RemoteWriter(options(server), chunks.pool());
      Receives.write(writer, 0, 1);
      assertThat(Receives.flush(writer)).isTrue();
      Receives.write(writer, 0, 2);
      assertThat(Receives.shutdown(writer)).isTrue();
      assertThat(writer.stats().samples().sent()).isEqualTo(2);
      assertThat(server.requests())
          .extracting(request -> request.header("x-prometheus-remote-write-version"))
          .containsExactly("0.1.0", "0.1.0");
    }
  }

  @Test
  void sendersMayRetryAPartialWriteThatAsksForIt() throws Exception {
    AtomicInteger count = new AtomicInteger();
    try (ScriptedServer server =
        ScriptedServer.plain((request, socket) -> partial(request, socket, count))) {
      RemoteWriteStats stats = sendOne(options(server).withVersions(VersionPolicy.V2));
      assertThat(server.requests()).hasSize(2);
      assertThat(stats.samples().sent()).isEqualTo(1);
    }
  }

  private static void partial(ScriptedServer.Request request, Socket socket, AtomicInteger count)
      throws Exception {
    if (count.getAndIncrement() == 0) {
      ScriptedServer.reply(socket, 503, NOTHING_WRITTEN, new byte[0]);
    } else {
      Receives.written(request, socket);
    }
  }
}

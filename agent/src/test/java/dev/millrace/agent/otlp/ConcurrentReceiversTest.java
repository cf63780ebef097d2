package dev.millrace.agent.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.agent.series.SeriesTable;
import dev.millrace.agent.series.SeriesTableOptions;
import dev.millrace.bytes.ChunkPool;
import dev.millrace.model.Problems;
import dev.millrace.testkit.GivenBack;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** More threads than decoders are kept, with good and bad requests in both encodings. */
class ConcurrentReceiversTest {
  private static final int THREADS = 20;
  private static final int ROUNDS = 150;

  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(64), ChunkPool::outstandingChunks);

  private final Problems problems = new Problems(() -> 0, line -> {});
  private final SeriesTable table = new SeriesTable(SeriesTableOptions.DEFAULTS, () -> 0, problems);
  private final OtlpMetricsReceiver receiver =
      new OtlpMetricsReceiver(table, chunks.pool(), problems);

  @Test
  void eachRequestIsTakenOnceAndWhole() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      List<Future<?>> senders = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        int sender = i;
        senders.add(threads.submit(() -> send(sender)));
      }
      for (Future<?> sender : senders) {
        sender.get(2, TimeUnit.MINUTES);
      }
    } finally {
      threads.shutdownNow();
    }
    Map<String, String> lines = TableText.of(table);
    assertThat(lines).hasSize(THREADS + 1);
    int added = 0;
    for (Map.Entry<String, String> line : lines.entrySet()) {
      if (line.getKey().contains("sender=")) {
        assertThat(line.getValue()).endsWith(" " + ROUNDS + "L");
        added++;
      }
    }
    assertThat(added).isEqualTo(THREADS);
    assertThat(problems.kind("otlp_request_malformed").count())
        .isEqualTo((long) THREADS * (ROUNDS / 10));
  }

  private void send(int sender) {
    SplittableRandom random = new SplittableRandom(sender);
    for (int round = 1; round <= ROUNDS; round++) {
      NumberDataPoint.Builder delta =
          Points.number(round, round + 1, 1).addAttributes(Points.pair("sender", "" + sender));
      NumberDataPoint.Builder shared = Points.number(1, round, round);
      ExportMetricsServiceRequest request =
          Points.request(Points.sum(Points.DELTA, delta), Points.gauge(shared));
      byte[] protobuf = request.toByteArray();
      OtlpEncoding encoding = random.nextBoolean() ? OtlpEncoding.JSON : OtlpEncoding.PROTOBUF;
      byte[] content =
          encoding == OtlpEncoding.JSON
              ? new OtlpJsonText(random).write(request).getBytes(StandardCharsets.UTF_8)
              : protobuf;
      check(200, encoding, content);
      if (round % 10 == 0) {
        check(400, encoding, Arrays.copyOf(content, content.length - 1));
      }
    }
  }

  private void check(int status, OtlpEncoding encoding, byte[] content) {
    OtlpReply reply = receiver.receive(encoding, Payloads.of(chunks.pool(), content));
    if (reply.httpStatus() != status) {
      throw new AssertionError(
          "expected "
              + status
              + ", found "
              + reply.httpStatus()
              + " "
              + new String(reply.body(), StandardCharsets.UTF_8));
    }
  }
}

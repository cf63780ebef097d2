package dev.millrace.agent.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.agent.series.SeriesTable;
import dev.millrace.agent.series.SeriesTableOptions;
import dev.millrace.bytes.ChunkPool;
import dev.millrace.model.Problems;
import dev.millrace.testkit.GivenBack;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceResponse;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class OtlpMetricsReceiverTest {
  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(64), ChunkPool::outstandingChunks);

  private final Problems problems = new Problems(() -> 0, line -> {});
  private final SeriesTable table = new SeriesTable(SeriesTableOptions.DEFAULTS, () -> 0, problems);
  private final OtlpMetricsReceiver receiver =
      new OtlpMetricsReceiver(table, chunks.pool(), problems);

  @Test
  void holdsWhatThePlainReferenceHolds() throws Exception {
    long rejected = 0;
    for (int seed = 0; seed < 60; seed++) {
      SeriesTable fresh = new SeriesTable(SeriesTableOptions.DEFAULTS, () -> 0, problems);
      OtlpMetricsReceiver into = new OtlpMetricsReceiver(fresh, chunks.pool(), problems);
      RandomRequests requests = new RandomRequests(new SplittableRandom(seed));
      ReferenceTable reference = new ReferenceTable();
      for (int i = 0; i < 60; i++) {
        ExportMetricsServiceRequest request = requests.next();
        long before = reference.rejected;
        reference.take(request);
        OtlpReply reply =
            into.receive(OtlpEncoding.PROTOBUF, Payloads.of(chunks.pool(), request.toByteArray()));
        assertThat(reply.httpStatus()).isEqualTo(200);
        assertThat(
                ExportMetricsServiceResponse.parseFrom(reply.body())
                    .getPartialSuccess()
                    .getRejectedDataPoints())
            .as("seed %d, request %d", seed, i)
            .isEqualTo(reference.rejected - before);
        if (i % 6 != 5) {
          continue;
        }
        assertThat(TableText.difference(TableText.of(fresh), reference.lines()))
            .as("seed %d, request %d", seed, i)
            .isEmpty();
      }
      rejected += reference.rejected;
    }
    assertThat(rejected).isGreaterThan(1_000);
    assertThat(table.seriesCount()).isZero();
  }
}

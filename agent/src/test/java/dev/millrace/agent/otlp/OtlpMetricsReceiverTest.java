package dev.millrace.agent.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.agent.series.SeriesTable;
import dev.millrace.agent.series.SeriesTableOptions;
import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.Payload;
import dev.millrace.model.Problems;
import dev.millrace.testkit.GivenBack;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceResponse;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class OtlpMetricsReceiverTest {
  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(64), ChunkPool::outstandingChunks);

  private final Problems problems = new Problems(() -> 0, line -> {});

  @Test
  void holdsWhatThePlainReferenceHolds() throws Exception {
    long rejected = 0;
    for (int seed = 0; seed < 30; seed++) {
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
    assertThat(rejected).isGreaterThan(500);
  }

  @Test
  void readsEveryFormThatAMessageCanHave() throws Exception {
    for (int seed = 0; seed < 120; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      RandomRequests requests = new RandomRequests(random);
      Scrambler scrambler = new Scrambler(random);
      SeriesTable plain = newTable();
      SeriesTable scrambled = newTable();
      for (int i = 0; i < 5; i++) {
        ExportMetricsServiceRequest request = requests.next();
        byte[] content = scrambler.scramble(request);
        receive(plain, request.toByteArray());
        receive(scrambled, content);
      }
      assertThat(TableText.difference(TableText.of(scrambled), TableText.of(plain)))
          .as("seed %d", seed)
          .isEmpty();
    }
  }

  @Test
  void readsMessagesThatStraddleChunksAnywhere() throws Exception {
    int tried = 0;
    for (int seed = 13; tried < 2; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      byte[] content = new Scrambler(random).scramble(new RandomRequests(random).next());
      // Long enough to have everything, and short enough to be cut at each byte.
      if (content.length < 1_000 || content.length > 4_000) {
        continue;
      }
      tried++;
      SeriesTable whole = newTable();
      receive(whole, content);
      Map<String, String> expected = TableText.of(whole);
      for (int first = 0; first <= content.length; first++) {
        SeriesTable actual = newTable();
        new OtlpMetricsReceiver(actual, chunks.pool(), problems)
            .receive(OtlpEncoding.PROTOBUF, Payloads.straddling(chunks.pool(), content, first));
        assertThat(TableText.difference(TableText.of(actual), expected))
            .as("seed %d, %d bytes in the first chunk", seed, first)
            .isEmpty();
      }
    }
  }

  @Test
  void growsForALargeResourceAndKeepsTrackOfIt() throws Exception {
    OtlpMetricsDecoder decoder = new OtlpMetricsDecoder(newTable());
    assertThat(decoder.keptBytes()).isLessThan(4 * 1024);
    ExportMetricsServiceRequest.Builder request = ExportMetricsServiceRequest.newBuilder();
    request
        .addResourceMetricsBuilder()
        .getResourceBuilder()
        .addAttributes(Points.pair("command", "x".repeat(600_000)));
    try (Payload payload = Payloads.of(chunks.pool(), request.build().toByteArray())) {
      decoder.decode(payload);
    }
    assertThat(decoder.keptBytes()).isBetween(600_000, 2_000_000);
  }

  private SeriesTable newTable() {
    return new SeriesTable(SeriesTableOptions.DEFAULTS, () -> 0, problems);
  }

  private OtlpReply receive(SeriesTable into, byte[] content) {
    return new OtlpMetricsReceiver(into, chunks.pool(), problems)
        .receive(OtlpEncoding.PROTOBUF, Payloads.of(chunks.pool(), content));
  }
}

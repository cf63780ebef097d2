package dev.millrace.format.otlp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.Payload;
import dev.millrace.model.EncodedLabelsBudget;
import dev.millrace.model.FakeMetric;
import dev.millrace.model.FakeMetrics;
import dev.millrace.model.MetricCursor;
import dev.millrace.model.Problems;
import dev.millrace.testkit.GivenBack;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Generated metrics, against the reference on protobuf's own library. */
class OtlpMetricsEncoderTest {
  private static final int SEEDS = 1_000;

  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(16), ChunkPool::outstandingChunks);

  private final Problems problems = new Problems(() -> 0L, line -> {});
  private final OtlpMetricsEncoder encoder = new OtlpMetricsEncoder(chunks.pool(), problems);

  @ParameterizedTest
  @CsvSource({"true, true", "true, false", "false, true"})
  void generatedMetricsAreTheReferencesBytes(boolean kept, boolean stable) throws Exception {
    long inconsistent = 0;
    // One encoder for all seeds: what it remembers of one source must not show in the next.
    for (long seed = 0; seed < SEEDS; seed++) {
      FakeMetrics source = GeneratedOtlp.of(seed);
      source.setStable(stable);
      if (!kept) {
        source.setBudget(new EncodedLabelsBudget(0));
      }
      ExportMetricsServiceRequest expected = ReferenceRequest.of(source.metrics());
      inconsistent += 2 * ReferenceRequest.inconsistent(source.metrics());
      for (int i = 0; i < 2; i++) {
        byte[] bytes = encode(source);
        assertThat(ExportMetricsServiceRequest.parseFrom(bytes))
            .as("seed %d, time %d", seed, i)
            .isEqualTo(expected);
        assertThat(bytes).as("seed %d, time %d", seed, i).isEqualTo(expected.toByteArray());
      }
    }
    assertThat(inconsistent).isPositive();
    assertThat(problems.kind("otlp_inconsistent_histogram").count()).isEqualTo(inconsistent);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 100, 1_000, 3_000, 1_000_000})
  void aLimitSplitsBetweenPoints(long maxBytes) throws Exception {
    boolean several = false;
    for (long seed = 0; seed < SEEDS / 2; seed++) {
      FakeMetrics source = GeneratedOtlp.of(seed);
      ExportMetricsServiceRequest expected = ReferenceRequest.of(source.metrics());
      List<ExportMetricsServiceRequest> parts = new ArrayList<>();
      for (Part part : encode(source, maxBytes)) {
        ExportMetricsServiceRequest request = ExportMetricsServiceRequest.parseFrom(part.bytes());
        String what = "seed " + seed;
        assertThat(request.toByteArray()).as(what).isEqualTo(part.bytes());
        assertThat(Items.of(request)).as(what).hasSize(part.items());
        assertThat(part.items()).as(what).isPositive();
        if (part.items() > 1) {
          assertThat((long) part.bytes().length).as(what).isLessThanOrEqualTo(maxBytes);
        }
        parts.add(request);
      }
      several |= parts.size() > 1;
      assertThat(Items.of(parts)).as("seed %d", seed).isEqualTo(Items.of(List.of(expected)));
      if (expected.getSerializedSize() <= maxBytes - 1_000) {
        assertThat(parts).as("seed %d", seed).hasSizeLessThanOrEqualTo(1);
      }
    }
    assertThat(several).isEqualTo(maxBytes < 1_000_000);
  }

  @Test
  void withoutPointsThereIsNoPayload() {
    FakeMetrics source =
        new FakeMetrics(FakeMetric.gauge("empty", ""), FakeMetric.histogram("h", ""));
    try (MetricCursor cursor = source.open()) {
      assertThat(encoder.encode(cursor)).isNull();
      encoder.encode(
          cursor,
          1,
          (payload, items) -> {
            throw new AssertionError("expected no payload, found one");
          });
    }
  }

  @Test
  void aSinkThatThrowsLeavesTheEncoderUsable() throws Exception {
    FakeMetrics source = GeneratedOtlp.of(21);
    try (MetricCursor cursor = source.open()) {
      assertThatThrownBy(
              () ->
                  encoder.encode(
                      cursor,
                      200,
                      (payload, items) -> {
                        payload.close();
                        throw new IllegalStateException("full");
                      }))
          .hasMessage("full");
    }
    assertThat(encode(source)).isEqualTo(ReferenceRequest.of(source.metrics()).toByteArray());
  }

  @Test
  void aLimitOfNothingIsRefused() {
    try (MetricCursor cursor = new FakeMetrics().open()) {
      assertThatThrownBy(() -> encoder.encode(cursor, 0, (payload, items) -> payload.close()))
          .hasMessageContaining("expected 1 or more, found 0");
    }
  }

  @SuppressWarnings("ArrayRecordComponent") // Compared by nobody.
  private record Part(byte[] bytes, int items) {}

  private List<Part> encode(FakeMetrics source, long maxBytes) {
    List<Part> parts = new ArrayList<>();
    try (MetricCursor cursor = source.open()) {
      encoder.encode(
          cursor,
          maxBytes,
          (payload, items) -> {
            parts.add(new Part(payload.toByteArray(), items));
            payload.close();
          });
    }
    return parts;
  }

  private byte[] encode(FakeMetrics source) {
    try (MetricCursor cursor = source.open();
        Payload payload = encoder.encode(cursor)) {
      return payload == null ? new byte[0] : payload.toByteArray();
    }
  }
}

package dev.millrace.format.remotewrite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.model.FakeMetric;
import dev.millrace.model.FakeMetrics;
import dev.millrace.model.FakePoint;
import dev.millrace.model.Labels;
import dev.millrace.model.MetricCursor;
import dev.millrace.model.Problems;
import dev.millrace.testkit.AllocationMeter;
import dev.millrace.testkit.GivenBack;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Encoding in steady state allocates nothing but the objects that are handed to the sink. */
class RemoteWriteAllocationTest {
  /**
   * For each request its content and three payloads: of the two parts of the message, and of both
   * compressed; with what closing them takes.
   */
  private static final long BYTES_A_REQUEST = 256;

  /** What the cursor takes, and what the JVM itself may allocate on the thread's behalf. */
  private static final long NEXT_TO_NOTHING_BYTES = 256;

  @RegisterExtension
  final GivenBack<ChunkPool> chunks =
      GivenBack.to(new ChunkPool(128), ChunkPool::outstandingChunks);

  private static List<FakeMetric> metrics(int exemplars) {
    List<FakeMetric> metrics = new ArrayList<>();
    FakePoint.Exemplar[] shown = new FakePoint.Exemplar[exemplars];
    for (int i = 0; i < exemplars; i++) {
      shown[i] = new FakePoint.Exemplar(new FakePoint.Real(i), 0, 1, 2, 3, Labels.EMPTY);
    }
    FakePoint[] numbers = new FakePoint[500];
    FakePoint[] histograms = new FakePoint[100];
    FakePoint[] exponential = new FakePoint[100];
    FakePoint[] summaries = new FakePoint[100];
    double[] bounds = {0.1, 0.5, 1, 5, 10};
    for (int i = 0; i < numbers.length; i++) {
      Labels labels = Labels.of("method", "GET", "route", "/r/" + i, "status", "200");
      numbers[i] = FakePoint.of(labels, 0.5 + i).withExemplars(shown);
      if (i < 100) {
        histograms[i] =
            FakePoint.histogram(labels, 3, bounds, 1, 2, 3, 4, 5, 6).withExemplars(shown);
        exponential[i] =
            FakePoint.of(labels, new FakePoint.Exponential(6, 1, 12, 5, new long[] {1, 0, 2, 3}))
                .withExemplars(shown);
        summaries[i] =
            FakePoint.of(
                labels, new FakePoint.Summary(1, 2, new double[] {0.5, 0.9}, new double[] {1, 2}));
      }
    }
    metrics.add(FakeMetric.counter("c", "", numbers));
    metrics.add(FakeMetric.gauge("g", "", numbers));
    metrics.add(FakeMetric.histogram("h", "", histograms));
    metrics.add(FakeMetric.exponential("e", "", exponential));
    metrics.add(FakeMetric.summary("s", "", summaries));
    return metrics;
  }

  private void assertNothing(RemoteWriteEncodingOptions options, int exemplars) throws Exception {
    FakeMetrics source = new FakeMetrics(metrics(exemplars));
    long[] requests = {0};
    long[] calls = {0};
    RequestSink sink =
        (shard, request, content) -> {
          requests[0]++;
          request.close();
        };
    try (RemoteWriteEncoder encoder =
        new RemoteWriteEncoder(options, chunks.pool(), new Problems(() -> 0L, line -> {}))) {
      long bytes =
          AllocationMeter.bytesPerOperation(
              200,
              20,
              () -> {
                calls[0]++;
                try (MetricCursor cursor = source.open()) {
                  encoder.encode(cursor, Written.NOW + calls[0], true, sink);
                }
                encoder.flush(sink);
              });
      long requestsEach = requests[0] / calls[0] + 1;
      assertThat(bytes).isLessThanOrEqualTo(BYTES_A_REQUEST * requestsEach + NEXT_TO_NOTHING_BYTES);
    }
  }

  @ParameterizedTest
  @EnumSource
  void allKinds(RemoteWriteVersion version) throws Exception {
    assertNothing(RemoteWriteEncodingOptions.DEFAULT.withVersion(version), 0);
  }

  @ParameterizedTest
  @EnumSource
  void withExemplars(RemoteWriteVersion version) throws Exception {
    assertNothing(RemoteWriteEncodingOptions.DEFAULT.withVersion(version), 2);
  }

  @Test
  void severalShardsAndCustomBuckets() throws Exception {
    assertNothing(
        RemoteWriteEncodingOptions.DEFAULT
            .withCustomBuckets(true)
            .withLimits(RemoteWriteLimits.DEFAULT.withShards(3).withMaxSamples(100)),
        0);
  }
}

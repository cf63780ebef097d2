package dev.millrace.format.remotewrite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.model.FakeMetric;
import dev.millrace.model.FakeMetrics;
import dev.millrace.model.FakePoint;
import dev.millrace.model.Labels;
import dev.millrace.testkit.GivenBack;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Native histograms, against buckets that are merged one by one. */
class NativeHistogramsTest {
  private static final long NOW = Written.NOW;

  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(16), ChunkPool::outstandingChunks);

  private List<DecodedRequest.TimeSeries> write(
      RemoteWriteEncodingOptions options, FakePoint.Value value) {
    boolean exponential = value instanceof FakePoint.Exponential;
    FakePoint point = FakePoint.of(Labels.EMPTY, value).startedAt(NOW / 2 * 1_000_000);
    try (Written written = new Written(chunks.pool(), options)) {
      return written.write(
          NOW,
          exponential
              ? FakeMetric.exponential("h", "", point)
              : FakeMetric.histogram("h", "", point));
    }
  }

  /** What each bucket holds, by its index. */
  private static Map<Long, Long> buckets(List<DecodedRequest.Span> spans, List<Long> deltas) {
    Map<Long, Long> buckets = new TreeMap<>();
    long index = 0;
    long held = 0;
    int next = 0;
    for (DecodedRequest.Span span : spans) {
      index += span.offset();
      for (int i = 0; i < span.length(); i++, index++) {
        held += deltas.get(next++);
        if (held != 0) {
          buckets.put(index, held);
        }
      }
    }
    return buckets;
  }

  private static Map<Long, Long> merged(int offset, long[] buckets, int shift) {
    Map<Long, Long> merged = new TreeMap<>();
    for (int i = 0; i < buckets.length; i++) {
      if (buckets[i] != 0) {
        long index = Math.floorDiv((long) offset + i, 1L << shift) + 1;
        merged.merge(index, buckets[i], Long::sum);
      }
    }
    return merged;
  }

  @ParameterizedTest
  @EnumSource
  void bucketsAreMergedDown(RemoteWriteVersion version) {
    for (long seed = 0; seed < 500; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      int scale = random.nextInt(-4, 21);
      long[] positive = random.longs(random.nextInt(40), 0, 3).toArray();
      long[] negative = random.longs(random.nextInt(40), 0, 3).toArray();
      int offset = random.nextInt(-500, 500);
      int negativeOffset = random.nextInt(-500, 500);
      if (scale < 0) {
        offset = -5;
        negativeOffset = -8;
        positive = Arrays.copyOf(positive, 10);
        negative = Arrays.copyOf(negative, 10);
      }
      long zero = random.nextInt(3);
      double threshold = random.nextBoolean() ? 0 : 1e-3;
      long count = zero + Arrays.stream(positive).sum() + Arrays.stream(negative).sum();
      FakePoint.Exponential value =
          new FakePoint.Exponential(
              count, true, 1.5, scale, zero, threshold, offset, positive, negativeOffset, negative);
      List<DecodedRequest.TimeSeries> series =
          write(RemoteWriteEncodingOptions.DEFAULT.withVersion(version), value);
      assertThat(series).as("seed %d", seed).hasSize(1);
      DecodedRequest.Histogram found = series.get(0).histograms().get(0);
      int shift = Math.max(0, scale - 8);
      assertThat(found.count()).isEqualTo(count);
      assertThat(found.sumBits()).isEqualTo(Double.doubleToRawLongBits(1.5));
      assertThat(found.schema()).isEqualTo(scale - shift);
      assertThat(found.zeroCount()).isEqualTo(zero);
      assertThat(found.zeroThreshold()).isEqualTo(threshold == 0 ? 1e-128 : threshold);
      assertThat(found.unixMillis()).isEqualTo(NOW);
      assertThat(found.startUnixMillis()).isEqualTo(version == RemoteWriteVersion.V2 ? NOW / 2 : 0);
      assertThat(buckets(found.positiveSpans(), found.positiveDeltas()))
          .as("seed %d", seed)
          .isEqualTo(merged(offset, positive, shift));
      assertThat(buckets(found.negativeSpans(), found.negativeDeltas()))
          .as("seed %d", seed)
          .isEqualTo(merged(negativeOffset, negative, shift));
    }
  }

  @Test
  void aScaleThatIsTooLowIsCounted() {
    FakePoint point =
        FakePoint.of(Labels.EMPTY, new FakePoint.Exponential(1, 1, -10, 0, new long[] {1}));
    try (Written written = new Written(chunks.pool(), RemoteWriteEncodingOptions.DEFAULT)) {
      assertThat(written.write(NOW, FakeMetric.exponential("h", "", point))).isEmpty();
      assertThat(written.problems()).isEqualTo(Map.of("prometheus_exponential_scale", 1L));
    }
  }

  @Test
  void customBuckets() {
    for (long seed = 0; seed < 500; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      double[] bounds = random.doubles(random.nextInt(12), -10, 10).sorted().toArray();
      boolean infinite = bounds.length > 0 && random.nextBoolean();
      if (infinite) {
        bounds[bounds.length - 1] = Double.POSITIVE_INFINITY;
      }
      long[] held = random.longs(bounds.length + 1, 0, 3).toArray();
      if (infinite) {
        held[bounds.length] = 0;
      }
      long count = Arrays.stream(held).sum() + random.nextInt(2);
      FakePoint.Histogram value = new FakePoint.Histogram(count, true, 2, Double.NaN, bounds, held);
      DecodedRequest.Histogram found =
          write(RemoteWriteEncodingOptions.DEFAULT.withCustomBuckets(true), value)
              .get(0)
              .histograms()
              .get(0);
      int finite = infinite ? bounds.length - 1 : bounds.length;
      Map<Long, Long> expected = new TreeMap<>();
      long rest = count;
      for (int i = 0; i < finite; i++) {
        rest -= held[i];
        if (held[i] > 0) {
          expected.put((long) i, held[i]);
        }
      }
      if (rest > 0) {
        expected.put((long) finite, rest);
      }
      assertThat(found.schema()).isEqualTo(-53);
      assertThat(found.count()).isEqualTo(count);
      assertThat(found.customValues())
          .containsExactlyElementsOf(Arrays.stream(bounds).limit(finite).boxed().toList());
      assertThat(buckets(found.positiveSpans(), found.positiveDeltas()))
          .as("seed %d", seed)
          .isEqualTo(expected);
      assertThat(found.negativeSpans()).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void exemplarsGoOnceAndInTheOrderOfTime(RemoteWriteVersion version) {
    FakePoint point =
        FakePoint.of(Labels.EMPTY, new FakePoint.Exponential(1, 1, 0, 0, new long[] {1}))
            .withExemplars(
                new FakePoint.Exemplar(
                    new FakePoint.Real(2), (NOW - 1) * 1_000_000, 1, 2, 3, Labels.EMPTY),
                new FakePoint.Exemplar(
                    new FakePoint.Whole(1),
                    (NOW - 2) * 1_000_000,
                    0,
                    0,
                    0,
                    Labels.of("b", "", "a", "x")));
    RemoteWriteEncodingOptions options = RemoteWriteEncodingOptions.DEFAULT.withVersion(version);
    FakeMetrics source = new FakeMetrics(FakeMetric.exponential("h", "", point));
    try (Written written = new Written(chunks.pool(), options)) {
      assertThat(written.write(NOW, source).get(0).exemplars())
          .containsExactly(
              new DecodedRequest.Exemplar(List.of(new DecodedRequest.Label("a", "x")), 1, NOW - 2),
              new DecodedRequest.Exemplar(
                  List.of(
                      new DecodedRequest.Label("span_id", "0000000000000003"),
                      new DecodedRequest.Label("trace_id", "00000000000000010000000000000002")),
                  2,
                  NOW - 1));
      assertThat(written.write(NOW + 1, source).get(0).exemplars()).isEmpty();
    }
  }
}

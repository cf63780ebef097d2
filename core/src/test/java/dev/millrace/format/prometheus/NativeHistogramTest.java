package dev.millrace.format.prometheus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.format.translation.Fault;
import dev.millrace.model.FakeMetric;
import dev.millrace.model.FakePoint;
import dev.millrace.model.Labels;
import dev.millrace.testkit.GivenBack;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Exponential histograms as native ones: any scale, any buckets, any counts. */
class NativeHistogramTest {
  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(16), ChunkPool::outstandingChunks);

  private final PrometheusOptions options = PrometheusOptions.DEFAULT.withTargetInfo(false);

  private Expositions exporter() {
    return new Expositions(chunks.pool(), options);
  }

  private static FakeMetric metric(FakePoint.Exponential value) {
    return FakeMetric.exponential("e", "", FakePoint.of(Labels.EMPTY, value));
  }

  private static FakeMetric metric(int scale, int offset, long... buckets) {
    long count = Arrays.stream(buckets).sum();
    return metric(new FakePoint.Exponential(count, 1, scale, offset, buckets));
  }

  private ClientModel.Message histogram(FakeMetric metric) throws Exception {
    ClientModel.Message family = ClientModel.parse(exporter().protobuf(metric)).get(0);
    return family.messages("metric").get(0).message("histogram");
  }

  private void assertLeftOut(Fault fault, FakePoint.Exponential value) throws Exception {
    Expositions exporter = exporter();
    assertThat(exporter.protobuf(metric(value))).as(value.toString()).isEmpty();
    assertThat(exporter.problems()).isEqualTo(Map.of(fault.kind(), 1L));
  }

  @Test
  void whatIsWritten() throws Exception {
    FakePoint.Exponential value =
        new FakePoint.Exponential(
            21, true, 7.5, 3, 4, 0.001, -2, new long[] {3, 5, 0, 0, 1, 0, 3, 2}, 7, new long[] {3});
    FakePoint point = FakePoint.of(Labels.of("a", "b"), value).startedAt(1_000_000_001L);
    byte[] bytes = exporter().protobuf(FakeMetric.exponential("e", "s", point));
    assertThat(ClientModel.parse(bytes).get(0).toString())
        .isEqualToIgnoringWhitespace(
            """
            name: "e_seconds"
            type: HISTOGRAM
            metric {
              label { name: "a" value: "b" }
              histogram {
                sample_count: 21
                sample_sum: 7.5
                schema: 3
                zero_threshold: 0.001
                zero_count: 4
                negative_span { offset: 8 length: 1 }
                negative_delta: 3
                positive_span { offset: -1 length: 8 }
                positive_delta: 3
                positive_delta: 2
                positive_delta: -5
                positive_delta: 0
                positive_delta: 1
                positive_delta: -1
                positive_delta: 3
                positive_delta: -1
                created_timestamp { seconds: 1 nanos: 1 }
              }
            }
            unit: "seconds"
            """);
  }

  @Test
  void threeEmptyBucketsAreASpanOfTheirOwn() throws Exception {
    ClientModel.Message histogram = histogram(metric(0, 0, 0, 0, 1, 0, 0, 0, 2, 0));
    assertThat(histogram.messages("positive_span").toString())
        .isEqualToIgnoringWhitespace("[offset: 3 length: 1, offset: 3 length: 1]");
    assertThat(histogram.wholes("positive_delta")).containsExactly(1L, 1L);
  }

  @Test
  void withoutAThresholdItIsTheDefaultOne() throws Exception {
    ClientModel.Message histogram = histogram(metric(0, 0, 1));
    assertThat(histogram.real("zero_threshold")).isEqualTo(1e-128);
  }

  @Test
  void onlyTheZeroBucket() throws Exception {
    FakePoint.Exponential value =
        new FakePoint.Exponential(5, true, 0, 20, 5, 0, 0, new long[0], 0, new long[] {0, 0});
    ClientModel.Message histogram = histogram(metric(value));
    assertThat(histogram.whole("zero_count")).isEqualTo(5);
    assertThat(histogram.whole("schema")).isEqualTo(8);
    assertThat(histogram.messages("positive_span")).isEmpty();
    assertThat(histogram.messages("negative_span")).isEmpty();
  }

  @Test
  void nothingAtAll() throws Exception {
    ClientModel.Message histogram =
        histogram(metric(new FakePoint.Exponential(0, 0, 0, 0, new long[] {0})));
    assertThat(histogram.whole("sample_count")).isZero();
    assertThat(histogram.has("schema")).isTrue();
    assertThat(histogram.real("zero_threshold")).isPositive();
  }

  @Test
  void withoutASum() throws Exception {
    FakePoint.Exponential value =
        new FakePoint.Exponential(1, false, 9, 0, 1, 0, 0, new long[0], 0, new long[0]);
    assertThat(histogram(metric(value)).has("sample_sum")).isFalse();
  }

  @Test
  void scale20IsMergedDown() throws Exception {
    // 4096 buckets of scale 20 are one of schema 8; these lie around the border of two.
    long[] buckets = new long[4096 * 3];
    Arrays.fill(buckets, 1);
    ClientModel.Message histogram = histogram(metric(20, -4096 - 100, buckets));
    assertThat(histogram.whole("schema")).isEqualTo(8);
    assertThat(ProtobufSamples.buckets(histogram, "positive"))
        .isEqualTo(Map.of(-1, 100L, 0, 4096L, 1, 4096L, 2, 3996L));
  }

  @ParameterizedTest
  @ValueSource(ints = {9, 40, 41, 72, 1_000, Integer.MAX_VALUE})
  void anyHigherScaleIsMergedDown(int scale) throws Exception {
    ClientModel.Message histogram = histogram(metric(scale, -1, 2, 3));
    assertThat(histogram.whole("schema")).isEqualTo(8);
    assertThat(ProtobufSamples.buckets(histogram, "positive")).isEqualTo(Map.of(0, 2L, 1, 3L));
  }

  @ParameterizedTest
  @ValueSource(ints = {-5, -10, -11, Integer.MIN_VALUE})
  void aLowerScaleIsLeftOutAndCounted(int scale) throws Exception {
    assertLeftOut(
        Fault.EXPONENTIAL_SCALE, new FakePoint.Exponential(1, 1, scale, 0, new long[] {1}));
  }

  @Test
  void theOutermostBucketsOfEachSchema() throws Exception {
    for (int scale = -4; scale <= 8; scale++) {
      int most = (int) Math.floor(Math.scalb(1024.0, scale));
      int least = (int) Math.ceil(Math.scalb(-1074.0, scale)) - 1;
      for (int offset : new int[] {least, most}) {
        ClientModel.Message histogram = histogram(metric(scale, offset, 1));
        assertThat(ProtobufSamples.buckets(histogram, "positive"))
            .isEqualTo(Map.of(offset + 1, 1L));
      }
      assertLeftOut(
          Fault.HISTOGRAM, new FakePoint.Exponential(1, 1, scale, most + 1, new long[] {1}));
      assertLeftOut(
          Fault.HISTOGRAM, new FakePoint.Exponential(1, 1, scale, least - 1, new long[] {1}));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {Integer.MIN_VALUE, -2_000_000_000, 2_000_000_000, Integer.MAX_VALUE})
  void hugeOffsets(int offset) throws Exception {
    assertLeftOut(Fault.HISTOGRAM, new FakePoint.Exponential(2, 1, 3, offset, new long[] {1, 1}));
    // Empty buckets may lie anywhere.
    ClientModel.Message histogram =
        histogram(metric(new FakePoint.Exponential(0, 0, 3, offset, new long[] {0, 0})));
    assertThat(histogram.messages("positive_span")).isEmpty();
    // At scale 31 and above, doubles lie that far out.
    assertThat(histogram(metric(31, offset, 1, 1)).whole("schema")).isEqualTo(8);
  }

  @Test
  void countsNear63Bits() throws Exception {
    long most = Long.MAX_VALUE;
    ClientModel.Message histogram = histogram(metric(0, 0, most - 1, 0, 1));
    assertThat(ProtobufSamples.buckets(histogram, "positive"))
        .isEqualTo(Map.of(1, most - 1, 3, 1L));
    assertThat(histogram.whole("sample_count")).isEqualTo(most);
    // Both sides together have 64 bits, each has 63.
    FakePoint.Exponential both =
        new FakePoint.Exponential(-1, true, 1, 0, 1, 0, 0, new long[] {most}, 0, new long[] {most});
    assertThat(histogram(metric(both)).whole("sample_count")).isEqualTo(-1);
    assertLeftOut(
        Fault.HISTOGRAM, new FakePoint.Exponential(most + 1, 1, 0, 0, new long[] {Long.MIN_VALUE}));
    assertLeftOut(
        Fault.HISTOGRAM, new FakePoint.Exponential(0, 1, 0, 0, new long[] {most, most, 2}));
    assertLeftOut(
        Fault.HISTOGRAM,
        new FakePoint.Exponential(0, true, 1, 0, 2, 0, 0, new long[] {most}, 0, new long[] {most}));
  }

  @Test
  void aCountThatIsNotThatOfTheBuckets() throws Exception {
    long[] two = {2};
    assertLeftOut(Fault.HISTOGRAM, new FakePoint.Exponential(1, 1, 0, 0, two));
    assertLeftOut(Fault.HISTOGRAM, new FakePoint.Exponential(3, 1, 0, 0, two));
    // What is no number lies in no bucket, and shows in the sum.
    ClientModel.Message histogram =
        histogram(metric(new FakePoint.Exponential(3, Double.NaN, 0, 0, two)));
    assertThat(histogram.whole("sample_count")).isEqualTo(3);
    assertLeftOut(Fault.HISTOGRAM, new FakePoint.Exponential(1, Double.NaN, 0, 0, two));
  }

  @ParameterizedTest
  @ValueSource(doubles = {-1, Double.NaN, Double.POSITIVE_INFINITY})
  void aThresholdThatIsNone(double threshold) throws Exception {
    assertLeftOut(
        Fault.HISTOGRAM,
        new FakePoint.Exponential(1, true, 1, 0, 1, threshold, 0, new long[0], 0, new long[0]));
  }

  @Test
  void exemplarsHaveTimesAndAreOrdered() throws Exception {
    FakePoint point =
        FakePoint.of(Labels.EMPTY, new FakePoint.Exponential(1, 1, 0, 0, new long[] {1}))
            .withExemplars(exemplar(1, 3), exemplar(2, 0), exemplar(3, 1), exemplar(4, 3));
    Expositions exporter = exporter();
    ClientModel.Message family =
        ClientModel.parse(exporter.protobuf(FakeMetric.exponential("e", "", point))).get(0);
    List<ClientModel.Message> exemplars =
        family.messages("metric").get(0).message("histogram").messages("exemplars");
    assertThat(exemplars.stream().map(e -> e.real("value"))).containsExactly(3.0, 1.0, 4.0);
    assertThat(exemplars.get(0).toString())
        .isEqualToIgnoringWhitespace(
            """
            label { name: "trace_id" value: "00000000000000010000000000000002" }
            label { name: "span_id" value: "0000000000000003" }
            value: 3.0
            timestamp { nanos: 1 }
            """);
    assertThat(exporter.problems()).isEqualTo(Map.of(Fault.EXEMPLAR_TIME.kind(), 1L));
  }

  private static FakePoint.Exemplar exemplar(double value, long unixNanos) {
    return new FakePoint.Exemplar(new FakePoint.Real(value), unixNanos, 1, 2, 3, Labels.EMPTY);
  }

  /** Buckets against the very values that were recorded, with bounds from plain powers. */
  @Test
  void cumulativeCountsAreThoseOfTheValues() throws Exception {
    for (long seed = 0; seed < 200; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      int scale = random.nextInt(-4, 21);
      // A bound of buckets at these scales, so that no bucket lies across it.
      double threshold = scale >= -1 && random.nextBoolean() ? 0.015625 : 0;
      double[] values = new double[random.nextInt(60)];
      for (int i = 0; i < values.length; i++) {
        double exponent = random.nextInt(-60, 61) / 8.0 * (scale > 8 ? 0.01 : 1) + 1e-7;
        double sign = random.nextInt(4) == 0 ? -1 : 1;
        values[i] = random.nextInt(10) == 0 ? 0 : sign * Math.pow(2, exponent);
      }
      RecordedValues recorded = new RecordedValues(scale, threshold, values);
      ClientModel.Message histogram = histogram(metric(recorded.point()));
      int schema = (int) histogram.whole("schema");
      assertThat(schema).isEqualTo(Math.min(scale, 8));
      double width = Math.pow(2, -schema);
      String what = "seed " + seed;
      long below = 0;
      // Negative buckets hold what is at or below their upper bound, the one closer to zero.
      Map<Integer, Long> negative = ProtobufSamples.buckets(histogram, "negative");
      for (int index : negative.keySet().stream().sorted((a, b) -> b - a).toList()) {
        below += negative.getOrDefault(index, 0L);
        assertThat(below).as(what).isEqualTo(recorded.atOrBelow(-Math.pow(2, (index - 1) * width)));
      }
      below += histogram.whole("zero_count");
      assertThat(below).as(what).isEqualTo(recorded.atOrBelow(threshold));
      Map<Integer, Long> positive = ProtobufSamples.buckets(histogram, "positive");
      for (int index : positive.keySet().stream().sorted().toList()) {
        below += positive.getOrDefault(index, 0L);
        assertThat(below).as(what).isEqualTo(recorded.atOrBelow(Math.pow(2, index * width)));
      }
      assertThat(below).as(what).isEqualTo(values.length);
      assertThat(histogram.whole("sample_count")).as(what).isEqualTo(values.length);
    }
  }
}

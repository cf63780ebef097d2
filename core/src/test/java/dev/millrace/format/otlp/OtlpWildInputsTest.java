package dev.millrace.format.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.Payload;
import dev.millrace.model.FakeMetric;
import dev.millrace.model.FakeMetrics;
import dev.millrace.model.FakePoint;
import dev.millrace.model.Labels;
import dev.millrace.model.MetricCursor;
import dev.millrace.model.Problems;
import dev.millrace.testkit.GivenBack;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Gauge;
import io.opentelemetry.proto.metrics.v1.HistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Inputs that broke exporters, one by one. */
class OtlpWildInputsTest {
  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(16), ChunkPool::outstandingChunks);

  private final List<String> log = new ArrayList<>();
  private final Problems problems = new Problems(() -> 0L, log::add);
  private final OtlpMetricsEncoder encoder = new OtlpMetricsEncoder(chunks.pool(), problems);

  private List<Metric> encode(FakeMetrics source) throws Exception {
    try (MetricCursor cursor = source.open();
        Payload payload = encoder.encode(cursor)) {
      if (payload == null) {
        return List.of();
      }
      return ExportMetricsServiceRequest.parseFrom(payload.toByteArray())
          .getResourceMetrics(0)
          .getScopeMetrics(0)
          .getMetricsList();
    }
  }

  private List<Metric> encode(FakeMetric... metrics) throws Exception {
    return encode(new FakeMetrics(metrics));
  }

  @Test
  void nothingOfTheLastMetricOrPointSurvives() throws Exception {
    FakePoint.Exemplar exemplar =
        new FakePoint.Exemplar(new FakePoint.Whole(1), 5, 6, 7, 8, Labels.of("x", "y"));
    FakePoint full =
        FakePoint.histogram(Labels.of("a", "b"), 3, new double[] {1}, 1, 2)
            .startedAt(10)
            .recordedAt(11)
            .withExemplars(exemplar);
    FakePoint bare =
        FakePoint.of(
            Labels.EMPTY,
            new FakePoint.Histogram(0, false, 0, Double.NaN, new double[0], new long[0]));
    List<Metric> metrics =
        encode(
            FakeMetric.histogram("full", "s", full, full.withoutRecordedValue(), bare)
                .describedAs("Help."),
            FakeMetric.gauge("bare", "", FakePoint.of(Labels.EMPTY, 0)));
    List<HistogramDataPoint> points = metrics.get(0).getHistogram().getDataPointsList();
    assertThat(points.get(0).getExemplarsCount()).isOne();
    assertThat(points.get(1).getFlags()).isOne();
    assertThat(points.get(2)).isEqualTo(HistogramDataPoint.getDefaultInstance());
    assertThat(metrics.get(1))
        .isEqualTo(
            Metric.newBuilder()
                .setName("bare")
                .setGauge(
                    Gauge.newBuilder().addDataPoints(NumberDataPoint.newBuilder().setAsInt(0)))
                .build());
  }

  @Test
  void numbersAreExact() throws Exception {
    double[] reals = {
      Double.NaN,
      Double.POSITIVE_INFINITY,
      Double.NEGATIVE_INFINITY,
      -0.0,
      Double.MIN_VALUE,
      0.1 + 0.2
    };
    for (double real : reals) {
      NumberDataPoint point =
          encode(FakeMetric.gauge("g", "", FakePoint.of(Labels.EMPTY, real)))
              .get(0)
              .getGauge()
              .getDataPoints(0);
      assertThat(Double.doubleToRawLongBits(point.getAsDouble()))
          .isEqualTo(Double.doubleToRawLongBits(real));
      assertThat(point.hasAsDouble()).isTrue();
    }
    for (long whole : new long[] {0, (1L << 53) + 1, Long.MAX_VALUE, Long.MIN_VALUE}) {
      NumberDataPoint point =
          encode(FakeMetric.counter("c", "", FakePoint.of(Labels.EMPTY, whole)))
              .get(0)
              .getSum()
              .getDataPoints(0);
      assertThat(point.getAsInt()).isEqualTo(whole);
      assertThat(point.hasAsInt()).isTrue();
    }
  }

  @Test
  void aPointWithoutARecordedValueHasTheFlagAndNoValue() throws Exception {
    FakePoint point =
        FakePoint.of(Labels.of("a", "b"), 7).startedAt(1).recordedAt(2).withoutRecordedValue();
    NumberDataPoint number =
        encode(FakeMetric.counter("c", "", point)).get(0).getSum().getDataPoints(0);
    assertThat(number.getValueCase()).isEqualTo(NumberDataPoint.ValueCase.VALUE_NOT_SET);
    assertThat(number.getFlags()).isOne();
    assertThat(number.getAttributesCount()).isOne();
    assertThat(number.getStartTimeUnixNano()).isOne();
    FakePoint.Value broken =
        new FakePoint.Histogram(1, true, 1, 1, new double[] {2, 1}, new long[] {1});
    HistogramDataPoint histogram =
        encode(FakeMetric.histogram("h", "", point.withValue(broken)))
            .get(0)
            .getHistogram()
            .getDataPoints(0);
    assertThat(histogram.getFlags()).isOne();
    assertThat(histogram.getBucketCountsCount()).isZero();
    assertThat(histogram.hasSum()).isFalse();
    assertThat(log).isEmpty();
  }

  @Test
  void histogramsOfEveryShape() throws Exception {
    List<HistogramDataPoint> points =
        encode(
                FakeMetric.histogram(
                    "h",
                    "",
                    FakePoint.histogram(Labels.of("k", "one bucket"), 1, new double[0], 5),
                    FakePoint.histogram(
                        Labels.of("k", "negative"), -9, new double[] {-2, -1}, 1, 2, 3),
                    FakePoint.histogram(Labels.of("k", "NaN"), Double.NaN, new double[] {1}, 0, 1),
                    FakePoint.of(
                        Labels.of("k", "another count"),
                        new FakePoint.Histogram(
                            -1, false, 0, 0.5, new double[] {1}, new long[] {1, 1}))))
            .get(0)
            .getHistogram()
            .getDataPointsList();
    assertThat(points.get(0).getBucketCountsList()).containsExactly(5L);
    assertThat(points.get(1).getExplicitBoundsList()).containsExactly(-2.0, -1.0);
    assertThat(points.get(2).getSum()).isNaN();
    // Unsigned, and as the source has it.
    assertThat(points.get(3).getCount()).isEqualTo(-1);
    assertThat(points.get(3).hasSum()).isFalse();
    assertThat(points.get(3).getMin()).isEqualTo(0.5);
    assertThat(log).isEmpty();
  }

  @Test
  void histogramsThatReceiversRefuseAreLeftOutAndCounted() throws Exception {
    double[][] bounds = {{1, 1}, {2, 1}, {1, Double.NaN}, {Double.NaN}, {1}};
    long[][] buckets = {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1}, {1}};
    FakePoint[] points = new FakePoint[bounds.length + 1];
    for (int i = 0; i < bounds.length; i++) {
      points[i] = FakePoint.histogram(Labels.of("k", "" + i), 1, bounds[i], buckets[i]);
    }
    points[bounds.length] = FakePoint.histogram(Labels.EMPTY, 1, new double[] {1}, 1, 1);
    List<Metric> metrics = encode(FakeMetric.histogram("broken", "", points));
    assertThat(metrics.get(0).getHistogram().getDataPointsCount()).isOne();
    assertThat(problems.kind("otlp_inconsistent_histogram").count()).isEqualTo(bounds.length);
    assertThat(log).singleElement().asString().contains("metric broken").contains("rising bounds");
    assertThat(encode(FakeMetric.histogram("alone", "", points[0]))).isEmpty();
  }

  @Test
  void exponentialHistogramsOfEveryShape() throws Exception {
    FakePoint[] points = {
      exponential(20, 0, new long[] {1, 300}, new long[0]),
      exponential(-10, 0.25, new long[0], new long[] {4}),
      exponential(0, 0, new long[0], new long[0])
    };
    List<ExponentialHistogramDataPoint> written =
        encode(FakeMetric.exponential("e", "", points))
            .get(0)
            .getExponentialHistogram()
            .getDataPointsList();
    assertThat(written.get(0).getScale()).isEqualTo(20);
    assertThat(written.get(0).getPositive().getOffset()).isEqualTo(-3);
    assertThat(written.get(0).getPositive().getBucketCountsList()).containsExactly(1L, 300L);
    assertThat(written.get(0).hasNegative()).isFalse();
    assertThat(written.get(1).getScale()).isEqualTo(-10);
    assertThat(written.get(1).getZeroThreshold()).isEqualTo(0.25);
    assertThat(written.get(1).getNegative().getBucketCountsList()).containsExactly(4L);
    assertThat(written.get(2).getZeroCount()).isEqualTo(2);
    assertThat(written.get(2).hasPositive()).isFalse();
  }

  private static FakePoint exponential(
      int scale, double zeroThreshold, long[] positive, long[] negative) {
    return FakePoint.of(
        Labels.of("scale", "" + scale),
        new FakePoint.Exponential(9, false, 0, scale, 2, zeroThreshold, -3, positive, 5, negative));
  }

  @Test
  void aRestartMovesTheStartTime() throws Exception {
    FakePoint before = FakePoint.of(Labels.of("a", "b"), 9).startedAt(100).recordedAt(200);
    FakeMetrics source = new FakeMetrics(FakeMetric.counter("c", "", before));
    encode(source);
    source.setPoints(0, before.withValue(new FakePoint.Whole(2)).startedAt(300).recordedAt(400));
    NumberDataPoint after = encode(source).get(0).getSum().getDataPoints(0);
    assertThat(after.getStartTimeUnixNano()).isEqualTo(300);
    assertThat(after.getAsInt()).isEqualTo(2);
  }
}

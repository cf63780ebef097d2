package dev.millrace.format.prometheus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.model.FakeMetric;
import dev.millrace.model.FakeMetrics;
import dev.millrace.model.FakePoint;
import dev.millrace.model.Labels;
import dev.millrace.model.Temporality;
import dev.millrace.testkit.GivenBack;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Values that broke exporters of this kind in the field. */
class WildValuesTest {
  private static final double[] NO_BOUNDS = {};
  private static final double NO_MIN = Double.NaN;
  private static final PrometheusOptions PLAIN = PrometheusOptions.DEFAULT.withTargetInfo(false);

  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(16), ChunkPool::outstandingChunks);

  private Expositions exporter() {
    return new Expositions(chunks.pool(), PLAIN);
  }

  @ParameterizedTest
  @ValueSource(
      doubles = {
        0.0,
        -0.0,
        1,
        Double.MIN_VALUE,
        0.1 + 0.2,
        1e21,
        1e-7,
        9007199254740992.0,
        Double.MAX_VALUE,
        Double.NaN,
        Double.POSITIVE_INFINITY,
        Double.NEGATIVE_INFINITY
      })
  void realNumbersReadBackEqual(double value) {
    FakeMetric metric = FakeMetric.gauge("x", "", FakePoint.of(Labels.EMPTY, value));
    for (boolean om : new boolean[] {false, true}) {
      String exposition = om ? exporter().openMetrics(metric) : exporter().text(metric);
      String text = ParsedExposition.parse(exposition, om).samples().get(0).value();
      double read =
          switch (text) {
            case "+Inf" -> Double.POSITIVE_INFINITY;
            case "-Inf" -> Double.NEGATIVE_INFINITY;
            default -> Double.parseDouble(text);
          };
      assertThat(read).isEqualTo(Double.valueOf(value));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, (1L << 53) + 1, Long.MAX_VALUE, Long.MIN_VALUE})
  void wholeNumbersAreExact(long value) {
    FakeMetric metric = FakeMetric.gauge("x", "", FakePoint.of(Labels.EMPTY, value));
    assertThat(exporter().text(metric)).isEqualTo("# TYPE x gauge\nx " + value + "\n");
    assertThat(exporter().openMetrics(metric))
        .isEqualTo("# TYPE x gauge\nx " + value + "\n# EOF\n");
  }

  @Test
  void aPointWithoutARecordedValueIsGone() {
    FakePoint gone = FakePoint.of(Labels.of("a", "1"), 1).withoutRecordedValue();
    FakePoint there = FakePoint.of(Labels.of("a", "2"), 2);
    assertThat(exporter().text(FakeMetric.gauge("x", "", gone, there)))
        .isEqualTo("# TYPE x gauge\nx{a=\"2\"} 2\n");
    assertThat(exporter().openMetrics(FakeMetric.gauge("x", "", gone))).isEqualTo("# EOF\n");
  }

  @Test
  void aHistogramWithoutBoundsHasOneBucket() {
    FakePoint none = histogram(3, true, 4.5, NO_MIN, NO_BOUNDS);
    FakePoint single = histogram(3, true, 4.5, NO_MIN, NO_BOUNDS, 3);
    for (FakePoint point : new FakePoint[] {none, single}) {
      assertThat(exporter().text(FakeMetric.histogram("h", "", point)))
          .isEqualTo("# TYPE h histogram\nh_bucket{le=\"+Inf\"} 3\nh_sum 4.5\nh_count 3\n");
    }
  }

  @Test
  void aHistogramWithoutASum() {
    FakeMetric metric =
        FakeMetric.histogram("h", "", histogram(3, false, 0, NO_MIN, new double[] {1}, 1, 2));
    assertThat(exporter().text(metric))
        .isEqualTo(
            "# TYPE h histogram\nh_bucket{le=\"1.0\"} 1\nh_bucket{le=\"+Inf\"} 3\nh_count 3\n");
    assertThat(exporter().openMetrics(metric))
        .isEqualTo("# TYPE h histogram\nh_bucket{le=\"1.0\"} 1\nh_bucket{le=\"+Inf\"} 3\n# EOF\n");
  }

  @Test
  void aHistogramWithNegativeBoundsHasNoSumInOpenMetrics() {
    FakeMetric metric =
        FakeMetric.histogram(
            "h", "", histogram(3, true, -1, NO_MIN, new double[] {-5, 0, 5}, 1, 1, 1, 0));
    String buckets =
        """
        h_bucket{le="-5.0"} 1
        h_bucket{le="0.0"} 2
        h_bucket{le="5.0"} 3
        h_bucket{le="+Inf"} 3
        """;
    assertThat(exporter().text(metric))
        .isEqualTo("# TYPE h histogram\n" + buckets + "h_sum -1\nh_count 3\n");
    assertThat(exporter().openMetrics(metric))
        .isEqualTo("# TYPE h histogram\n" + buckets + "# EOF\n");
  }

  @Test
  void aHistogramWithNegativeObservationsHasNoSumInOpenMetrics() {
    FakeMetric lowered =
        FakeMetric.histogram("h", "", histogram(2, true, 1, -2, new double[] {1}, 1, 1));
    FakeMetric negative =
        FakeMetric.histogram("h", "", histogram(2, true, -1, NO_MIN, new double[] {1}, 1, 1));
    for (FakeMetric metric : new FakeMetric[] {lowered, negative}) {
      assertThat(exporter().openMetrics(metric)).doesNotContain("h_sum", "h_count");
      assertThat(exporter().text(metric)).contains("h_sum", "h_count");
    }
  }

  @Test
  void aHistogramOfNanAndInfObservations() {
    FakeMetric nan =
        FakeMetric.histogram(
            "h", "", histogram(3, true, Double.NaN, NO_MIN, new double[] {1}, 1, 1));
    assertThat(exporter().text(nan))
        .contains("h_bucket{le=\"+Inf\"} 3\n", "h_sum NaN\n", "h_count 3\n");
    assertThat(exporter().openMetrics(nan))
        .contains("h_bucket{le=\"+Inf\"} 3\n")
        .doesNotContain("h_sum", "h_count");
    FakeMetric inf =
        FakeMetric.histogram(
            "h", "", histogram(2, true, Double.POSITIVE_INFINITY, NO_MIN, new double[] {1}, 1, 1));
    assertThat(exporter().openMetrics(inf)).contains("h_sum +Inf\n", "h_count 2\n");
  }

  @Test
  void aHistogramThatCountsLessThanItsBucketsIsLeftOut() {
    Expositions exporter = exporter();
    FakePoint less = histogram(2, true, 1, NO_MIN, new double[] {1}, 1, 2);
    FakePoint more = histogram(9, true, 1, NO_MIN, new double[] {1}, 1, 2);
    assertThat(exporter.text(FakeMetric.histogram("h", "", less))).isEmpty();
    assertThat(exporter.problems()).isEqualTo(Map.of("prometheus_inconsistent_histogram", 1L));
    assertThat(exporter.text(FakeMetric.histogram("h", "", more)))
        .contains("h_bucket{le=\"1.0\"} 1\n", "h_bucket{le=\"+Inf\"} 9\n", "h_count 9\n");
  }

  @Test
  void histogramsOfTheWrongShapeAreLeftOutAndCounted() {
    FakePoint[] wrong = {
      histogram(3, true, 1, NO_MIN, new double[] {1, 2}, 1, 2),
      histogram(3, true, 1, NO_MIN, new double[] {1}, 1, 1, 1),
      histogram(3, true, 1, NO_MIN, new double[] {1}),
      histogram(3, true, 1, NO_MIN, new double[] {2, 1}, 1, 1, 1),
      histogram(3, true, 1, NO_MIN, new double[] {1, 1}, 1, 1, 1),
      histogram(3, true, 1, NO_MIN, new double[] {-0.0, 0.0}, 1, 1, 1),
      histogram(3, true, 1, NO_MIN, new double[] {Double.NaN}, 1, 2),
      histogram(0, true, 1, NO_MIN, new double[] {1}, Long.MIN_VALUE, Long.MIN_VALUE),
    };
    Expositions exporter = exporter();
    FakePoint good = FakePoint.histogram(Labels.of("a", "b"), 0, NO_BOUNDS, 0);
    for (FakePoint point : wrong) {
      assertThat(exporter.text(FakeMetric.histogram("h", "", point))).isEmpty();
      assertThat(exporter.openMetrics(FakeMetric.histogram("h", "", point, good)))
          .startsWith("# TYPE h histogram\nh_bucket{a=\"b\",le=\"+Inf\"} 0\n");
    }
    assertThat(exporter.problems())
        .isEqualTo(Map.of("prometheus_inconsistent_histogram", 2L * wrong.length));
  }

  @Test
  void aBoundOfInfinityIsTheLastBucket() {
    FakePoint point =
        histogram(
            6,
            true,
            1,
            NO_MIN,
            new double[] {Double.NEGATIVE_INFINITY, 1, Double.POSITIVE_INFINITY},
            1,
            2,
            3,
            0);
    assertThat(exporter().text(FakeMetric.histogram("h", "", point)))
        .isEqualTo(
            """
            # TYPE h histogram
            h_bucket{le="-Inf"} 1
            h_bucket{le="1.0"} 3
            h_bucket{le="+Inf"} 6
            h_sum 1
            h_count 6
            """);
  }

  @Test
  void countsAreUnsigned() {
    FakePoint point = histogram(-1, true, 1, NO_MIN, new double[] {1}, Long.MIN_VALUE, 0);
    assertThat(exporter().text(FakeMetric.histogram("h", "", point)))
        .contains(
            "h_bucket{le=\"1.0\"} 9223372036854775808\n",
            "h_bucket{le=\"+Inf\"} 18446744073709551615\n",
            "h_count 18446744073709551615\n");
  }

  @Test
  void aSourceMayFillAnArrayOfBoundsAnew() {
    double[] bounds = {1};
    FakePoint point = histogram(1, true, 1, NO_MIN, bounds, 1, 0);
    FakeMetrics source = new FakeMetrics(FakeMetric.histogram("h", "", point));
    Expositions exporter = exporter();
    assertThat(exporter.text(source)).contains("le=\"1.0\"");
    bounds[0] = 2;
    assertThat(exporter.text(source)).contains("le=\"2.0\"").doesNotContain("le=\"1.0\"");
  }

  @Test
  void boundsAndQuantilesAreCanonical() {
    double[] bounds = {0, 1e-10, 1e-5, 0.0001, 0.001, 0.1, 1, 1.7, 10, 1e5, 1e6, 1e10};
    String text =
        exporter()
            .openMetrics(
                FakeMetric.histogram(
                    "h", "", FakePoint.histogram(Labels.EMPTY, 0, bounds, new long[13])),
                FakeMetric.summary(
                    "s",
                    "",
                    FakePoint.of(
                        Labels.EMPTY,
                        new FakePoint.Summary(
                            0, 0, new double[] {0, 0.999, 1}, new double[] {1, 2, 3}))));
    assertThat(text.lines().filter(line -> line.contains("le=\"")))
        .containsExactly(
            "h_bucket{le=\"0.0\"} 0",
            "h_bucket{le=\"1e-10\"} 0",
            "h_bucket{le=\"1e-05\"} 0",
            "h_bucket{le=\"0.0001\"} 0",
            "h_bucket{le=\"0.001\"} 0",
            "h_bucket{le=\"0.1\"} 0",
            "h_bucket{le=\"1.0\"} 0",
            "h_bucket{le=\"1.7\"} 0",
            "h_bucket{le=\"10.0\"} 0",
            "h_bucket{le=\"100000.0\"} 0",
            "h_bucket{le=\"1e+06\"} 0",
            "h_bucket{le=\"1e+10\"} 0",
            "h_bucket{le=\"+Inf\"} 0",
            "s{quantile=\"0.0\"} 1",
            "s{quantile=\"0.999\"} 2",
            "s{quantile=\"1.0\"} 3");
  }

  @Test
  void quantilesAreOrderedAndTheWrongOnesLeftOut() {
    Expositions exporter = exporter();
    FakePoint point =
        FakePoint.of(
            Labels.EMPTY,
            new FakePoint.Summary(
                5,
                -1,
                new double[] {0.99, 0.5, Double.NaN, 1.5, -0.5, 0.5, 0.9},
                new double[] {3, 1, 9, 9, 9, 2, -4}));
    FakeMetric metric = FakeMetric.summary("s", "", point);
    assertThat(exporter.text(metric))
        .isEqualTo(
            """
            # TYPE s summary
            s{quantile="0.5"} 1
            s{quantile="0.9"} -4
            s{quantile="0.99"} 3
            s_sum -1
            s_count 5
            """);
    assertThat(exporter.problems()).isEqualTo(Map.of("prometheus_quantile_not_allowed", 4L));
    assertThat(exporter.openMetrics(metric))
        .isEqualTo(
            """
            # TYPE s summary
            s{quantile="0.5"} 1
            s{quantile="0.99"} 3
            s_count 5
            # EOF
            """);
    assertThat(exporter.problems()).isEqualTo(Map.of("prometheus_quantile_not_allowed", 9L));
  }

  @Test
  void theStartTimeFollowsARestart() {
    Expositions exporter = new Expositions(chunks.pool(), PLAIN.withCreatedTimestamps(true));
    FakePoint before = FakePoint.of(Labels.of("a", "b"), 90).startedAt(1_700_000_000_123_456_789L);
    FakePoint after =
        before.withValue(new FakePoint.Whole(2)).startedAt(1_700_000_060_500_000_000L);
    FakeMetrics source = new FakeMetrics(FakeMetric.counter("x", "", before));
    assertThat(exporter.openMetrics(source))
        .isEqualTo(
            """
            # TYPE x counter
            x_total{a="b"} 90
            x_created{a="b"} 1700000000.123456789
            # EOF
            """);
    source.setPoints(0, after);
    assertThat(exporter.openMetrics(source))
        .isEqualTo(
            "# TYPE x counter\nx_total{a=\"b\"} 2\nx_created{a=\"b\"} 1700000060.5\n# EOF\n");
    assertThat(exporter.text(source)).isEqualTo("# TYPE x_total counter\nx_total{a=\"b\"} 2\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"DELTA", "UNSPECIFIED"})
  void whatIsNotCumulativeIsLeftOutAndCounted(String temporality) {
    Expositions exporter = exporter();
    Temporality other = Temporality.valueOf(temporality);
    FakeMetrics source =
        new FakeMetrics(
            FakeMetric.counter("x", "", FakePoint.of(Labels.EMPTY, 1)).withTemporality(other),
            FakeMetric.histogram("h", "", FakePoint.histogram(Labels.EMPTY, 1, NO_BOUNDS, 1))
                .withTemporality(other),
            FakeMetric.exponential(
                    "e",
                    "",
                    FakePoint.of(
                        Labels.EMPTY, new FakePoint.Exponential(1, 1, 0, 0, new long[] {1})))
                .withTemporality(other),
            FakeMetric.gauge("g", "", FakePoint.of(Labels.EMPTY, 1)).withTemporality(other));
    assertThat(exporter.text(source)).isEqualTo("# TYPE g gauge\ng 1\n");
    assertThat(exporter.openMetrics(source)).isEqualTo("# TYPE g gauge\ng 1\n# EOF\n");
    assertThat(exporter.problems()).isEqualTo(Map.of("prometheus_not_cumulative", 6L));
  }

  @Test
  void countersThatOpenMetricsDoesNotAllowAreLeftOutThere() {
    Expositions exporter = exporter();
    FakeMetric metric =
        FakeMetric.counter(
            "x",
            "",
            FakePoint.of(Labels.of("a", "1"), Double.NaN),
            FakePoint.of(Labels.of("a", "2"), -1),
            FakePoint.of(Labels.of("a", "3"), -0.5),
            FakePoint.of(Labels.of("a", "4"), 0));
    assertThat(exporter.openMetrics(metric))
        .isEqualTo("# TYPE x counter\nx_total{a=\"4\"} 0\n# EOF\n");
    assertThat(exporter.problems()).isEqualTo(Map.of("prometheus_value_not_allowed", 3L));
    assertThat(exporter.text(metric))
        .isEqualTo(
            """
            # TYPE x_total counter
            x_total{a="1"} NaN
            x_total{a="2"} -1
            x_total{a="3"} -0.5
            x_total{a="4"} 0
            """);
  }

  private static FakePoint histogram(
      long count, boolean hasSum, double sum, double min, double[] bounds, long... buckets) {
    return FakePoint.of(
        Labels.EMPTY, new FakePoint.Histogram(count, hasSum, sum, min, bounds, buckets));
  }
}

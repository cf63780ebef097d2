package dev.millrace.format.prometheus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.format.translation.BoundTexts;
import dev.millrace.format.translation.ExplicitBuckets;
import dev.millrace.format.translation.ExponentialBounds;
import dev.millrace.format.translation.Fault;
import dev.millrace.model.FakeMetric;
import dev.millrace.model.FakeMetrics;
import dev.millrace.model.FakePoint;
import dev.millrace.model.Labels;
import dev.millrace.testkit.GivenBack;
import dev.millrace.testkit.Promtool;
import dev.millrace.testkit.StrictOpenMetricsParser;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Exponential histograms in the formats that have no native ones. */
class ExplicitBucketsTest {
  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(16), ChunkPool::outstandingChunks);

  private Expositions exporter(ExponentialHistograms form) {
    return new Expositions(
        chunks.pool(),
        PrometheusOptions.DEFAULT.withTargetInfo(false).withExponentialHistograms(form));
  }

  private Expositions explicit() {
    return exporter(ExponentialHistograms.EXPLICIT_BUCKETS);
  }

  private static FakeMetric metric(FakePoint.Exponential value) {
    return FakeMetric.exponential("e", "", FakePoint.of(Labels.EMPTY, value));
  }

  private static FakeMetric metric(int scale, int offset, long... buckets) {
    long count = Arrays.stream(buckets).sum();
    return metric(new FakePoint.Exponential(count, 1, scale, offset, buckets));
  }

  @Test
  void omitted() {
    Expositions exporter = exporter(ExponentialHistograms.OMITTED);
    FakeMetric metric = metric(0, 0, 1);
    assertThat(exporter.text(metric)).isEmpty();
    assertThat(exporter.openMetrics(metric)).isEqualTo("# EOF\n");
    assertThat(exporter.problems()).isEqualTo(Map.of("prometheus_exponential_histogram", 2L));
  }

  @Test
  void countAndSumUnlessSaidOtherwise() {
    Expositions exporter =
        new Expositions(chunks.pool(), PrometheusOptions.DEFAULT.withTargetInfo(false));
    FakeMetric metric = metric(0, 0, 1, 2);
    String lines = "# TYPE e histogram\ne_bucket{le=\"+Inf\"} 3\ne_sum 1\ne_count 3\n";
    assertThat(exporter.text(metric)).isEqualTo(lines);
    assertThat(exporter.openMetrics(metric)).isEqualTo(lines + "# EOF\n");
    assertThat(exporter.problems()).isEmpty();
  }

  @Test
  void allBuckets() {
    FakePoint.Exponential value =
        new FakePoint.Exponential(
            12, true, 7.5, 0, 4, 0, 1, new long[] {0, 1, 0, 3, 0}, -1, new long[] {1, 2, 0});
    assertThat(explicit().text(metric(value)))
        .isEqualTo(
            """
            # TYPE e histogram
            e_bucket{le="-2.0"} 0
            e_bucket{le="-1.0"} 2
            e_bucket{le="-0.5"} 3
            e_bucket{le="0.0"} 7
            e_bucket{le="4.0"} 7
            e_bucket{le="8.0"} 8
            e_bucket{le="16.0"} 8
            e_bucket{le="32.0"} 11
            e_bucket{le="+Inf"} 12
            e_sum 7.5
            e_count 12
            """);
    // OpenMetrics has no sum where there are negative values.
    assertThat(explicit().openMetrics(metric(value))).contains("e_bucket").doesNotContain("_sum");
  }

  @Test
  void onlyTheZeroBucketAndNothingAtAll() {
    FakePoint.Exponential zeros =
        new FakePoint.Exponential(5, true, 0, 20, 5, 0.25, 7, new long[] {0}, 0, new long[0]);
    assertThat(explicit().text(metric(zeros)))
        .isEqualTo(
            """
            # TYPE e histogram
            e_bucket{le="0.25"} 5
            e_bucket{le="+Inf"} 5
            e_sum 0
            e_count 5
            """);
    assertThat(explicit().text(metric(0, 0)))
        .isEqualTo(
            """
            # TYPE e histogram
            e_bucket{le="0.0"} 0
            e_bucket{le="+Inf"} 0
            e_sum 1
            e_count 0
            """);
  }

  @Test
  void bucketsInsideOfTheZeroBucketHaveNoBoundOfTheirOwn() {
    FakePoint.Exponential value =
        new FakePoint.Exponential(
            6, true, 1, 0, 1, 3, 0, new long[] {1, 1, 1, 1}, 0, new long[] {1});
    assertThat(explicit().text(metric(value)))
        .isEqualTo(
            """
            # TYPE e histogram
            e_bucket{le="-2.0"} 0
            e_bucket{le="-1.0"} 1
            e_bucket{le="3.0"} 3
            e_bucket{le="4.0"} 4
            e_bucket{le="8.0"} 5
            e_bucket{le="16.0"} 6
            e_bucket{le="+Inf"} 6
            e_sum 1
            e_count 6
            """);
  }

  @Test
  void exemplarsStandOnTheirBuckets() {
    FakePoint point =
        FakePoint.of(Labels.EMPTY, new FakePoint.Exponential(2, 3, 0, 0, new long[] {1, 1}))
            .withExemplars(
                new FakePoint.Exemplar(new FakePoint.Real(3), 0, 0, 0, 1, Labels.EMPTY),
                new FakePoint.Exemplar(new FakePoint.Real(-9), 0, 0, 0, 2, Labels.EMPTY));
    assertThat(explicit().openMetrics(FakeMetric.exponential("e", "", point)))
        .contains(
            "e_bucket{le=\"0.0\"} 0 # {span_id=\"0000000000000002\"} -9\n",
            "e_bucket{le=\"4.0\"} 2 # {span_id=\"0000000000000001\"} 3\n");
    assertThat(
            exporter(ExponentialHistograms.COUNT_AND_SUM)
                .openMetrics(FakeMetric.exponential("e", "", point)))
        .contains("e_bucket{le=\"+Inf\"} 2 # {span_id=\"0000000000000002\"} -9\n");
  }

  @ParameterizedTest
  @CsvSource({"-10, -2, 2", "-11, -1, 1", "-2147483648, -1, 1", "-4, -68, 65", "8, -4, 4"})
  void lowScales(int scale, int offset, int buckets) {
    long[] counts = new long[buckets - offset];
    counts[-offset] = 2;
    List<ParsedExposition.Sample> samples =
        ParsedExposition.parse(explicit().text(metric(scale, offset, counts)), false).samples();
    if (scale < -9) {
      assertThat(bounds(samples)).containsExactly("0.0", "1.0", "+Inf");
    } else {
      String upper = scale == -4 ? "65536.0" : "1.0027112750502025";
      assertThat(bounds(samples)).containsExactly("0.0", "1.0", upper, "+Inf");
    }
    assertThat(samples.get(1).value()).isEqualTo("0");
    assertThat(samples.get(2).value()).isEqualTo("2");
  }

  @ParameterizedTest
  @ValueSource(ints = {21, 40, 84, 1_000, Integer.MAX_VALUE})
  void scalesFinerThanAnyoneUses(int scale) {
    List<ParsedExposition.Sample> samples =
        ParsedExposition.parse(explicit().text(metric(scale, -1, 2, 3)), false).samples();
    assertThat(bounds(samples))
        .containsExactly("0.0", "0.9999993389635549", "1.0", "1.0000006610368821", "+Inf");
    assertThat(samples.get(2).value()).isEqualTo("2");
    assertThat(samples.get(3).value()).isEqualTo("5");
  }

  @Test
  void manyBucketsAreMerged() {
    long[] buckets = new long[100_000];
    Arrays.fill(buckets, 1);
    List<ParsedExposition.Sample> samples =
        ParsedExposition.parse(explicit().text(metric(13, -50_000, buckets)), false).samples();
    List<String> bounds = bounds(samples);
    assertThat(bounds.size()).isBetween(80, ExplicitBuckets.MAX_BUCKETS + 4);
    for (int i = 1; i < bounds.size() - 1; i++) {
      double bound = Double.parseDouble(bounds.get(i));
      // Bucket i ends at 2^((i + 1) / 8192).
      long expected = Math.round(Math.log(bound) / Math.log(2) * 8192) + 50_000;
      assertThat(samples.get(i).value())
          .as(bounds.get(i))
          .isEqualTo(Long.toString(Math.max(0, Math.min(100_000, expected))));
    }
  }

  @Test
  void wrongPointsAreLeftOutAndCounted() {
    long most = Long.MAX_VALUE;
    FakePoint.Exponential[] wrong = {
      new FakePoint.Exponential(1, 1, 0, 0, new long[] {2}),
      new FakePoint.Exponential(1, 1, 0, 1025, new long[] {1}),
      new FakePoint.Exponential(1, 1, 0, -1076, new long[] {1}),
      new FakePoint.Exponential(1, 1, 0, Integer.MAX_VALUE, new long[] {0, 1}),
      new FakePoint.Exponential(1, 1, -4, Integer.MIN_VALUE, new long[] {1}),
      new FakePoint.Exponential(0, 1, 0, 0, new long[] {most, most, 2}),
      new FakePoint.Exponential(1, true, 1, 0, 1, -1, 0, new long[0], 0, new long[0]),
      new FakePoint.Exponential(1, true, 1, 0, 1, Double.NaN, 0, new long[0], 0, new long[0]),
    };
    Expositions exporter = explicit();
    for (FakePoint.Exponential each : wrong) {
      assertThat(exporter.text(metric(each))).as(each.toString()).isEmpty();
    }
    assertThat(exporter.problems()).isEqualTo(Map.of(Fault.HISTOGRAM.kind(), (long) wrong.length));
  }

  @Test
  void countsAreUnsigned() {
    FakePoint.Exponential value =
        new FakePoint.Exponential(-1, 1, 0, 0, new long[] {Long.MIN_VALUE, 1});
    assertThat(explicit().text(metric(value)))
        .contains(
            "e_bucket{le=\"2.0\"} 9223372036854775808\n",
            "e_bucket{le=\"4.0\"} 9223372036854775809\n",
            "e_bucket{le=\"+Inf\"} 18446744073709551615\n",
            "e_count 18446744073709551615\n");
  }

  @Test
  void aBoundHasOneTextAtAnyScale() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 10_000; i++) {
      int scale = random.nextInt(-4, 20);
      long index = random.nextInt(-500, 500);
      double bound = ExponentialBounds.lowerBound(scale, index);
      assertThat(ExponentialBounds.lowerBound(scale + 1, 2 * index)).isEqualTo(bound);
      double plain = StrictMath.pow(2, index * StrictMath.pow(2, -scale));
      if (Double.isInfinite(plain)) {
        assertThat(bound).isEqualTo(plain);
      } else {
        assertThat(Math.abs(bound - plain)).isLessThanOrEqualTo(3 * Math.ulp(plain));
      }
    }
  }

  /** Cumulative counts against the very values that were recorded, and against real parsers. */
  @Test
  void cumulativeCountsAreThoseOfTheValues() throws Exception {
    Expositions exporter = explicit();
    List<byte[]> expositions = new ArrayList<>();
    for (long seed = 0; seed < 300; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      int scale = random.nextInt(-6, 12);
      // A bound of buckets at these scales, so that no bucket lies across it.
      double threshold = scale >= -1 && random.nextBoolean() ? 0.015625 : 0;
      double[] values = new double[random.nextInt(60)];
      for (int i = 0; i < values.length; i++) {
        double exponent = random.nextInt(-60, 61) / 8.0 + 1e-7;
        double sign = random.nextInt(4) == 0 ? -1 : 1;
        values[i] = random.nextInt(10) == 0 ? 0 : sign * Math.pow(2, exponent);
      }
      RecordedValues recorded = new RecordedValues(scale, threshold, values);
      FakeMetrics source = new FakeMetrics(metric(recorded.point()));
      double last = Double.NEGATIVE_INFINITY;
      List<ParsedExposition.Sample> samples =
          ParsedExposition.parse(exporter.text(source), false).samples();
      for (ParsedExposition.Sample sample : samples) {
        String le = sample.labels().get("le");
        if (le != null) {
          double bound = le.equals("+Inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(le);
          assertThat(bound).as("seed %d", seed).isGreaterThan(last);
          last = bound;
          assertThat(sample.value())
              .as("seed %d, le %s", seed, le)
              .isEqualTo(Long.toString(recorded.atOrBelow(bound)));
        }
      }
      assertThat(last).isEqualTo(Double.POSITIVE_INFINITY);
      expositions.add(exporter.openMetrics(source).getBytes(StandardCharsets.UTF_8));
    }
    StrictOpenMetricsParser.require().check(expositions);
    byte[] text =
        exporter
            .text(metric(RecordedValues.of(3, 0.1, 0.2, 0.35, 7).point()))
            .getBytes(StandardCharsets.UTF_8);
    assertThat(Promtool.require().checkMetrics(text)).noneMatch(line -> line.contains("error"));
  }

  @Test
  void textsOfBoundsAreBounded() {
    BoundTexts texts = new BoundTexts();
    for (int i = 0; i < 3 * BoundTexts.MAX_TEXTS; i++) {
      assertThat(new String(texts.label(i), StandardCharsets.US_ASCII)).startsWith("le=\"");
      assertThat(texts.size()).isLessThanOrEqualTo(BoundTexts.MAX_TEXTS);
    }
    assertThat(texts.label(0.5)).asString().isEqualTo("le=\"0.5\"} ");
    assertThat(texts.label(0.5)).isSameAs(texts.label(0.5));
  }

  private static List<String> bounds(List<ParsedExposition.Sample> samples) {
    List<String> bounds = new ArrayList<>();
    for (ParsedExposition.Sample sample : samples) {
      String le = sample.labels().get("le");
      if (le != null) {
        bounds.add(le);
      }
    }
    return bounds;
  }
}

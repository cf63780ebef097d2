package dev.millrace.format.prometheus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.ChunkSink;
import dev.millrace.bytes.ChunkWriter;
import dev.millrace.format.MetricEncoder;
import dev.millrace.model.EncodedLabelsBudget;
import dev.millrace.model.FakeMetric;
import dev.millrace.model.FakeMetrics;
import dev.millrace.model.FakePoint;
import dev.millrace.model.Labels;
import dev.millrace.model.MetricCursor;
import dev.millrace.model.Problems;
import dev.millrace.model.Resource;
import dev.millrace.model.Scope;
import dev.millrace.testkit.AllocationMeter;
import dev.millrace.testkit.GivenBack;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** An exposition in steady state allocates nothing, whatever the number of series. */
class AllocationTest {
  private static final int SERIES_A_FAMILY = 1_000;

  /** What the JVM itself may allocate on the thread's behalf, such as for a deoptimization. */
  private static final long NEXT_TO_NOTHING_BYTES = 256;

  private static final ChunkSink DISCARD = (chunk, pool) -> pool.giveBack(chunk);

  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(16), ChunkPool::outstandingChunks);

  @Test
  void textOfTenThousandSeries() throws Exception {
    assertThat(
            bytesPerExposition(
                formats().encoder(PrometheusFormat.TEXT_0_0_4, EscapingScheme.UNDERSCORES),
                new FakeMetrics(metrics(10))))
        .isLessThanOrEqualTo(NEXT_TO_NOTHING_BYTES);
  }

  @Test
  void openMetricsOfTenThousandSeries() throws Exception {
    assertThat(
            bytesPerExposition(
                formats().encoder(PrometheusFormat.OPEN_METRICS_1_0_0, EscapingScheme.UNDERSCORES),
                new FakeMetrics(metrics(10))))
        .isLessThanOrEqualTo(NEXT_TO_NOTHING_BYTES);
  }

  /** Each strategy with each scheme, and attributes of resources among the labels. */
  static Stream<Arguments> namings() {
    return Stream.of(TranslationStrategy.values())
        .flatMap(
            strategy ->
                Stream.of(EscapingScheme.values()).map(scheme -> Arguments.of(strategy, scheme)));
  }

  @ParameterizedTest
  @MethodSource("namings")
  void allStrategiesAndSchemes(TranslationStrategy strategy, EscapingScheme escaping)
      throws Exception {
    PrometheusFormats formats =
        new PrometheusFormats(
            PrometheusOptions.DEFAULT
                .withTargetLabels(true)
                .withTranslationStrategy(strategy)
                .withPromotedResourceAttributes(key -> key.startsWith("host.")),
            new Problems(() -> 0L, line -> {}));
    FakeMetrics source = new FakeMetrics(metrics(5));
    FakeMetrics uncached = new FakeMetrics(metrics(5));
    uncached.setBudget(new EncodedLabelsBudget(0));
    for (PrometheusFormat format :
        List.of(PrometheusFormat.TEXT_1_0_0, PrometheusFormat.OPEN_METRICS_1_0_0)) {
      assertThat(bytesPerExposition(formats.encoder(format, escaping), source))
          .as("%s, cached", format)
          .isLessThanOrEqualTo(NEXT_TO_NOTHING_BYTES);
      assertThat(bytesPerExposition(formats.encoder(format, escaping), uncached))
          .as("%s, not cached", format)
          .isLessThanOrEqualTo(NEXT_TO_NOTHING_BYTES);
    }
  }

  @Test
  void openMetricsOfTenThousandSeriesWithExemplars() throws Exception {
    SplittableRandom random = new SplittableRandom(2);
    List<FakeMetric> metrics = new ArrayList<>();
    for (FakeMetric metric : metrics(10)) {
      FakePoint[] points = metric.points().toArray(new FakePoint[0]);
      for (int i = 0; i < points.length; i++) {
        points[i] = points[i].withExemplars(exemplars(random));
      }
      metrics.add(metric.with(points));
    }
    assertThat(
            bytesPerExposition(
                formats().encoder(PrometheusFormat.OPEN_METRICS_1_0_0, EscapingScheme.UNDERSCORES),
                new FakeMetrics(metrics)))
        .isLessThanOrEqualTo(NEXT_TO_NOTHING_BYTES);
  }

  private static FakePoint.Exemplar[] exemplars(SplittableRandom random) {
    FakePoint.Exemplar[] exemplars = new FakePoint.Exemplar[random.nextInt(12)];
    for (int i = 0; i < exemplars.length; i++) {
      exemplars[i] =
          new FakePoint.Exemplar(
              new FakePoint.Real(random.nextDouble() * 12),
              random.nextLong(1L << 62),
              random.nextLong(),
              random.nextLong(),
              random.nextLong(),
              // Some fit and some do not.
              new Labels.Builder()
                  .put("user.id", random.nextInt(1_000_000))
                  .put("query", "q".repeat(random.nextInt(100)))
                  .build());
    }
    return exemplars;
  }

  @Test
  void protobufOfTwelveThousandSeries() throws Exception {
    MetricEncoder encoder =
        formats().encoder(PrometheusFormat.PROTOBUF, EscapingScheme.UNDERSCORES);
    List<FakeMetric> metrics = metrics(10);
    metrics.add(exponential("native", "fine", 20));
    metrics.add(exponential("native", "coarse", 2));
    assertThat(bytesPerExposition(encoder, new FakeMetrics(metrics)))
        .isLessThanOrEqualTo(NEXT_TO_NOTHING_BYTES);
  }

  @Test
  void aFamilyInProtobufThatIsTooLargeForTheBuffer() throws Exception {
    FakePoint[] points = new FakePoint[10_000];
    for (int i = 0; i < points.length; i++) {
      points[i] = FakePoint.of(Labels.of("route", "/orders/" + i, "x", "y".repeat(60)), i);
    }
    FakeMetrics source = new FakeMetrics(FakeMetric.counter("requests", "", points));
    for (boolean stable : new boolean[] {true, false}) {
      source.setStable(stable);
      MetricEncoder encoder =
          formats().encoder(PrometheusFormat.PROTOBUF, EscapingScheme.UNDERSCORES);
      assertThat(bytesPerExposition(encoder, source)).isLessThanOrEqualTo(NEXT_TO_NOTHING_BYTES);
    }
  }

  @Test
  void exponentialHistogramsAsText() throws Exception {
    for (ExponentialHistograms form :
        List.of(ExponentialHistograms.COUNT_AND_SUM, ExponentialHistograms.EXPLICIT_BUCKETS)) {
      PrometheusFormats formats =
          new PrometheusFormats(
              PrometheusOptions.DEFAULT.withExponentialHistograms(form), new Problems());
      FakeMetrics source =
          new FakeMetrics(exponential("fine", "", 20), exponential("coarse", "", 2));
      assertThat(
              bytesPerExposition(
                  formats.encoder(PrometheusFormat.TEXT_0_0_4, EscapingScheme.UNDERSCORES), source))
          .isLessThanOrEqualTo(NEXT_TO_NOTHING_BYTES);
      assertThat(
              bytesPerExposition(
                  formats.encoder(PrometheusFormat.OPEN_METRICS_1_0_0, EscapingScheme.UNDERSCORES),
                  source))
          .isLessThanOrEqualTo(NEXT_TO_NOTHING_BYTES);
    }
  }

  private static FakeMetric exponential(String name, String suffix, int scale) {
    SplittableRandom random = new SplittableRandom(scale);
    FakePoint[] points = new FakePoint[SERIES_A_FAMILY];
    for (int i = 0; i < points.length; i++) {
      long[] buckets = random.longs(160, 0, 3).toArray();
      long[] negative = random.longs(10, 0, 3).toArray();
      long count = 5 + Arrays.stream(buckets).sum() + Arrays.stream(negative).sum();
      FakePoint.Value value =
          new FakePoint.Exponential(
              count, true, random.nextDouble(), scale, 5, 0, -80 + i % 10, buckets, -5, negative);
      points[i] = FakePoint.of(Labels.of("route", "/orders/" + i), value).startedAt(1L + i);
    }
    return FakeMetric.exponential(name + suffix, "s", points);
  }

  @Test
  void seriesPastTheBudget() throws Exception {
    FakeMetrics source = new FakeMetrics(metrics(10));
    source.setBudget(new EncodedLabelsBudget(100_000));
    assertThat(
            bytesPerExposition(
                formats().encoder(PrometheusFormat.TEXT_0_0_4, EscapingScheme.UNDERSCORES), source))
        .isLessThanOrEqualTo(NEXT_TO_NOTHING_BYTES);
  }

  @Test
  void seriesThatAreComparedAndMetricsThatAreLeftOut() throws Exception {
    List<FakeMetric> once = metrics(5);
    List<FakeMetric> metrics = new ArrayList<>(once);
    // Twice in one family; and a second type of the first name.
    metrics.addAll(once);
    metrics.add(FakeMetric.summary("requests0_total", "").of(once.get(0).resource()));
    assertThat(
            bytesPerExposition(
                formats().encoder(PrometheusFormat.TEXT_0_0_4, EscapingScheme.UNDERSCORES),
                new FakeMetrics(metrics)))
        .isLessThanOrEqualTo(NEXT_TO_NOTHING_BYTES);
  }

  private static PrometheusFormats formats() {
    return new PrometheusFormats(
        PrometheusOptions.DEFAULT.withTargetLabels(true).withCreatedTimestamps(true),
        // The log is quiet after the first line of each kind.
        new Problems(() -> 0L, line -> {}));
  }

  private long bytesPerExposition(MetricEncoder encoder, FakeMetrics source) throws Exception {
    try (MetricCursor cursor = source.open();
        ChunkWriter out = new ChunkWriter(chunks.pool(), DISCARD)) {
      return AllocationMeter.bytesPerOperation(
          30,
          5,
          () -> {
            encoder.encode(cursor, out);
            out.flush();
          });
    }
  }

  private static List<FakeMetric> metrics(int families) {
    SplittableRandom random = new SplittableRandom(1);
    Resource resource = new Resource(Labels.of("service.name", "shop", "host.name", "a"), "");
    Scope scope = new Scope("dev.millrace.test", "1.0", "", Labels.EMPTY);
    double[] bounds = {0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10};
    List<FakeMetric> metrics = new ArrayList<>();
    for (int family = 0; family < families; family++) {
      FakePoint[] points = new FakePoint[SERIES_A_FAMILY];
      for (int i = 0; i < points.length; i++) {
        Labels labels =
            new Labels.Builder()
                .put("http.request.method", i % 2 == 0 ? "GET" : "POST")
                .put("http.route", "/orders/" + i / 2)
                .put("http.response.status_code", 200L)
                .build();
        FakePoint.Value value =
            switch (family % 5) {
              case 0 -> new FakePoint.Whole(random.nextInt(1_000_000));
              case 1 -> new FakePoint.Real(random.nextDouble() * 1e6);
              case 2 ->
                  FakePoint.histogram(labels, random.nextDouble(), bounds, counts(random)).value();
              case 3 ->
                  new FakePoint.Summary(
                      9, random.nextDouble(), new double[] {0.5, 0.99}, new double[] {1, 2});
              default -> new FakePoint.Real(i);
            };
        points[i] = FakePoint.of(labels, value).startedAt(1_700_000_000_000_000_000L + i);
      }
      FakeMetric metric =
          switch (family % 5) {
            case 2 -> FakeMetric.histogram("my.duration" + family, "s", points);
            case 3 -> FakeMetric.summary("size" + family, "By", points);
            case 4 -> FakeMetric.gauge("my.load" + family, "1", points);
            default -> FakeMetric.counter("requests" + family, "{request}", points);
          };
      metrics.add(metric.describedAs("Help.").of(resource).of(scope));
    }
    return metrics;
  }

  private static long[] counts(SplittableRandom random) {
    long[] counts = new long[12];
    for (int i = 0; i < counts.length; i++) {
      counts[i] = random.nextInt(100);
    }
    return counts;
  }
}

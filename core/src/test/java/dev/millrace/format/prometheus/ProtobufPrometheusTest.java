package dev.millrace.format.prometheus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.model.FakeMetric;
import dev.millrace.model.FakeMetrics;
import dev.millrace.model.FakePoint;
import dev.millrace.model.Labels;
import dev.millrace.testkit.Eventually;
import dev.millrace.testkit.FixedReply;
import dev.millrace.testkit.GivenBack;
import dev.millrace.testkit.PrometheusServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A real Prometheus with native histograms scrapes what the protobuf encoder writes. */
class ProtobufPrometheusTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** So many series that the family is written in a second walk, or in parts. */
  private static final int MANY = 8_000;

  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(16), ChunkPool::outstandingChunks);

  @TempDir private Path directory;

  @Test
  void whatWasRecordedIsWhatQueriesReturn() throws Exception {
    double[] values = DoubleStream.iterate(0.001, value -> value * 1.01).limit(1_000).toArray();
    FakeMetrics source =
        new FakeMetrics(
            exponential("native.fine", values, 12),
            exponential("native.coarse", values, 3),
            FakeMetric.exponential(
                "native.signed",
                "",
                FakePoint.of(
                    Labels.of("zone", "a"),
                    new FakePoint.Exponential(
                        10,
                        true,
                        -7.5,
                        0,
                        2,
                        0.25,
                        0,
                        new long[] {1, 0, 0, 0, 2},
                        1,
                        new long[] {5}))),
            FakeMetric.exponential(
                "native.empty",
                "",
                FakePoint.of(Labels.EMPTY, new FakePoint.Exponential(0, 0, 2, 0, new long[0]))),
            FakeMetric.histogram(
                "classic",
                "s",
                FakePoint.histogram(Labels.of("a", "b"), 12.5, new double[] {0.5, 1}, 1, 2, 3)),
            FakeMetric.counter(
                "requests", "{request}", FakePoint.of(Labels.of("a", "é\"\\\n"), 42)),
            FakeMetric.gauge("load", "1", FakePoint.of(Labels.EMPTY, -1.5)),
            FakeMetric.summary(
                "size",
                "By",
                FakePoint.of(
                    Labels.EMPTY,
                    new FakePoint.Summary(
                        9, 90.5, new double[] {0.5, 0.99}, new double[] {8, 31}))),
            many("many"));
    try (FixedReply application = serve(source);
        PrometheusServer prometheus = scraping(application)) {
      double sum = Arrays.stream(values).sum();
      for (String name : List.of("native_fine_seconds", "native_coarse_seconds")) {
        awaitValue(prometheus, "histogram_count(" + name + ")", values.length);
        assertThat(value(prometheus, "histogram_sum(" + name + ")")).isEqualTo(sum);
        // As wide as the buckets are: 2^(1/8) at schema 3, and no more at a higher one.
        assertThat(value(prometheus, "histogram_quantile(0.5, " + name + ")"))
            .isBetween(values[499] / 1.0906, values[499] * 1.0906);
        assertThat(value(prometheus, "histogram_fraction(0, 1, " + name + ")"))
            .isCloseTo(Arrays.stream(values).filter(v -> v <= 1).count() / 1_000.0, within(0.001));
      }
      assertThat(value(prometheus, "histogram_count(native_signed)")).isEqualTo(10);
      assertThat(value(prometheus, "histogram_sum(native_signed)")).isEqualTo(-7.5);
      // Five of ten lie from -4 to -2, two around 0, one above 1 and two above 16.
      assertThat(value(prometheus, "histogram_fraction(-4, -2, native_signed)")).isEqualTo(0.5);
      assertThat(value(prometheus, "histogram_fraction(-0.25, 0.25, native_signed)"))
          .isEqualTo(0.2);
      assertThat(value(prometheus, "histogram_fraction(1, 2, native_signed)")).isEqualTo(0.1);
      assertThat(value(prometheus, "histogram_fraction(16, 32, native_signed)")).isEqualTo(0.2);
      assertThat(value(prometheus, "histogram_count(native_empty)")).isZero();

      assertThat(value(prometheus, "classic_seconds_bucket{a=\"b\",le=\"0.5\"}")).isEqualTo(1);
      assertThat(value(prometheus, "classic_seconds_bucket{a=\"b\",le=\"1.0\"}")).isEqualTo(3);
      assertThat(value(prometheus, "classic_seconds_bucket{a=\"b\",le=\"+Inf\"}")).isEqualTo(6);
      assertThat(value(prometheus, "classic_seconds_sum")).isEqualTo(12.5);
      assertThat(value(prometheus, "classic_seconds_count")).isEqualTo(6);
      assertThat(value(prometheus, "requests_total{a=\"é\\\"\\\\\\n\"}")).isEqualTo(42);
      assertThat(value(prometheus, "load")).isEqualTo(-1.5);
      assertThat(value(prometheus, "size_bytes{quantile=\"0.99\"}")).isEqualTo(31);
      assertThat(value(prometheus, "size_bytes_sum")).isEqualTo(90.5);
      assertThat(value(prometheus, "size_bytes_count")).isEqualTo(9);
      assertThat(value(prometheus, "count(many)")).isEqualTo(MANY);
      assertThat(value(prometheus, "sum(many)")).isEqualTo(MANY * (MANY - 1) / 2.0);
      assertThat(application.accepted())
          .isNotEmpty()
          .allMatch(
              accept ->
                  accept.startsWith(
                      "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily"
                          + ";encoding=delimited"));
    }
  }

  @Test
  void exemplarsArrive() throws Exception {
    Instant now = Instant.now();
    FakePoint counter =
        FakePoint.of(Labels.of("a", "b"), 42)
            .withExemplars(exemplar(1, now, 0xabL), exemplar(7, now.plusMillis(1), 0xcdL));
    FakePoint histogram =
        FakePoint.histogram(Labels.of("a", "b"), 9, new double[] {0.5, 1}, 1, 2, 3)
            .withExemplars(exemplar(0.75, now, 0x12L), exemplar(30, now.plusMillis(1), 0x34L));
    FakeMetrics source =
        new FakeMetrics(
            FakeMetric.counter("requests", "", counter),
            FakeMetric.histogram("classic", "s", histogram));
    try (FixedReply application = serve(source);
        PrometheusServer prometheus = scraping(application)) {
      awaitExemplar(prometheus, "requests_total", "cd", 7);
      awaitExemplar(prometheus, "classic_seconds_bucket{le=\"1.0\"}", "12", 0.75);
      awaitExemplar(prometheus, "classic_seconds_bucket{le=\"+Inf\"}", "34", 30);
      assertThat(prometheus.exemplars("requests_total")).as("without the older one").hasSize(1);
    }
  }

  private static FakePoint.Exemplar exemplar(double value, Instant time, long span) {
    long unixNanos = TimeUnit.MILLISECONDS.toNanos(time.toEpochMilli());
    return new FakePoint.Exemplar(
        new FakePoint.Real(value), unixNanos, 1, 2, span, Labels.of("user", "u"));
  }

  private static void awaitExemplar(
      PrometheusServer prometheus, String series, String span, double value) {
    List<PrometheusServer.Exemplar> exemplars =
        Eventually.get(
            series + " has an exemplar",
            LIMIT,
            () -> {
              List<PrometheusServer.Exemplar> found = prometheus.exemplars(series);
              return found.isEmpty() ? null : found;
            });
    assertThat(exemplars.get(0).labels())
        .contains(
            "\"span_id\":\"00000000000000" + span + "\"",
            "\"trace_id\":\"00000000000000010000000000000002\"",
            "\"user\":\"u\"");
    assertThat(exemplars.get(0).value()).isEqualTo(value);
  }

  @Test
  void aFamilyInPartsIsReadAsOne() throws Exception {
    FakeMetrics source = new FakeMetrics(many("many"));
    source.setStable(false);
    try (FixedReply application = serve(source);
        PrometheusServer prometheus = scraping(application)) {
      awaitValue(prometheus, "count(many)", MANY);
      assertThat(value(prometheus, "sum(many)")).isEqualTo(MANY * (MANY - 1) / 2.0);
    }
  }

  private FixedReply serve(FakeMetrics source) throws IOException {
    Expositions exporter =
        new Expositions(chunks.pool(), PrometheusOptions.DEFAULT.withTargetInfo(false));
    String contentType = PrometheusFormat.PROTOBUF.contentType(EscapingScheme.UNDERSCORES);
    return FixedReply.start(contentType, exporter.protobuf(source));
  }

  private PrometheusServer scraping(FixedReply application) throws IOException {
    return PrometheusServer.scraping(
        directory, application.address(), "--enable-feature=native-histograms,exemplar-storage");
  }

  private static void awaitValue(PrometheusServer prometheus, String promql, double expected) {
    Eventually.get(
        promql + " is " + expected,
        LIMIT,
        () -> prometheus.query(promql).stream().anyMatch(s -> s.value() == expected) ? true : null);
  }

  private static double value(PrometheusServer prometheus, String promql) throws Exception {
    List<PrometheusServer.Sample> samples = prometheus.query(promql);
    assertThat(samples).as(promql).hasSize(1);
    return samples.get(0).value();
  }

  private static FakeMetric exponential(String name, double[] values, int scale) {
    return FakeMetric.exponential(
        name, "s", FakePoint.of(Labels.EMPTY, RecordedValues.of(scale, values).point()));
  }

  private static FakeMetric many(String name) {
    FakePoint[] points = new FakePoint[MANY];
    for (int i = 0; i < points.length; i++) {
      points[i] = FakePoint.of(Labels.of("route", "/orders/" + i, "host", "h".repeat(60)), i);
    }
    return FakeMetric.gauge(name, "1", points);
  }
}

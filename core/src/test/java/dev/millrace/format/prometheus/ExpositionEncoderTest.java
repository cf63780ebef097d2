package dev.millrace.format.prometheus;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import dev.millrace.model.Resource;
import dev.millrace.model.Scope;
import dev.millrace.testkit.GivenBack;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What an encoder keeps between expositions, and what it must not keep. */
class ExpositionEncoderTest {
  private static final PrometheusOptions PLAIN = PrometheusOptions.DEFAULT.withTargetInfo(false);
  private static final PrometheusOptions AGENT = PLAIN.withTargetLabels(true);

  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(16), ChunkPool::outstandingChunks);

  private Expositions exporter(PrometheusOptions options) {
    return new Expositions(chunks.pool(), options);
  }

  @Test
  void contentTypesAreThoseOfTheFormats() {
    PrometheusFormats formats = exporter(PLAIN).formats();
    assertThat(
            formats.encoder(PrometheusFormat.TEXT_0_0_4, EscapingScheme.UNDERSCORES).contentType())
        .isEqualTo("text/plain; version=0.0.4; charset=utf-8; escaping=underscores");
    assertThat(
            formats
                .encoder(PrometheusFormat.OPEN_METRICS_1_0_0, EscapingScheme.UNDERSCORES)
                .contentType())
        .isEqualTo(
            "application/openmetrics-text; version=1.0.0; charset=utf-8; escaping=underscores");
  }

  @Test
  void noMetricsAreAnEmptyExposition() {
    assertThat(exporter(PLAIN).text()).isEmpty();
    assertThat(exporter(PLAIN).openMetrics()).isEqualTo("# EOF\n");
    assertThat(exporter(PLAIN).text(FakeMetric.gauge("x", ""))).isEmpty();
  }

  @Test
  void theListOfMetricsMayChange() {
    FakeMetrics source = new FakeMetrics(FakeMetric.gauge("x", "", FakePoint.of(Labels.EMPTY, 1)));
    Expositions exporter = exporter(PLAIN);
    assertThat(exporter.text(source)).isEqualTo("# TYPE x gauge\nx 1\n");
    source.set(
        List.of(
            FakeMetric.counter("b", "", FakePoint.of(Labels.EMPTY, 2)),
            FakeMetric.gauge("a", "", FakePoint.of(Labels.EMPTY, 3))));
    assertThat(exporter.text(source))
        .isEqualTo("# TYPE a gauge\na 3\n# TYPE b_total counter\nb_total 2\n");
  }

  @Test
  void seriesMayComeAndGo() {
    FakePoint one = FakePoint.of(Labels.of("a", "1"), 1);
    FakePoint two = FakePoint.of(Labels.of("a", "2"), 2);
    FakeMetrics source = new FakeMetrics(FakeMetric.gauge("x", "", one));
    Expositions exporter = exporter(PLAIN);
    assertThat(exporter.text(source)).isEqualTo("# TYPE x gauge\nx{a=\"1\"} 1\n");
    source.setPoints(0, two, one);
    assertThat(exporter.text(source)).isEqualTo("# TYPE x gauge\nx{a=\"2\"} 2\nx{a=\"1\"} 1\n");
    source.setPoints(0);
    assertThat(exporter.text(source)).isEmpty();
  }

  @Test
  void twoSourcesOfOneVersionAreNotMixedUp() {
    FakeMetrics one = new FakeMetrics(FakeMetric.gauge("x", "", FakePoint.of(Labels.EMPTY, 1)));
    FakeMetrics two = new FakeMetrics(FakeMetric.gauge("y", "", FakePoint.of(Labels.EMPTY, 2)));
    Expositions exporter = exporter(PLAIN);
    for (int scrape = 0; scrape < 2; scrape++) {
      assertThat(exporter.text(one)).isEqualTo("# TYPE x gauge\nx 1\n");
      assertThat(exporter.text(two)).isEqualTo("# TYPE y gauge\ny 2\n");
    }
  }

  @Test
  void labelsAreKeptOnceForBothFormats() {
    EncodedLabelsBudget budget = new EncodedLabelsBudget(1_000_000);
    FakeMetrics source =
        new FakeMetrics(FakeMetric.gauge("x", "", FakePoint.of(Labels.of("a", "1"), 1)));
    source.setBudget(budget);
    Expositions exporter = exporter(PLAIN);
    String text = exporter.text(source);
    long used = budget.usedBytes();
    assertThat(used).isPositive();
    assertThat(exporter.openMetrics(source)).isEqualTo(text + "# EOF\n");
    assertThat(budget.usedBytes()).isEqualTo(used);
  }

  @Test
  void pastTheBudgetLabelsAreEncodedEachTime() {
    EncodedLabelsBudget budget = new EncodedLabelsBudget(0);
    FakeMetrics source =
        new FakeMetrics(
            FakeMetric.gauge(
                "x",
                "",
                FakePoint.of(Labels.of("a.b", "1"), 1),
                FakePoint.of(Labels.of("a.b", "2"), 2),
                FakePoint.of(Labels.of("a_b", "2"), 3)));
    source.setBudget(budget);
    Expositions exporter = exporter(PLAIN);
    for (int scrape = 0; scrape < 2; scrape++) {
      assertThat(exporter.text(source))
          .isEqualTo("# TYPE x gauge\nx{a_b=\"1\"} 1\nx{a_b=\"2\"} 2\n");
    }
    assertThat(budget.usedBytes()).isZero();
  }

  @Test
  void formatsWithOtherOptionsDoNotShareLabels() {
    FakeMetrics source =
        new FakeMetrics(
            FakeMetric.gauge("x", "", FakePoint.of(Labels.EMPTY, 1))
                .of(new Scope("lib", "", "", Labels.EMPTY)));
    assertThat(exporter(PLAIN).text(source)).contains("x{otel_scope_name=\"lib\"} 1");
    assertThat(exporter(PLAIN.withScopeLabels(false)).text(source)).contains("x 1");
    assertThat(exporter(AGENT).text(source)).contains("x{instance=\"\",otel_scope_name=\"lib\"} 1");
  }

  @Test
  void keptLabelsHoldWhileTheTargetIsTheSameAndNoLonger() {
    FakePoint point = FakePoint.of(Labels.of("a", "1"), 1);
    FakeMetric metric = FakeMetric.gauge("x", "", point);
    FakeMetrics source = new FakeMetrics(metric.of(resource("shop", "a")));
    EncodedLabelsBudget budget = new EncodedLabelsBudget(1_000_000);
    source.setBudget(budget);
    Expositions exporter = exporter(AGENT);
    String first = "# TYPE x gauge\nx{a=\"1\",instance=\"\",job=\"shop\"} 1\n";
    assertThat(exporter.text(source)).isEqualTo(first);
    long used = budget.usedBytes();
    source.set(List.of(metric.of(resource("shop", "b"))));
    assertThat(exporter.text(source)).isEqualTo(first);
    source.set(List.of(metric.of(resource("cart", "b"))));
    assertThat(exporter.text(source))
        .isEqualTo("# TYPE x gauge\nx{a=\"1\",instance=\"\",job=\"cart\"} 1\n");
    assertThat(exporter.text(source)).contains("job=\"cart\"");
    assertThat(budget.usedBytes()).isEqualTo(used);
  }

  private static Resource resource(String service, String host) {
    return new Resource(Labels.of("service.name", service, "host.name", host), "");
  }

  @Test
  void aLineMayBeLongerThanAChunk() {
    String value = "v".repeat(200_000);
    FakeMetric[] metrics = {
      FakeMetric.gauge("x", "", FakePoint.of(Labels.of("a", value), 1)),
      FakeMetric.histogram(
          "h", "", FakePoint.histogram(Labels.of("a", value), 1, new double[] {1}, 1, 0))
    };
    String text = exporter(PLAIN).text(metrics);
    ParsedExposition parsed = ParsedExposition.parse(text, false);
    assertThat(parsed.samples()).hasSize(5);
    assertThat(parsed.samples()).allMatch(sample -> sample.labels().containsValue(value));
  }

  @Test
  void anEncoderWorksAfterItsPeerWasGone() {
    FakePoint[] points = new FakePoint[20_000];
    for (int i = 0; i < points.length; i++) {
      points[i] = FakePoint.of(Labels.of("a", "value " + i), i);
    }
    FakeMetrics source = new FakeMetrics(FakeMetric.gauge("x", "", points));
    MetricEncoder encoder =
        exporter(PLAIN).formats().encoder(PrometheusFormat.TEXT_0_0_4, EscapingScheme.UNDERSCORES);
    ChunkSink gone =
        (chunk, pool) -> {
          pool.giveBack(chunk);
          throw new UncheckedIOException(new IOException("peer is gone"));
        };
    assertThatThrownBy(
            () -> {
              try (MetricCursor cursor = source.open();
                  ChunkWriter out = new ChunkWriter(chunks.pool(), gone)) {
                encoder.encode(cursor, out);
              }
            })
        .isInstanceOf(UncheckedIOException.class);
    Expositions fresh = exporter(PLAIN);
    assertThat(new String(fresh.encode(encoder, source), UTF_8)).isEqualTo(fresh.text(source));
    assertThat(source.openCursors()).isZero();
  }

  @Test
  void eightEncodersOfOneExporterGiveTheSameAtOnce() throws Exception {
    FakePoint[] points = new FakePoint[2_000];
    for (int i = 0; i < points.length; i++) {
      points[i] = FakePoint.of(Labels.of(i % 2 == 0 ? "k.a" : "k_a", "value " + i / 2), i);
    }
    FakeMetrics source = new FakeMetrics(FakeMetric.gauge("x", "", points));
    Expositions exporter = exporter(PLAIN);
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      List<Callable<String>> scrapes = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        MetricEncoder encoder =
            i % 2 == 0
                ? exporter
                    .formats()
                    .encoder(PrometheusFormat.TEXT_0_0_4, EscapingScheme.UNDERSCORES)
                : exporter
                    .formats()
                    .encoder(PrometheusFormat.OPEN_METRICS_1_0_0, EscapingScheme.UNDERSCORES);
        scrapes.add(
            () -> new String(exporter.encode(encoder, source), UTF_8).replace("# EOF\n", ""));
      }
      StringBuilder expected = new StringBuilder("# TYPE x gauge\n");
      for (int i = 0; i < points.length; i += 2) {
        expected.append("x{k_a=\"value ").append(i / 2).append("\"} ").append(i).append('\n');
      }
      for (Future<String> scrape : threads.invokeAll(scrapes)) {
        assertThat(scrape.get()).isEqualTo(expected.toString());
      }
    } finally {
      threads.shutdownNow();
    }
  }
}

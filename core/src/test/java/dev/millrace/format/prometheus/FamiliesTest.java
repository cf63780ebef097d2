package dev.millrace.format.prometheus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.model.FakeMetric;
import dev.millrace.model.FakeMetrics;
import dev.millrace.model.FakePoint;
import dev.millrace.model.LabelType;
import dev.millrace.model.Labels;
import dev.millrace.model.Resource;
import dev.millrace.model.TypeHint;
import dev.millrace.testkit.GivenBack;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Which metrics can stand beside which, and what becomes of series that turn out equal. */
class FamiliesTest {
  private static final PrometheusOptions PLAIN = PrometheusOptions.DEFAULT.withTargetInfo(false);

  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(16), ChunkPool::outstandingChunks);

  private Expositions exporter(PrometheusOptions options) {
    return new Expositions(chunks.pool(), options);
  }

  private static FakeMetric gauge(String name) {
    return FakeMetric.gauge(name, "", FakePoint.of(Labels.EMPTY, 1));
  }

  private static FakeMetric counter(String name) {
    return FakeMetric.counter(name, "", FakePoint.of(Labels.EMPTY, 1));
  }

  private static FakeMetric histogram(String name) {
    return FakeMetric.histogram(name, "", FakePoint.histogram(Labels.EMPTY, 1, new double[0], 1));
  }

  private static FakeMetric summary(String name) {
    return FakeMetric.summary(
        name,
        "",
        FakePoint.of(Labels.EMPTY, new FakePoint.Summary(1, 1, new double[0], new double[0])));
  }

  /** The samples' names of two metrics in one exposition. */
  private List<String> names(boolean openMetrics, FakeMetric first, FakeMetric second) {
    Expositions exporter = exporter(PLAIN);
    String exposition =
        openMetrics ? exporter.openMetrics(first, second) : exporter.text(first, second);
    return ParsedExposition.parse(exposition, openMetrics).samples().stream()
        .map(ParsedExposition.Sample::name)
        .toList();
  }

  @Test
  void aCounterAndAGaugeOfItsSamplesNameClash() {
    assertThat(names(false, counter("x"), gauge("x_total"))).containsExactly("x_total");
    assertThat(names(true, counter("x"), gauge("x_total"))).containsExactly("x_total");
    assertThat(exporter(PLAIN).text(gauge("x_total"), counter("x")))
        .isEqualTo("# TYPE x_total gauge\nx_total 1\n");
  }

  @Test
  void aHistogramClashesWithTheNamesOfItsSamples() {
    for (String suffix : List.of("_bucket", "_count", "_sum")) {
      for (boolean om : new boolean[] {false, true}) {
        assertThat(names(om, histogram("h"), gauge("h" + suffix)))
            .containsExactly("h_bucket", "h_sum", "h_count");
        assertThat(names(om, gauge("h" + suffix), histogram("h"))).containsExactly("h" + suffix);
      }
    }
  }

  @Test
  void aSummaryClashesWithTheNamesOfItsSamples() {
    for (String suffix : List.of("_count", "_sum")) {
      for (boolean om : new boolean[] {false, true}) {
        assertThat(names(om, summary("s"), gauge("s" + suffix)))
            .containsExactly("s_sum", "s_count");
        assertThat(names(om, gauge("s" + suffix), summary("s"))).containsExactly("s" + suffix);
      }
    }
  }

  @Test
  void namesThatOneFormatTakesAreFreeInTheOther() {
    assertThat(names(false, counter("x"), gauge("x"))).containsExactly("x", "x_total");
    assertThat(names(true, counter("x"), gauge("x"))).containsExactly("x_total");
    assertThat(names(false, counter("x"), gauge("x_created")))
        .containsExactly("x_created", "x_total");
    assertThat(names(true, counter("x"), gauge("x_created"))).containsExactly("x_total");
    assertThat(names(true, histogram("x"), gauge("x_created")))
        .containsExactly("x_bucket", "x_sum", "x_count");
  }

  @Test
  void aMetricNamedTargetInfoGivesWayToTheTargets() {
    Expositions exporter = exporter(PrometheusOptions.DEFAULT);
    Resource resource = new Resource(Labels.of("host.name", "a"), "");
    assertThat(exporter.text(gauge("target_info").of(resource)))
        .isEqualTo(
            """
            # HELP target_info Target metadata
            # TYPE target_info gauge
            target_info{host_name="a"} 1
            """);
    assertThat(exporter.openMetrics(gauge("target").of(resource), gauge("x").of(resource)))
        .isEqualTo(
            """
            # TYPE target info
            # HELP target Target metadata
            target_info{host_name="a"} 1
            # TYPE x gauge
            x 1
            # EOF
            """);
    assertThat(exporter.problems()).isEqualTo(Map.of("prometheus_name_clash", 2L));
    assertThat(exporter(PLAIN).text(gauge("target_info").of(resource)))
        .isEqualTo("# TYPE target_info gauge\ntarget_info 1\n");
  }

  @Test
  void familiesAreSortedByName() {
    assertThat(names(false, gauge("b"), gauge("a"))).containsExactly("a", "b");
    assertThat(names(true, counter("b"), gauge("a"))).containsExactly("a", "b_total");
  }

  @Test
  void keysOfTwoSpellingsInTwoSeriesGiveOneSeries() {
    Expositions exporter = exporter(PLAIN);
    FakeMetrics source =
        new FakeMetrics(
            FakeMetric.gauge(
                "x",
                "",
                FakePoint.of(Labels.of("a.b", "0"), 0),
                FakePoint.of(Labels.of("a.b", "1"), 1),
                FakePoint.of(Labels.of("a_b", "1"), 2),
                FakePoint.of(Labels.of("a_b", "2"), 3)));
    for (int scrape = 0; scrape < 2; scrape++) {
      assertThat(exporter.text(source))
          .isEqualTo("# TYPE x gauge\nx{a_b=\"0\"} 0\nx{a_b=\"1\"} 1\nx{a_b=\"2\"} 3\n");
    }
    assertThat(exporter.openMetrics(source))
        .isEqualTo("# TYPE x gauge\nx{a_b=\"0\"} 0\nx{a_b=\"1\"} 1\nx{a_b=\"2\"} 3\n# EOF\n");
    assertThat(exporter.problems()).isEqualTo(Map.of("prometheus_duplicate_series", 3L));
    assertThat(exporter.log()).hasSize(1);
  }

  @Test
  void valuesOfTwoTypesWithOneTextGiveOneSeries() {
    Labels text = Labels.of("a", "1");
    Labels number = new Labels.Builder().put("a", 1L).build();
    Expositions exporter = exporter(PLAIN);
    assertThat(
            exporter.text(
                FakeMetric.gauge("x", "", FakePoint.of(text, 1), FakePoint.of(number, 2))))
        .isEqualTo("# TYPE x gauge\nx{a=\"1\"} 1\n");
    assertThat(exporter.problems()).isEqualTo(Map.of("prometheus_duplicate_series", 1L));
  }

  @Test
  void anEmptyLabelIsNoLabel() {
    Expositions exporter = exporter(PLAIN);
    String text =
        exporter.text(
            FakeMetric.gauge(
                "x",
                "",
                FakePoint.of(Labels.EMPTY, 1),
                FakePoint.of(Labels.of("a", ""), 2),
                FakePoint.of(Labels.of("a", "", "b", "1"), 3),
                FakePoint.of(Labels.of("b", "1"), 4),
                FakePoint.of(Labels.of("b", "1", "c", "", "d", "="), 5)));
    assertThat(text)
        .isEqualTo("# TYPE x gauge\nx 1\nx{a=\"\",b=\"1\"} 3\nx{b=\"1\",c=\"\",d=\"=\"} 5\n");
    assertThat(exporter.problems()).isEqualTo(Map.of("prometheus_duplicate_series", 2L));
  }

  @Test
  void bytesThatAreNotUtf8MayGiveOneSeries() {
    Labels one = new Labels.Builder().put("a", LabelType.STRING, new byte[] {-1}).build();
    Labels two = new Labels.Builder().put("a", LabelType.STRING, new byte[] {-2}).build();
    Expositions exporter = exporter(PLAIN);
    assertThat(exporter.text(FakeMetric.gauge("x", "", FakePoint.of(one, 1), FakePoint.of(two, 2))))
        .isEqualTo("# TYPE x gauge\nx{a=\"\uFFFD\"} 1\n");
  }

  @Test
  void textThatASourceHasReplacedMayGiveOneSeries() {
    FakeMetric values =
        FakeMetric.gauge(
            "x",
            "",
            FakePoint.of(Labels.of("a", "\ud800"), 1),
            FakePoint.of(Labels.of("a", "\ufffd"), 2),
            FakePoint.of(Labels.of("a", "\udfff!"), 3));
    FakeMetric keys =
        FakeMetric.gauge(
            "y",
            "",
            FakePoint.of(Labels.of("\ud800", "1"), 1),
            FakePoint.of(Labels.of("\ufffd", "1"), 2));
    Expositions exporter = exporter(PLAIN);
    assertThat(exporter.text(values, keys).lines().filter(line -> !line.startsWith("#")))
        .hasSize(3)
        .contains("x{a=\"\ufffd\"} 1", "x{a=\"\ufffd!\"} 3");
    assertThat(exporter.problems()).isEqualTo(Map.of("prometheus_duplicate_series", 2L));
  }

  @Test
  void twoMetricsOfOneScopeInOneFamilyAreCompared() {
    Expositions exporter = exporter(PLAIN);
    FakeMetric dots =
        FakeMetric.gauge(
            "a.b", "", FakePoint.of(Labels.of("k", "1"), 1), FakePoint.of(Labels.of("k", "2"), 2));
    FakeMetric underscores =
        FakeMetric.gauge(
            "a_b", "", FakePoint.of(Labels.of("k", "2"), 3), FakePoint.of(Labels.of("k", "3"), 4));
    assertThat(exporter.text(dots, underscores))
        .isEqualTo("# TYPE a_b gauge\na_b{k=\"1\"} 1\na_b{k=\"2\"} 2\na_b{k=\"3\"} 4\n");
    assertThat(exporter.problems()).isEqualTo(Map.of("prometheus_duplicate_series", 1L));
  }

  @Test
  void aPointThatCannotBeWrittenDoesNotTakeItsSeries() {
    FakeMetric metric =
        FakeMetric.counter(
            "x",
            "",
            FakePoint.of(Labels.of("a.b", "1"), -1),
            FakePoint.of(Labels.of("a.b", "2"), 7).withoutRecordedValue(),
            FakePoint.of(Labels.of("a_b", "1"), 2),
            FakePoint.of(Labels.of("a_b", "2"), 3));
    assertThat(exporter(PLAIN).openMetrics(metric))
        .isEqualTo("# TYPE x counter\nx_total{a_b=\"1\"} 2\nx_total{a_b=\"2\"} 3\n# EOF\n");
  }

  @Test
  void manySeriesAreComparedRight() {
    FakePoint[] points = new FakePoint[6_000];
    for (int i = 0; i < points.length / 2; i++) {
      points[i] = FakePoint.of(Labels.of("a.b", Integer.toString(i)), i);
      points[points.length / 2 + i] = FakePoint.of(Labels.of("a_b", Integer.toString(2 * i)), i);
    }
    Expositions exporter = exporter(PLAIN);
    ParsedExposition parsed =
        ParsedExposition.parse(exporter.text(FakeMetric.gauge("x", "", points)), false);
    // 0, 2, 4 and so on up to 2998 were there before.
    assertThat(parsed.samples()).hasSize(4_500);
    assertThat(exporter.problems()).isEqualTo(Map.of("prometheus_duplicate_series", 1_500L));
  }

  @Test
  void unknownMetricsHaveAWordInEachFormat() {
    FakeMetric metric = gauge("x").hintedAs(TypeHint.UNKNOWN);
    assertThat(exporter(PLAIN).text(metric)).isEqualTo("# TYPE x untyped\nx 1\n");
    assertThat(exporter(PLAIN).openMetrics(metric)).isEqualTo("# TYPE x unknown\nx 1\n# EOF\n");
  }

  @Test
  void infosAreGaugesInText() {
    FakeMetric metric =
        FakeMetric.gauge(
                "build",
                "s",
                FakePoint.of(Labels.of("v", "1"), 1),
                FakePoint.of(Labels.of("v", "2"), 2))
            .hintedAs(TypeHint.INFO);
    Expositions exporter = exporter(PLAIN);
    assertThat(exporter.text(metric))
        .isEqualTo("# TYPE build_info gauge\nbuild_info{v=\"1\"} 1\nbuild_info{v=\"2\"} 2\n");
    assertThat(exporter.problems()).isEmpty();
    assertThat(exporter.openMetrics(metric))
        .isEqualTo("# TYPE build info\nbuild_info{v=\"1\"} 1\n# EOF\n");
    assertThat(exporter.problems()).isEqualTo(Map.of("prometheus_value_not_allowed", 1L));
  }

  @Test
  void anInfoAndAGaugeOfItsNameAreOneFamilyInText() {
    FakeMetric info =
        FakeMetric.gauge("x", "", FakePoint.of(Labels.of("v", "1"), 1)).hintedAs(TypeHint.INFO);
    FakeMetric gauge = FakeMetric.gauge("x_info", "", FakePoint.of(Labels.of("v", "2"), 1));
    assertThat(exporter(PLAIN).text(info, gauge))
        .isEqualTo("# TYPE x_info gauge\nx_info{v=\"1\"} 1\nx_info{v=\"2\"} 1\n");
    assertThat(exporter(PLAIN).openMetrics(info, gauge))
        .isEqualTo("# TYPE x info\nx_info{v=\"1\"} 1\n# EOF\n");
  }

  @Test
  void aStateSetKeepsTheRulesOrIsAGauge() {
    FakePoint a = FakePoint.of(Labels.of("x", "a", "entity", "1"), 0);
    FakePoint b = FakePoint.of(Labels.of("x", "b", "entity", "1"), 1);
    FakePoint other = FakePoint.of(Labels.of("x", "a", "entity", "2"), 1);
    FakeMetric good = stateSet(a, b, other);
    assertThat(exporter(PLAIN).text(good))
        .startsWith("# TYPE x gauge\nx{entity=\"1\",x=\"a\"} 0\n");
    assertThat(exporter(PLAIN).openMetrics(good))
        .isEqualTo(
            """
            # TYPE x stateset
            x{entity="1",x="a"} 0
            x{entity="1",x="b"} 1
            x{entity="2",x="a"} 1
            # EOF
            """);
    assertThat(exporter(PLAIN).openMetrics(stateSet(a, other, b)))
        .isEqualTo(
            """
            # TYPE x gauge
            x{entity="1",x="a"} 0
            x{entity="2",x="a"} 1
            x{entity="1",x="b"} 1
            # EOF
            """);
    assertThat(exporter(PLAIN).openMetrics(stateSet(FakePoint.of(Labels.of("x", "a"), 2))))
        .isEqualTo("# TYPE x gauge\nx{x=\"a\"} 2\n# EOF\n");
    assertThat(exporter(PLAIN).openMetrics(stateSet(FakePoint.of(Labels.of("y", ",x=\""), 1))))
        .isEqualTo("# TYPE x gauge\nx{y=\",x=\\\"\"} 1\n# EOF\n");
  }

  private static FakeMetric stateSet(FakePoint... points) {
    return FakeMetric.gauge("x", "", points).hintedAs(TypeHint.STATESET);
  }
}

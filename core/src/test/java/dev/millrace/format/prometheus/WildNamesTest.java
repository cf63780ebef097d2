package dev.millrace.format.prometheus;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.model.FakeMetric;
import dev.millrace.model.FakeMetrics;
import dev.millrace.model.FakePoint;
import dev.millrace.model.LabelType;
import dev.millrace.model.Labels;
import dev.millrace.model.Resource;
import dev.millrace.model.Scope;
import dev.millrace.testkit.GivenBack;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Names, labels and families that broke exporters of this kind in the field. */
class WildNamesTest {
  private static final PrometheusOptions PLAIN = PrometheusOptions.DEFAULT.withTargetInfo(false);

  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(16), ChunkPool::outstandingChunks);

  private Expositions exporter(PrometheusOptions options) {
    return new Expositions(chunks.pool(), options);
  }

  @Test
  void attributesThatComeToOneNameAreOneLabel() {
    Labels labels = Labels.of("host.name", "a", "host-name", "b", "host_name", "c");
    assertThat(exporter(PLAIN).text(FakeMetric.gauge("x", "", FakePoint.of(labels, 1))))
        .isEqualTo("# TYPE x gauge\nx{host_name=\"b;a;c\"} 1\n");
  }

  @Test
  void anAttributeNamedLeOnAHistogramIsLeftOut() {
    Expositions exporter = exporter(PLAIN);
    FakePoint point =
        FakePoint.histogram(Labels.of("le", "9", "a", "b"), 1, new double[] {1}, 1, 0);
    assertThat(exporter.text(FakeMetric.histogram("h", "", point)))
        .isEqualTo(
            """
            # TYPE h histogram
            h_bucket{a="b",le="1.0"} 1
            h_bucket{a="b",le="+Inf"} 1
            h_sum{a="b"} 1
            h_count{a="b"} 1
            """);
    assertThat(exporter.problems()).isEqualTo(Map.of("prometheus_reserved_label", 1L));
  }

  @Test
  void anAttributeNamedQuantileOnASummaryIsLeftOut() {
    Expositions exporter = exporter(PLAIN);
    FakePoint point =
        FakePoint.of(
            Labels.of("quantile", "9"),
            new FakePoint.Summary(2, 3, new double[] {0.5}, new double[] {1.5}));
    assertThat(exporter.text(FakeMetric.summary("s", "", point)))
        .isEqualTo("# TYPE s summary\ns{quantile=\"0.5\"} 1.5\ns_sum 3\ns_count 2\n");
    assertThat(exporter.problems()).isEqualTo(Map.of("prometheus_reserved_label", 1L));
  }

  @Test
  void leAndQuantileAreOrdinaryLabelsElsewhere() {
    Labels labels = Labels.of("le", "1", "quantile", "2");
    assertThat(exporter(PLAIN).text(FakeMetric.gauge("x", "", FakePoint.of(labels, 1))))
        .contains("x{le=\"1\",quantile=\"2\"} 1\n");
  }

  @Test
  void histogramsThatDifferInLeOnlyAreOne() {
    Expositions exporter = exporter(PLAIN);
    FakeMetric metric =
        FakeMetric.histogram(
            "h",
            "",
            FakePoint.histogram(Labels.of("le", "1"), 1, new double[0], 1),
            FakePoint.histogram(Labels.of("le", "2"), 2, new double[0], 2));
    assertThat(exporter.text(metric))
        .isEqualTo("# TYPE h histogram\nh_bucket{le=\"+Inf\"} 1\nh_sum 1\nh_count 1\n");
    assertThat(exporter.problems()).containsEntry("prometheus_duplicate_series", 1L);
  }

  @Test
  void unitsAndSuffixesStandOnce() {
    Expositions exporter = exporter(PLAIN);
    String text =
        exporter.text(
            FakeMetric.counter("x_total", "", FakePoint.of(Labels.EMPTY, 1)),
            FakeMetric.gauge("d_seconds", "s", FakePoint.of(Labels.EMPTY, 2)),
            FakeMetric.gauge("in.flight", "{request}", FakePoint.of(Labels.EMPTY, 3)),
            FakeMetric.gauge("io", "By/s", FakePoint.of(Labels.EMPTY, 4)),
            FakeMetric.gauge("load", "1", FakePoint.of(Labels.EMPTY, 5)),
            FakeMetric.gauge("seconds.behind", "s", FakePoint.of(Labels.EMPTY, 6)));
    assertThat(text.lines().filter(line -> !line.startsWith("#")))
        .containsExactly(
            "d_seconds 2",
            "in_flight 3",
            "io_bytes_per_second 4",
            "load 5",
            "seconds_behind_seconds 6",
            "x_total 1");
    assertThat(exporter.problems()).isEmpty();
  }

  @Test
  void nothingOfOneMetricLeaksIntoTheNext() {
    FakePoint full =
        FakePoint.histogram(Labels.of("a", "1"), 1, new double[] {1, 2}, 1, 2, 3)
            .startedAt(1_000_000_000L);
    FakePoint bare =
        FakePoint.of(
            Labels.EMPTY,
            new FakePoint.Histogram(4, false, 0, Double.NaN, new double[0], new long[0]));
    String om =
        exporter(PLAIN.withCreatedTimestamps(true))
            .openMetrics(
                FakeMetric.histogram("a", "s", full).describedAs("A."),
                FakeMetric.histogram("b", "", bare),
                FakeMetric.gauge("c", "", FakePoint.of(Labels.EMPTY, 1)));
    assertThat(om)
        .isEqualTo(
            """
            # TYPE a_seconds histogram
            # UNIT a_seconds seconds
            # HELP a_seconds A.
            a_seconds_bucket{a="1",le="1.0"} 1
            a_seconds_bucket{a="1",le="2.0"} 3
            a_seconds_bucket{a="1",le="+Inf"} 6
            a_seconds_sum{a="1"} 1
            a_seconds_count{a="1"} 6
            a_seconds_created{a="1"} 1
            # TYPE b histogram
            b_bucket{le="+Inf"} 4
            # TYPE c gauge
            c 1
            # EOF
            """);
  }

  @Test
  void attributeKeysOfAllSortsGiveValidNames() {
    Labels labels =
        new Labels.Builder()
            .put("", "empty")
            .put("a..b", "dots")
            .put("2xx", "digit")
            .put("_x", "one")
            .put("__x", "two")
            .put("a:b", "colon")
            .put("\uD83D\uDE00", "emoji")
            .build();
    String text = exporter(PLAIN).text(FakeMetric.gauge("x", "", FakePoint.of(labels, 1)));
    // Two of the keys come to one name by the specification, which joins their values.
    assertThat(ParsedExposition.parse(text, false).samples().get(0).labels())
        .isEqualTo(
            Map.of(
                "key",
                "empty",
                "a_b",
                "dots;colon",
                "key_2xx",
                "digit",
                "_x",
                "one",
                "key_x",
                "two",
                "key_",
                "emoji"));
  }

  @Test
  void attributeValuesOfAllSortsAreWrittenAsValidText() {
    Labels labels =
        new Labels.Builder()
            .put("a_empty", "")
            .put("b_surrogate", "x\uD800y")
            .put("c_control", "\0\t\r")
            .put("d_escaped", "\\\"\n")
            .put("e_raw", LabelType.STRING, new byte[] {'<', (byte) 0xc3, '>'})
            .put("f_long", -7L)
            .put("g_bool", true)
            .put("h_double", 0.5)
            .put("i_bytes", LabelType.BYTES, "hello".getBytes(UTF_8))
            .put("j_none", LabelType.EMPTY, new byte[0])
            .put("k_array", LabelType.ARRAY, new byte[] {10, 3, 10, 1, '"'})
            .build();
    String expected =
        "x{a_empty=\"\",b_surrogate=\"x\uFFFDy\",c_control=\"\0\t\r\",d_escaped=\"\\\\\\\"\\n\","
            + "e_raw=\"<\uFFFD>\",f_long=\"-7\",g_bool=\"true\",h_double=\"0.5\","
            + "i_bytes=\"aGVsbG8=\",j_none=\"\",k_array=\"[\\\"\\\\\\\"\\\"]\"} 1\n";
    FakeMetric metric = FakeMetric.gauge("x", "", FakePoint.of(labels, 1));
    assertThat(exporter(PLAIN).text(metric)).isEqualTo("# TYPE x gauge\n" + expected);
    assertThat(exporter(PLAIN).openMetrics(metric))
        .isEqualTo("# TYPE x gauge\n" + expected + "# EOF\n");
  }

  @Test
  void metricsOfTwoScopesAreOneFamily() {
    Expositions exporter = exporter(PLAIN);
    Scope first = new Scope("first", "1.0", "", Labels.EMPTY);
    Scope second = new Scope("second", "", "http://schema", Labels.of("team", "blue"));
    String text =
        exporter.text(
            FakeMetric.counter("x", "", FakePoint.of(Labels.of("a", "1"), 1))
                .describedAs("First.")
                .of(first),
            FakeMetric.gauge("w", "", FakePoint.of(Labels.EMPTY, 3)),
            FakeMetric.counter("x", "", FakePoint.of(Labels.of("a", "1"), 2))
                .describedAs("Second.")
                .of(second));
    assertThat(text)
        .isEqualTo(
            """
            # TYPE w gauge
            w 3
            # HELP x_total First.
            # TYPE x_total counter
            x_total{a="1",otel_scope_name="first",otel_scope_version="1.0"} 1
            x_total{a="1",otel_scope_name="second",otel_scope_schema_url="http://schema",otel_scope_team="blue"} 2
            """);
    assertThat(exporter.problems()).isEqualTo(Map.of("prometheus_help_conflict", 1L));
  }

  @Test
  void theSecondOfTwoTypesIsLeftOutCountedAndLoggedOnce() {
    Expositions exporter = exporter(PLAIN);
    FakeMetric[] metrics = {
      FakeMetric.gauge("x", "", FakePoint.of(Labels.EMPTY, 1)),
      FakeMetric.histogram("x", "", FakePoint.histogram(Labels.EMPTY, 1, new double[0], 1))
    };
    FakeMetrics source = new FakeMetrics(metrics);
    for (int scrape = 0; scrape < 3; scrape++) {
      assertThat(exporter.text(source)).isEqualTo("# TYPE x gauge\nx 1\n");
    }
    assertThat(exporter.problems()).isEqualTo(Map.of("prometheus_type_conflict", 3L));
    assertThat(exporter.log())
        .singleElement()
        .asString()
        .startsWith("prometheus_type_conflict: metric x")
        .contains("expected", "found");
  }

  @Test
  void scopeAttributesNeverReplaceTheScopesOwnLabels() {
    Scope scope =
        new Scope(
            "lib",
            "1",
            "",
            Labels.of("name", "other", "schema.url", "other", "a.b", "1", "a_b", "2"));
    assertThat(
            exporter(PLAIN)
                .text(FakeMetric.gauge("x", "", FakePoint.of(Labels.EMPTY, 1)).of(scope)))
        .contains("x{otel_scope_a_b=\"1;2\",otel_scope_name=\"lib\",otel_scope_version=\"1\"} 1\n");
  }

  @Test
  void attributesThatMeetTheExportersOwnLabelsAreJoinedWithThem() {
    Resource resource = new Resource(Labels.of("service.name", "shop"), "");
    Scope scope = new Scope("lib", "", "", Labels.EMPTY);
    Labels labels =
        Labels.of(
            "job", "nightly", "instance", "i", "otel.scope.name", "a", "otel_scope_name", "b");
    String text =
        exporter(PLAIN.withTargetLabels(true))
            .text(FakeMetric.gauge("x", "", FakePoint.of(labels, 1)).of(resource).of(scope));
    assertThat(text)
        .contains("x{instance=\"i\",job=\"shop;nightly\",otel_scope_name=\"a;lib;b\"} 1\n");
  }

  @Test
  void scopeLabelsCanBeTurnedOff() {
    Scope scope = new Scope("lib", "1", "u", Labels.of("a", "b"));
    assertThat(
            exporter(PLAIN.withScopeLabels(false))
                .text(FakeMetric.gauge("x", "", FakePoint.of(Labels.EMPTY, 1)).of(scope)))
        .contains("x 1\n");
  }

  @Test
  void twoResourcesWithoutAnInstanceGiveNoSeriesTwice() {
    Expositions exporter = exporter(PrometheusOptions.DEFAULT.withTargetLabels(true));
    Resource first = new Resource(Labels.of("service.name", "shop", "host.name", "a"), "");
    Resource second = new Resource(Labels.of("service.name", "shop", "host.name", "b"), "");
    String text =
        exporter.text(
            FakeMetric.gauge(
                    "x",
                    "",
                    FakePoint.of(Labels.of("k", "1"), 1),
                    FakePoint.of(Labels.of("k", "2"), 2))
                .of(first),
            FakeMetric.gauge(
                    "x",
                    "",
                    FakePoint.of(Labels.of("k", "2"), 3),
                    FakePoint.of(Labels.of("k", "3"), 4))
                .of(second));
    assertThat(text)
        .isEqualTo(
            """
            # HELP target_info Target metadata
            # TYPE target_info gauge
            target_info{host_name="a",instance="",job="shop"} 1
            # TYPE x gauge
            x{instance="",job="shop",k="1"} 1
            x{instance="",job="shop",k="2"} 2
            x{instance="",job="shop",k="3"} 4
            """);
    assertThat(exporter.problems())
        .isEqualTo(Map.of("prometheus_duplicate_series", 1L, "prometheus_duplicate_target", 1L));
  }

  @Test
  void helpIsEscapedByFormat() {
    FakeMetric metric =
        FakeMetric.gauge("x", "", FakePoint.of(Labels.EMPTY, 1)).describedAs("a\\b\nc\"d");
    assertThat(exporter(PLAIN).text(metric)).startsWith("# HELP x a\\\\b\\nc\"d\n");
    assertThat(exporter(PLAIN).openMetrics(metric)).contains("\n# HELP x a\\\\b\\nc\\\"d\n");
  }

  @Test
  void aNameWithoutLettersIsLeftOut() {
    Expositions exporter = exporter(PLAIN);
    assertThat(exporter.text(FakeMetric.gauge("請求", "s", FakePoint.of(Labels.EMPTY, 1)))).isEmpty();
    assertThat(exporter.problems()).isEqualTo(Map.of("prometheus_unusable_name", 1L));
  }

  @Test
  void theFirstUnitOfAFamilyWins() {
    Expositions exporter = exporter(PLAIN);
    List<String> lines =
        exporter
            .openMetrics(
                FakeMetric.gauge("x_y_seconds", "", FakePoint.of(Labels.of("a", "1"), 1)),
                FakeMetric.gauge("x", "y_seconds", FakePoint.of(Labels.of("a", "2"), 2)),
                FakeMetric.gauge("x.y", "s", FakePoint.of(Labels.of("a", "3"), 3)))
            .lines()
            .toList();
    assertThat(lines)
        .containsExactly(
            "# TYPE x_y_seconds gauge",
            "# UNIT x_y_seconds y_seconds",
            "x_y_seconds{a=\"1\"} 1",
            "x_y_seconds{a=\"2\"} 2",
            "x_y_seconds{a=\"3\"} 3",
            "# EOF");
    assertThat(exporter.problems()).isEqualTo(Map.of("prometheus_unit_conflict", 1L));
  }
}

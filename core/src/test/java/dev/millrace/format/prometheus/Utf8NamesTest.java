package dev.millrace.format.prometheus;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.model.FakeMetric;
import dev.millrace.model.FakeMetrics;
import dev.millrace.model.FakePoint;
import dev.millrace.model.Labels;
import dev.millrace.model.Problems;
import dev.millrace.model.Scope;
import dev.millrace.model.TypeHint;
import dev.millrace.testkit.GivenBack;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Names that are not escaped to underscores, in lines and comments, and what they collide with. */
class Utf8NamesTest {
  private static final PrometheusOptions SUFFIXES =
      PrometheusOptions.DEFAULT
          .withTargetInfo(false)
          .withTranslationStrategy(TranslationStrategy.NO_UTF8_ESCAPING_WITH_SUFFIXES);
  private static final PrometheusOptions UNTRANSLATED =
      SUFFIXES.withTranslationStrategy(TranslationStrategy.NO_TRANSLATION);

  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(16), ChunkPool::outstandingChunks);

  private Expositions exporter(PrometheusOptions options, EscapingScheme escaping) {
    return new Expositions(chunks.pool(), options, escaping);
  }

  private static FakePoint point(String... labels) {
    return FakePoint.of(Labels.of(labels), 1);
  }

  @ParameterizedTest
  @CsvSource({
    "TEXT_0_0_4, 'text/plain; version=0.0.4; charset=utf-8; escaping='",
    "TEXT_1_0_0, 'text/plain; version=1.0.0; charset=utf-8; escaping='",
    "OPEN_METRICS_0_0_1, 'application/openmetrics-text; version=0.0.1; charset=utf-8; escaping='",
    "OPEN_METRICS_1_0_0, 'application/openmetrics-text; version=1.0.0; charset=utf-8; escaping='"
  })
  void theMediaTypeSaysFormatAndEscaping(PrometheusFormat format, String expected) {
    PrometheusFormats formats = new PrometheusFormats(SUFFIXES, new Problems());
    Map<EscapingScheme, String> values =
        Map.of(
            EscapingScheme.ALLOW_UTF_8, "allow-utf-8",
            EscapingScheme.UNDERSCORES, "underscores",
            EscapingScheme.DOTS, "dots",
            EscapingScheme.VALUES, "values");
    values.forEach(
        (escaping, value) -> {
          assertThat(formats.encoder(format, escaping).contentType()).isEqualTo(expected + value);
          assertThat(EscapingScheme.ofHeaderValue(value)).isEqualTo(escaping);
        });
    assertThat(format.contentType(EscapingScheme.DOTS))
        .startsWith(format.type() + "/" + format.subtype() + "; version=" + format.version());
  }

  @Test
  void aHeaderThatNamesNoSchemeNamesNone() {
    assertThat(EscapingScheme.ofHeaderValue("allow-utf8")).isNull();
    assertThat(EscapingScheme.ofHeaderValue("")).isNull();
  }

  @ParameterizedTest
  @EnumSource
  void versionsOfOneFormatDifferInNameOnly(EscapingScheme escaping) {
    for (Goldens golden : Goldens.values()) {
      Expositions exporter =
          exporter(
              golden.options().withTranslationStrategy(TranslationStrategy.NO_TRANSLATION),
              escaping);
      FakeMetrics source = golden.source();
      assertThat(encoded(exporter, PrometheusFormat.TEXT_1_0_0, escaping, source))
          .isEqualTo(exporter.text(source));
      assertThat(encoded(exporter, PrometheusFormat.OPEN_METRICS_0_0_1, escaping, source))
          .isEqualTo(exporter.openMetrics(source));
    }
  }

  private static String encoded(
      Expositions exporter, PrometheusFormat format, EscapingScheme escaping, FakeMetrics source) {
    return new String(exporter.encode(exporter.formats().encoder(format, escaping), source), UTF_8);
  }

  @Test
  void namesAreQuotedWhereTheyHaveToBe() {
    FakeMetric[] metrics = {
      FakeMetric.counter("my.name", "By", point("my.label", "x", "plain", "y"), point())
          .describedAs("Help."),
      FakeMetric.gauge("plain", "", point("my.label", "x"), point())
    };
    assertThat(exporter(SUFFIXES, EscapingScheme.ALLOW_UTF_8).text(metrics))
        .isEqualTo(
            """
            # HELP "my.name_bytes_total" Help.
            # TYPE "my.name_bytes_total" counter
            {"my.name_bytes_total","my.label"="x",plain="y"} 1
            {"my.name_bytes_total"} 1
            # TYPE plain gauge
            plain{"my.label"="x"} 1
            plain 1
            """);
    assertThat(exporter(SUFFIXES, EscapingScheme.ALLOW_UTF_8).openMetrics(metrics))
        .isEqualTo(
            """
            # TYPE "my.name_bytes" counter
            # UNIT "my.name_bytes" bytes
            # HELP "my.name_bytes" Help.
            {"my.name_bytes_total","my.label"="x",plain="y"} 1
            {"my.name_bytes_total"} 1
            # TYPE plain gauge
            plain{"my.label"="x"} 1
            plain 1
            # EOF
            """);
  }

  @Test
  void bucketsAndQuantilesFollowAQuotedName() {
    FakeMetric[] metrics = {
      FakeMetric.histogram(
          "my.h",
          "",
          FakePoint.histogram(Labels.of("a.b", "x"), 1, new double[] {1}, 1, 0),
          FakePoint.histogram(Labels.EMPTY, 1, new double[0], 1)),
      FakeMetric.summary(
          "my.s",
          "",
          FakePoint.of(
              Labels.of("a", "x"),
              new FakePoint.Summary(1, 2, new double[] {0.5}, new double[] {2})),
          FakePoint.of(
              Labels.EMPTY, new FakePoint.Summary(1, 2, new double[] {0.5}, new double[] {2})))
    };
    assertThat(exporter(UNTRANSLATED, EscapingScheme.ALLOW_UTF_8).text(metrics))
        .isEqualTo(
            """
            # TYPE "my.h" histogram
            {"my.h_bucket","a.b"="x",le="1.0"} 1
            {"my.h_bucket","a.b"="x",le="+Inf"} 1
            {"my.h_sum","a.b"="x"} 1
            {"my.h_count","a.b"="x"} 1
            {"my.h_bucket",le="+Inf"} 1
            {"my.h_sum"} 1
            {"my.h_count"} 1
            # TYPE "my.s" summary
            {"my.s",a="x",quantile="0.5"} 2
            {"my.s_sum",a="x"} 2
            {"my.s_count",a="x"} 1
            {"my.s",quantile="0.5"} 2
            {"my.s_sum"} 2
            {"my.s_count"} 1
            """);
  }

  @Test
  void whatEndsANameIsEscapedInQuotes() {
    FakeMetric metric =
        FakeMetric.gauge("a\"b\\c\nd\uD800", "", point("k\"\\\n=,}", "v")).describedAs("H.");
    assertThat(exporter(UNTRANSLATED, EscapingScheme.ALLOW_UTF_8).text(metric))
        .isEqualTo(
            """
            # HELP "a\\"b\\\\c\\nd\uFFFD" H.
            # TYPE "a\\"b\\\\c\\nd\uFFFD" gauge
            {"a\\"b\\\\c\\nd\uFFFD","k\\"\\\\\\n=,}"="v"} 1
            """);
  }

  @Test
  void aColonIsPlainInNamesOfMetricsOnly() {
    assertThat(
            exporter(UNTRANSLATED, EscapingScheme.ALLOW_UTF_8)
                .text(FakeMetric.gauge("a:b", "", point("a:b", "x"))))
        .isEqualTo("# TYPE a:b gauge\na:b{\"a:b\"=\"x\"} 1\n");
  }

  @Test
  void inOpenMetricsACounterWithoutItsSuffixIsUnknownAndAnInfoAGauge() {
    FakeMetric[] metrics = {
      FakeMetric.counter("a.b", "s", FakePoint.of(Labels.EMPTY, -1).startedAt(5)),
      FakeMetric.counter("c_total", "", FakePoint.of(Labels.EMPTY, -1)),
      FakeMetric.gauge("d", "", FakePoint.of(Labels.EMPTY, 2)).hintedAs(TypeHint.INFO)
    };
    PrometheusOptions options = UNTRANSLATED.withCreatedTimestamps(true);
    Expositions exporter = exporter(options, EscapingScheme.UNDERSCORES);
    assertThat(exporter.openMetrics(metrics))
        .isEqualTo("# TYPE a_b unknown\na_b -1\n# TYPE d gauge\nd 2\n# EOF\n");
    assertThat(exporter.problems()).isEqualTo(Map.of("prometheus_value_not_allowed", 1L));
    assertThat(exporter(options, EscapingScheme.UNDERSCORES).text(metrics))
        .isEqualTo(
            """
            # TYPE a_b counter
            a_b -1
            # TYPE c_total counter
            c_total -1
            # TYPE d gauge
            d 2
            """);
  }

  @Test
  void aStateSetsLabelIsItsNameInQuotes() {
    FakeMetric metric =
        FakeMetric.gauge("my.state", "", point("my.state", "on"), point("my.state", "off"))
            .hintedAs(TypeHint.STATESET);
    assertThat(exporter(UNTRANSLATED, EscapingScheme.ALLOW_UTF_8).openMetrics(metric))
        .startsWith("# TYPE \"my.state\" stateset\n{\"my.state\",\"my.state\"=\"on\"} 1\n");
    assertThat(exporter(UNTRANSLATED, EscapingScheme.VALUES).openMetrics(metric))
        .startsWith("# TYPE U__my_2e_state stateset\nU__my_2e_state{U__my_2e_state=\"on\"} 1\n");
    FakeMetric without =
        FakeMetric.gauge("s", "", point("x,s=\"", "on")).hintedAs(TypeHint.STATESET);
    assertThat(exporter(UNTRANSLATED, EscapingScheme.ALLOW_UTF_8).openMetrics(without))
        .startsWith("# TYPE s gauge\n");
  }

  @Test
  void labelsThatCollideOnceTheyAreEscapedAreJoined() {
    FakeMetric metric =
        FakeMetric.gauge(
            "x", "", point("host.name", "a", "host-name", "b"), point("host_name", "b;a"));
    Expositions apart = exporter(UNTRANSLATED, EscapingScheme.ALLOW_UTF_8);
    assertThat(apart.text(metric))
        .contains("x{\"host-name\"=\"b\",\"host.name\"=\"a\"} 1\n", "x{host_name=\"b;a\"} 1\n");
    assertThat(apart.problems()).isEmpty();
    Expositions joined = exporter(UNTRANSLATED, EscapingScheme.UNDERSCORES);
    assertThat(joined.text(metric)).isEqualTo("# TYPE x gauge\nx{host_name=\"b;a\"} 1\n");
    assertThat(joined.problems()).isEqualTo(Map.of("prometheus_duplicate_series", 1L));
  }

  @Test
  void familiesThatCollideOnceTheyAreEscapedAreOne() {
    FakeMetric[] metrics = {
      FakeMetric.gauge("a.b", "", point("k", "1")).describedAs("First."),
      FakeMetric.gauge("a_b", "", point("k", "1"), point("k", "2")).describedAs("Second."),
      FakeMetric.counter("a-b", "", point())
    };
    assertThat(exporter(UNTRANSLATED, EscapingScheme.ALLOW_UTF_8).text(metrics))
        .contains("# TYPE \"a-b\" counter", "# TYPE \"a.b\" gauge", "# TYPE a_b gauge");
    Expositions exporter = exporter(UNTRANSLATED, EscapingScheme.UNDERSCORES);
    assertThat(exporter.text(metrics))
        .isEqualTo("# HELP a_b First.\n# TYPE a_b gauge\na_b{k=\"1\"} 1\na_b{k=\"2\"} 1\n");
    assertThat(exporter.problems())
        .isEqualTo(
            Map.of(
                "prometheus_duplicate_series", 1L,
                "prometheus_help_conflict", 1L,
                "prometheus_type_conflict", 1L));
  }

  @Test
  void labelsOfScopesAreNamedLikeOthers() {
    Scope scope =
        new Scope("lib", "", "", Labels.of("team.name", "t", "schema.url", "no", "name", "no"));
    FakeMetric metric =
        FakeMetric.gauge("x", "", point("otel.scope.name", "mine", "job", "j")).of(scope);
    assertThat(exporter(UNTRANSLATED, EscapingScheme.ALLOW_UTF_8).text(metric))
        .contains(
            "x{\"otel.scope.name\"=\"mine\",\"otel_scope_schema.url\"=\"no\","
                + "\"otel_scope_team.name\"=\"t\",job=\"j\",otel_scope_name=\"lib\"} 1\n");
    assertThat(exporter(UNTRANSLATED, EscapingScheme.UNDERSCORES).text(metric))
        .contains("x{job=\"j\",otel_scope_name=\"mine;lib\",otel_scope_team_name=\"t\"} 1\n");
    assertThat(exporter(UNTRANSLATED, EscapingScheme.DOTS).text(metric))
        .contains(
            "x{job=\"j\",otel__scope__name=\"lib\",otel__scope__schema_dot_url=\"no\","
                + "otel__scope__team_dot_name=\"t\",otel_dot_scope_dot_name=\"mine\"} 1\n");
  }

  @Test
  void aNameWithoutCharactersIsLeftOut() {
    Expositions exporter = exporter(UNTRANSLATED, EscapingScheme.ALLOW_UTF_8);
    assertThat(exporter.text(FakeMetric.gauge("", "s", point()))).isEmpty();
    assertThat(exporter.problems()).isEqualTo(Map.of("prometheus_unusable_name", 1L));
  }

  @Test
  void whatASeriesKeepsIsKeptForOneNaming() {
    FakeMetrics source = new FakeMetrics(FakeMetric.gauge("x.y", "s", point("a.b", "c")));
    for (int round = 0; round < 2; round++) {
      for (TranslationStrategy strategy : TranslationStrategy.values()) {
        PrometheusOptions options = SUFFIXES.withTranslationStrategy(strategy);
        for (EscapingScheme escaping : EscapingScheme.values()) {
          Expositions exporter = exporter(options, escaping);
          String again = exporter.text(source);
          assertThat(exporter.text(source)).isEqualTo(again);
          String name = PrometheusFormats.naming(strategy, escaping).label("a.b".getBytes(UTF_8));
          assertThat(again).contains((name.equals("a.b") ? "\"a.b\"" : name) + "=\"c\"} 1\n");
        }
      }
    }
    // One exporter's encoders keep labels apart, too.
    Expositions exporter = exporter(UNTRANSLATED, EscapingScheme.UNDERSCORES);
    for (int round = 0; round < 2; round++) {
      for (EscapingScheme escaping : EscapingScheme.values()) {
        assertThat(encoded(exporter, PrometheusFormat.TEXT_1_0_0, escaping, source))
            .isEqualTo(exporter(UNTRANSLATED, escaping).text(source));
      }
    }
  }
}

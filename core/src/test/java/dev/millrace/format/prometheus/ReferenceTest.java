package dev.millrace.format.prometheus;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.format.translation.Fault;
import dev.millrace.model.EncodedLabelsBudget;
import dev.millrace.model.FakeMetrics;
import dev.millrace.testkit.GivenBack;
import dev.millrace.testkit.Promtool;
import dev.millrace.testkit.StrictOpenMetricsParser;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Generated metrics: the encoders write the samples that the reference finds, and real parsers
 * agree.
 */
class ReferenceTest {
  private static final int SEEDS = 1_000;

  /** For each of the many ways to name things. */
  private static final int SEEDS_A_NAMING = 500;

  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(16), ChunkPool::outstandingChunks);

  /** Resource attributes that are promoted in a part of the tests. */
  private static final Set<String> PROMOTED =
      Set.of("", "a.b", "a_b", "x", "le", "job", "quantile", "otel_scope_name", "é", "host.name");

  @ParameterizedTest
  @CsvSource({
    "false, false, false, true, true, OMITTED",
    "true, false, false, true, true, COUNT_AND_SUM",
    "false, true, false, false, false, COUNT_AND_SUM",
    "true, true, false, false, false, OMITTED",
    "false, true, true, true, true, COUNT_AND_SUM",
    "true, true, true, true, true, COUNT_AND_SUM"
  })
  void encodersWriteTheReferencesSamples(
      boolean om,
      boolean targetLabels,
      boolean created,
      boolean scopeLabels,
      boolean kept,
      ExponentialHistograms exponentialHistograms) {
    PrometheusOptions options =
        PrometheusOptions.DEFAULT
            .withTargetLabels(targetLabels)
            .withCreatedTimestamps(created)
            .withScopeLabels(scopeLabels)
            .withExponentialHistograms(exponentialHistograms);
    compare(options, EscapingScheme.UNDERSCORES, om, kept, SEEDS);
  }

  /** Each strategy with each scheme, in turn with what else shapes names and labels. */
  static Stream<Arguments> namings() {
    List<Arguments> namings = new ArrayList<>();
    int i = 0;
    for (TranslationStrategy strategy : TranslationStrategy.values()) {
      for (EscapingScheme escaping : EscapingScheme.values()) {
        for (boolean om : new boolean[] {false, true}) {
          namings.add(Arguments.of(strategy, escaping, om, i % 3 > 0, i % 5 > 0));
          i++;
        }
      }
    }
    return namings.stream();
  }

  @ParameterizedTest
  @MethodSource("namings")
  void namesAreTheReferencesByAllStrategiesAndSchemes(
      TranslationStrategy strategy,
      EscapingScheme escaping,
      boolean om,
      boolean targetLabels,
      boolean promoted) {
    PrometheusOptions options =
        PrometheusOptions.DEFAULT
            .withTranslationStrategy(strategy)
            .withTargetLabels(targetLabels)
            .withCreatedTimestamps(true)
            .withPromotedResourceAttributes(key -> promoted && PROMOTED.contains(key));
    compare(options, escaping, om, true, SEEDS_A_NAMING);
  }

  private void compare(
      PrometheusOptions options, EscapingScheme escaping, boolean om, boolean kept, int seeds) {
    // One exporter for all seeds: what it remembers of one source must not show in the next.
    Expositions exporter = new Expositions(chunks.pool(), options, escaping);
    for (long seed = 0; seed < seeds; seed++) {
      FakeMetrics source = GeneratedMetrics.of(seed);
      if (!kept) {
        source.setBudget(new EncodedLabelsBudget(0));
      }
      ReferenceExposition reference =
          new ReferenceExposition(source.metrics(), options, escaping, om);
      String first = om ? exporter.openMetrics(source) : exporter.text(source);
      compare(ParsedExposition.parse(first, om), reference, om, "seed " + seed);
      assertThat(om ? exporter.openMetrics(source) : exporter.text(source))
          .as("seed %d, second time", seed)
          .isEqualTo(first);
    }
    assertThat(exporter.problems())
        .as("what the generated metrics have to contain")
        .containsKeys(
            Fault.UNUSABLE_NAME.kind(),
            Fault.NOT_CUMULATIVE.kind(),
            Fault.TYPE_CONFLICT.kind(),
            Fault.NAME_CLASH.kind(),
            Fault.HELP_CONFLICT.kind(),
            Fault.DUPLICATE_TARGET.kind(),
            Fault.DUPLICATE_SERIES.kind(),
            Fault.HISTOGRAM.kind(),
            Fault.QUANTILE.kind(),
            Fault.RESERVED_LABEL.kind());
    if (om) {
      assertThat(exporter.problems())
          .containsKeys(Fault.EXEMPLAR_LABELS.kind(), Fault.EXEMPLAR_VALUE.kind());
    }
    assertThat(exporter.problems().containsKey(Fault.EXPONENTIAL_HISTOGRAM.kind()))
        .isEqualTo(options.exponentialHistograms() == ExponentialHistograms.OMITTED);
  }

  private static void compare(
      ParsedExposition parsed, ReferenceExposition reference, boolean om, String what) {
    List<String> comments = new ArrayList<>();
    List<ReferenceExposition.Sample> samples = new ArrayList<>();
    for (ReferenceExposition.Family family : reference.families()) {
      comments.add(
          family.name
              + " "
              + new ParsedExposition.Comments(
                  reference.word(family),
                  // Only a family that stays what it is shows its unit.
                  om ? family.unit : "",
                  family.help.replace("\uD800", "\uFFFD")));
      family.points.forEach(samples::addAll);
    }
    List<String> found = new ArrayList<>();
    for (Map.Entry<String, ParsedExposition.Comments> family : parsed.families().entrySet()) {
      found.add(family.getKey() + " " + family.getValue());
    }
    assertThat(found).as(what).isEqualTo(comments);
    assertThat(parsed.samples()).as(what).hasSameSizeAs(samples);
    for (int i = 0; i < samples.size(); i++) {
      ParsedExposition.Sample actual = parsed.samples().get(i);
      ReferenceExposition.Sample expected = samples.get(i);
      assertThat(actual.name()).as(what).isEqualTo(expected.name());
      assertThat(actual.labels()).as(what).isEqualTo(expected.labels());
      if (expected.value() instanceof Long whole) {
        assertThat(actual.value()).as(what).isEqualTo(whole.toString());
      } else {
        assertThat((Object) number(actual.value())).as(what).isEqualTo(expected.value());
      }
      compare(actual.exemplar(), expected.exemplar(), what);
    }
  }

  private static void compare(
      ParsedExposition.@Nullable Exemplar actual,
      ReferenceExemplars.@Nullable Exemplar expected,
      String what) {
    if (actual == null || expected == null) {
      assertThat((Object) actual).as(what).isEqualTo(expected);
      return;
    }
    assertThat(actual.labels()).as(what).isEqualTo(expected.labels());
    if (expected.value() instanceof Long whole) {
      assertThat(actual.value()).as(what).isEqualTo(whole.toString());
    } else {
      assertThat((Object) number(actual.value())).as(what).isEqualTo(expected.value());
    }
    BigDecimal time = expected.time();
    assertThat(actual.time())
        .as(what)
        .isEqualTo(time == null ? "" : time.stripTrailingZeros().toPlainString());
  }

  private static Double number(String text) {
    return switch (text) {
      case "+Inf" -> Double.POSITIVE_INFINITY;
      case "-Inf" -> Double.NEGATIVE_INFINITY;
      default -> Double.valueOf(text);
    };
  }

  @Test
  void theStrictParserReadsGeneratedMetrics() throws Exception {
    StrictOpenMetricsParser parser = StrictOpenMetricsParser.require();
    List<byte[]> expositions = new ArrayList<>();
    for (long seed = 0; seed < 400; seed++) {
      PrometheusOptions options =
          PrometheusOptions.DEFAULT
              .withTargetLabels(seed % 2 == 0)
              .withCreatedTimestamps(seed % 3 == 0);
      Expositions exporter = new Expositions(chunks.pool(), options);
      expositions.add(exporter.openMetrics(GeneratedMetrics.of(seed)).getBytes(UTF_8));
    }
    parser.check(expositions);
  }

  @Test
  void promtoolReadsGeneratedMetrics() throws Exception {
    Promtool promtool = Promtool.require();
    for (long seed = 0; seed < 60; seed++) {
      PrometheusOptions options = PrometheusOptions.DEFAULT.withTargetLabels(seed % 2 == 0);
      Expositions exporter = new Expositions(chunks.pool(), options);
      byte[] text = exporter.text(GeneratedMetrics.of(seed)).getBytes(UTF_8);
      assertThat(promtool.checkMetrics(text)).noneMatch(line -> line.contains("error"));
    }
  }
}

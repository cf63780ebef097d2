package dev.millrace.format.prometheus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.format.prometheus.ReferenceExposition.Sample;
import dev.millrace.format.translation.Fault;
import dev.millrace.model.EncodedLabelsBudget;
import dev.millrace.model.FakeMetrics;
import dev.millrace.testkit.GivenBack;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Generated metrics in protobuf: protobuf's own library reads the samples that the reference finds,
 * and writes the same bytes for them.
 */
class ProtobufReferenceTest {
  private static final int SEEDS = 1_000;

  /** For each of the many ways to name things. */
  private static final int SEEDS_A_NAMING = 200;

  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(16), ChunkPool::outstandingChunks);

  @ParameterizedTest
  @CsvSource({
    "false, true, true, true",
    "true, false, false, true",
    "true, true, true, false",
    "false, false, false, false"
  })
  void theEncoderWritesTheReferencesSamples(
      boolean targetLabels, boolean scopeLabels, boolean kept, boolean stable) throws Exception {
    PrometheusOptions options =
        PrometheusOptions.DEFAULT.withTargetLabels(targetLabels).withScopeLabels(scopeLabels);
    Expositions exporter = compare(options, EscapingScheme.UNDERSCORES, kept, stable, SEEDS);
    assertThat(exporter.problems())
        .as("what the generated metrics have to contain")
        .containsKeys(
            Fault.EXPONENTIAL_SCALE.kind(),
            Fault.EXEMPLAR_LABELS.kind(),
            Fault.EXEMPLAR_TIME.kind(),
            Fault.EXEMPLAR_VALUE.kind(),
            Fault.TYPE_CONFLICT.kind(),
            Fault.NAME_CLASH.kind(),
            Fault.DUPLICATE_SERIES.kind(),
            Fault.HISTOGRAM.kind(),
            Fault.QUANTILE.kind(),
            Fault.RESERVED_LABEL.kind())
        .doesNotContainKey(Fault.EXPONENTIAL_HISTOGRAM.kind());
  }

  @ParameterizedTest
  @EnumSource
  void namesAreTheReferencesByAllStrategiesAndSchemes(TranslationStrategy strategy)
      throws Exception {
    for (EscapingScheme escaping : EscapingScheme.values()) {
      PrometheusOptions options =
          PrometheusOptions.DEFAULT
              .withTranslationStrategy(strategy)
              .withPromotedResourceAttributes(Set.of("a.b", "le", "host.name")::contains);
      compare(options, escaping, true, true, SEEDS_A_NAMING);
    }
  }

  private Expositions compare(
      PrometheusOptions options, EscapingScheme escaping, boolean kept, boolean stable, int seeds)
      throws Exception {
    // One exporter for all seeds: what it remembers of one source must not show in the next.
    Expositions exporter = new Expositions(chunks.pool(), options, escaping);
    for (long seed = 0; seed < seeds; seed++) {
      FakeMetrics source = GeneratedMetrics.of(seed);
      source.setStable(stable);
      if (!kept) {
        source.setBudget(new EncodedLabelsBudget(0));
      }
      byte[] bytes = exporter.protobuf(source);
      List<ClientModel.Message> families = ClientModel.parse(bytes);
      String what = escaping + " seed " + seed;
      compare(families, ReferenceExposition.ofProtobuf(source.metrics(), options, escaping), what);
      assertThat(ClientModel.serialize(families)).as(what).isEqualTo(bytes);
      assertThat(exporter.protobuf(source)).as("%s, second time", what).isEqualTo(bytes);
    }
    return exporter;
  }

  private static void compare(
      List<ClientModel.Message> families, ReferenceExposition reference, String what) {
    List<String> expectedFamilies = new ArrayList<>();
    List<Sample> expected = new ArrayList<>();
    for (ReferenceExposition.Family family : reference.families()) {
      String type = reference.word(family).replace("exponential", "histogram");
      String help = family.help.replace("\uD800", "\uFFFD");
      expectedFamilies.add(String.join(" ", family.name, type, family.unit, help));
      family.points.forEach(expected::addAll);
    }
    List<String> actualFamilies = new ArrayList<>();
    List<Sample> actual = new ArrayList<>();
    for (ClientModel.Message family : families) {
      String type = family.constant("type").toLowerCase(Locale.ROOT);
      actualFamilies.add(
          String.join(" ", family.text("name"), type, family.text("unit"), family.text("help")));
      assertThat(family.has("unit")).as(what).isEqualTo(!family.text("unit").isEmpty());
      assertThat(family.has("help")).as(what).isEqualTo(!family.text("help").isEmpty());
      actual.addAll(ProtobufSamples.of(family));
    }
    assertThat(actualFamilies).as(what).isEqualTo(expectedFamilies);
    assertThat(actual).as(what).hasSameSizeAs(expected);
    for (int i = 0; i < expected.size(); i++) {
      assertThat(actual.get(i).name()).as(what).isEqualTo(expected.get(i).name());
      assertThat(actual.get(i).labels()).as(what).isEqualTo(expected.get(i).labels());
      compare(actual.get(i).value(), expected.get(i).value(), what);
      ReferenceExemplars.Exemplar exemplar = actual.get(i).exemplar();
      ReferenceExemplars.Exemplar expectedExemplar = expected.get(i).exemplar();
      assertThat(exemplar == null).as(what).isEqualTo(expectedExemplar == null);
      if (exemplar != null && expectedExemplar != null) {
        assertThat(exemplar.labels().toString().replace("\uD800", "\uFFFD"))
            .as(what)
            .isEqualTo(expectedExemplar.labels().toString().replace("\uD800", "\uFFFD"));
        compare(exemplar.value(), expectedExemplar.value(), what);
        assertThat(exemplar.time()).as(what).isEqualTo(expectedExemplar.time());
      }
    }
  }

  /** The schema has doubles only where a metric may have whole numbers. */
  private static void compare(Number actual, Number expected, String what) {
    if (actual instanceof Double real) {
      assertThat(real).as(what).isEqualTo(Double.valueOf(expected.doubleValue()));
    } else {
      assertThat((Object) actual).as(what).isEqualTo(expected);
    }
  }

  @Test
  void theFormatSaysWhatItIs() {
    PrometheusFormats formats = new Expositions(chunks.pool(), PrometheusOptions.DEFAULT).formats();
    assertThat(formats.encoder(PrometheusFormat.PROTOBUF, EscapingScheme.ALLOW_UTF_8).contentType())
        .isEqualTo(
            "application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily;"
                + " encoding=delimited; escaping=allow-utf-8");
  }
}

package dev.millrace.format.prometheus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.model.FakeMetric;
import dev.millrace.model.FakeMetrics;
import dev.millrace.model.FakePoint;
import dev.millrace.model.Labels;
import dev.millrace.model.Resource;
import dev.millrace.model.Scope;
import dev.millrace.model.TypeHint;
import dev.millrace.testkit.GivenBack;
import dev.millrace.testkit.Promtool;
import dev.millrace.testkit.StrictOpenMetricsParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The same metrics by each strategy and each scheme, in files that a person reviews: {@code
 * src/test/resources/prometheus/names/}<i>strategy.scheme</i>. As in {@link GoldenTest}, {@code
 * -Dmillrace.goldens=write} writes them.
 */
class NamesGoldenTest {
  private static final Path FOLDER = Path.of("src/test/resources/prometheus/names");

  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(16), ChunkPool::outstandingChunks);

  /** All that differ: what has become underscores looks the same in all schemes but dots. */
  static Stream<Arguments> namings() {
    List<Arguments> namings = new ArrayList<>();
    for (TranslationStrategy strategy : TranslationStrategy.values()) {
      for (EscapingScheme escaping : EscapingScheme.values()) {
        if (!isLikeUnderscores(strategy, escaping)) {
          namings.add(Arguments.of(strategy, escaping));
        }
      }
    }
    return namings.stream();
  }

  private static boolean isLikeUnderscores(TranslationStrategy strategy, EscapingScheme escaping) {
    return strategy.escapesToUnderscores()
        && (escaping == EscapingScheme.ALLOW_UTF_8 || escaping == EscapingScheme.VALUES);
  }

  @ParameterizedTest
  @MethodSource("namings")
  void text(TranslationStrategy strategy, EscapingScheme escaping) throws IOException {
    GoldenTest.compare(
        exporter(strategy, escaping).text(source()), file(strategy, escaping, "txt"));
  }

  @ParameterizedTest
  @MethodSource("namings")
  void openMetrics(TranslationStrategy strategy, EscapingScheme escaping) throws IOException {
    GoldenTest.compare(
        exporter(strategy, escaping).openMetrics(source()), file(strategy, escaping, "om"));
  }

  @ParameterizedTest
  @EnumSource
  void whatHasBecomeUnderscoresLooksTheSame(EscapingScheme escaping) {
    for (TranslationStrategy strategy : TranslationStrategy.values()) {
      if (isLikeUnderscores(strategy, escaping)) {
        Expositions underscores = exporter(strategy, EscapingScheme.UNDERSCORES);
        assertThat(exporter(strategy, escaping).text(source()))
            .isEqualTo(underscores.text(source()));
        assertThat(exporter(strategy, escaping).openMetrics(source()))
            .isEqualTo(underscores.openMetrics(source()));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("namings")
  void promtoolReadsTextWithoutQuotedNames(TranslationStrategy strategy, EscapingScheme escaping)
      throws Exception {
    if (escaping != EscapingScheme.ALLOW_UTF_8) {
      byte[] text = Files.readAllBytes(file(strategy, escaping, "txt"));
      assertThat(Promtool.require().checkMetrics(text)).noneMatch(line -> line.contains("error"));
    }
  }

  @Test
  void theStrictParserReadsOpenMetricsWithoutQuotedNames() throws Exception {
    List<byte[]> expositions = new ArrayList<>();
    for (TranslationStrategy strategy : TranslationStrategy.values()) {
      expositions.add(Files.readAllBytes(file(strategy, EscapingScheme.UNDERSCORES, "om")));
      expositions.add(Files.readAllBytes(file(strategy, EscapingScheme.DOTS, "om")));
      if (!strategy.escapesToUnderscores()) {
        expositions.add(Files.readAllBytes(file(strategy, EscapingScheme.VALUES, "om")));
      }
    }
    StrictOpenMetricsParser.require().check(expositions);
  }

  private Expositions exporter(TranslationStrategy strategy, EscapingScheme escaping) {
    PrometheusOptions options =
        PrometheusOptions.DEFAULT
            .withTranslationStrategy(strategy)
            .withCreatedTimestamps(true)
            .withPromotedResourceAttributes("k8s.pod.name"::equals);
    return new Expositions(chunks.pool(), options, escaping);
  }

  private static Path file(
      TranslationStrategy strategy, EscapingScheme escaping, String extension) {
    return FOLDER.resolve(
        strategy.specificationName() + "." + escaping.headerValue() + "." + extension);
  }

  private static FakeMetrics source() {
    Resource resource =
        new Resource(Labels.of("service.name", "shop", "k8s.pod.name", "shop-7d4f"), "");
    Scope scope = new Scope("my.library", "1.0", "", Labels.of("team.name", "blue"));
    List<FakeMetric> metrics =
        List.of(
            FakeMetric.counter(
                    "foo.bar",
                    "By",
                    FakePoint.of(Labels.of("my.key", "a", "my_key", "b"), 1027)
                        .startedAt(1_700_000_000_250_000_000L),
                    FakePoint.of(Labels.of("2nd", "c", "naïve:key", "d"), 3))
                .describedAs("Bytes by way of \"foo\"."),
            FakeMetric.counter("done.total", "", FakePoint.of(Labels.EMPTY, 7))
                .describedAs("Done."),
            FakeMetric.histogram(
                    "http.server.request.duration",
                    "s",
                    FakePoint.histogram(
                        Labels.of("http.route", "/orders"), 0.75, new double[] {0.1, 1}, 1, 1, 0))
                .describedAs("Duration of requests."),
            FakeMetric.summary(
                    "größe",
                    "{item}",
                    FakePoint.of(
                        Labels.EMPTY,
                        new FakePoint.Summary(4, 10, new double[] {0.5}, new double[] {2.5})))
                .describedAs("Items by size."),
            FakeMetric.gauge("build.info", "", FakePoint.of(Labels.of("version", "1.2.3"), 1))
                .describedAs("What runs.")
                .hintedAs(TypeHint.INFO),
            FakeMetric.gauge(
                    "my.feature",
                    "",
                    FakePoint.of(Labels.of("my.feature", "on"), 1),
                    FakePoint.of(Labels.of("my.feature", "off"), 0))
                .describedAs("Which features are on.")
                .hintedAs(TypeHint.STATESET),
            FakeMetric.gauge("queue.length", "1", FakePoint.of(Labels.EMPTY, 5))
                .describedAs("Waiting.")
                .of(scope));
    return new FakeMetrics(metrics.stream().map(metric -> metric.of(resource)).toList());
  }
}

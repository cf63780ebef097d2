package dev.millrace.format.prometheus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.model.FakeMetric;
import dev.millrace.model.FakePoint;
import dev.millrace.model.Labels;
import dev.millrace.model.Resource;
import dev.millrace.testkit.GivenBack;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Resource attributes as labels. */
class PromotedAttributesTest {
  private static final PrometheusOptions PLAIN = PrometheusOptions.DEFAULT.withTargetInfo(false);

  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(16), ChunkPool::outstandingChunks);

  private Expositions exporter(PrometheusOptions options, Predicate<String> promoted) {
    return new Expositions(chunks.pool(), options.withPromotedResourceAttributes(promoted));
  }

  private static FakeMetric gauge(Labels resource, Labels... points) {
    FakePoint[] all = new FakePoint[points.length];
    for (int i = 0; i < all.length; i++) {
      all[i] = FakePoint.of(points[i], i + 1);
    }
    return FakeMetric.gauge("x", "", all).of(new Resource(resource, ""));
  }

  @Test
  void onlyWhatIsAskedForIsPromotedAndItStaysInTargetInfo() {
    Labels resource = Labels.of("host.name", "a", "os.type", "linux", "empty", "");
    assertThat(
            exporter(PrometheusOptions.DEFAULT, Set.of("host.name", "empty", "none")::contains)
                .text(gauge(resource, Labels.of("k", "1"), Labels.EMPTY)))
        .isEqualTo(
            """
            # HELP target_info Target metadata
            # TYPE target_info gauge
            target_info{empty="",host_name="a",os_type="linux"} 1
            # TYPE x gauge
            x{host_name="a",k="1"} 1
            x{host_name="a"} 2
            """);
  }

  @Test
  void nothingIsPromotedUnlessAskedFor() {
    assertThat(
            new Expositions(chunks.pool(), PLAIN)
                .text(gauge(Labels.of("host.name", "a"), Labels.EMPTY)))
        .isEqualTo("# TYPE x gauge\nx 1\n");
  }

  @Test
  void anAttributeOfThePointWins() {
    Expositions exporter = exporter(PLAIN, key -> true);
    assertThat(
            exporter.text(
                gauge(
                    Labels.of("host.name", "a", "zone", "z"),
                    Labels.of("host-name", "b"),
                    Labels.of("zone", ""),
                    Labels.EMPTY)))
        .isEqualTo(
            """
            # TYPE x gauge
            x{host_name="b",zone="z"} 1
            x{host_name="a",zone=""} 2
            x{host_name="a",zone="z"} 3
            """);
    assertThat(exporter.problems()).isEmpty();
  }

  @Test
  void valuesOfOtherTypesAreTexts() {
    Labels resource =
        new Labels.Builder().put("process.pid", 4711L).put("up", true).put("load", 0.5).build();
    assertThat(exporter(PLAIN, key -> true).text(gauge(resource, Labels.EMPTY)))
        .contains("x{load=\"0.5\",process_pid=\"4711\",up=\"true\"} 1\n");
  }

  @Test
  void promotedAttributesThatComeToOneNameAreOneLabel() {
    assertThat(
            exporter(PLAIN, key -> true)
                .text(
                    gauge(Labels.of("a_b", "2", "a.b", "1"), Labels.EMPTY, Labels.of("a-b", "3"))))
        .contains("x{a_b=\"1;2\"} 1\nx{a_b=\"3\"} 2\n");
  }

  @Test
  void theExportersOwnLabelsAreJoinedWithThem() {
    assertThat(
            exporter(PLAIN.withTargetLabels(true), Set.of("job", "instance")::contains)
                .text(
                    gauge(
                        Labels.of("service.name", "shop", "job", "nightly", "instance", "i"),
                        Labels.EMPTY,
                        Labels.of("job", "mine"))))
        .contains("x{instance=\"i\",job=\"shop;nightly\"} 1\n")
        .contains("x{instance=\"i\",job=\"shop;mine\"} 2\n");
  }

  @Test
  void labelsOfTheFormatAreNeverTwiceOnALine() {
    Expositions exporter = exporter(PLAIN, key -> true);
    Resource resource = new Resource(Labels.of("le", "9", "quantile", "8"), "");
    assertThat(
            exporter.text(
                FakeMetric.histogram(
                        "h", "", FakePoint.histogram(Labels.EMPTY, 1, new double[0], 1))
                    .of(resource)))
        .contains("h_bucket{quantile=\"8\",le=\"+Inf\"} 1\n");
    assertThat(exporter.problems()).isEqualTo(Map.of("prometheus_reserved_label", 1L));
  }

  @Test
  void seriesOfTwoResourcesThatComeToTheSameAreOne() {
    for (boolean pointFirst : new boolean[] {false, true}) {
      Expositions exporter = exporter(PLAIN, Set.of("a", "b.c")::contains);
      FakeMetric promoted = gauge(Labels.of("a", "1", "b.c", "2"), Labels.EMPTY);
      FakeMetric own = gauge(Labels.of("other", "1"), Labels.of("a", "1", "b_c", "2"));
      String text = pointFirst ? exporter.text(own, promoted) : exporter.text(promoted, own);
      assertThat(text).isEqualTo("# TYPE x gauge\nx{a=\"1\",b_c=\"2\"} 1\n");
      assertThat(exporter.problems()).isEqualTo(Map.of("prometheus_duplicate_series", 1L));
    }
  }

  @Test
  void aNameThatAnotherKeyHadFirstIsComparedToo() {
    Expositions exporter = exporter(PLAIN, "b.c"::equals);
    FakeMetric own = gauge(Labels.of("other", "1"), Labels.of("b_c", "2"));
    assertThat(exporter.text(own)).isEqualTo("# TYPE x gauge\nx{b_c=\"2\"} 1\n");
    FakeMetric promoted = gauge(Labels.of("b.c", "2"), Labels.EMPTY);
    assertThat(exporter.text(own, promoted)).isEqualTo("# TYPE x gauge\nx{b_c=\"2\"} 1\n");
    assertThat(exporter.problems()).isEqualTo(Map.of("prometheus_duplicate_series", 1L));
  }

  @Test
  void aPointThatHidesThePromotedAttributeMayBeAnotherPoint() {
    Expositions exporter = exporter(PLAIN, key -> true);
    assertThat(exporter.text(gauge(Labels.of("a", "1"), Labels.EMPTY, Labels.of("a", "1"))))
        .isEqualTo("# TYPE x gauge\nx{a=\"1\"} 1\n");
    assertThat(exporter.problems()).isEqualTo(Map.of("prometheus_duplicate_series", 1L));
  }

  @Test
  void namesAreThoseOfTheStrategy() {
    PrometheusOptions options =
        PLAIN
            .withTranslationStrategy(TranslationStrategy.NO_TRANSLATION)
            .withPromotedResourceAttributes(key -> true);
    FakeMetric metric = gauge(Labels.of("host.name", "a"), Labels.of("host_name", "b"));
    assertThat(new Expositions(chunks.pool(), options, EscapingScheme.ALLOW_UTF_8).text(metric))
        .contains("x{\"host.name\"=\"a\",host_name=\"b\"} 1\n");
    assertThat(new Expositions(chunks.pool(), options).text(metric))
        .contains("x{host_name=\"b\"} 1\n");
  }
}

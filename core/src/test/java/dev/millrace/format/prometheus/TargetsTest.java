package dev.millrace.format.prometheus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.model.FakeMetric;
import dev.millrace.model.FakePoint;
import dev.millrace.model.LabelType;
import dev.millrace.model.Labels;
import dev.millrace.model.Resource;
import dev.millrace.testkit.GivenBack;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Resources as {@code job}, {@code instance} and {@code target_info}. */
class TargetsTest {
  private static final PrometheusOptions AGENT = PrometheusOptions.DEFAULT.withTargetLabels(true);

  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(16), ChunkPool::outstandingChunks);

  private Expositions exporter(PrometheusOptions options) {
    return new Expositions(chunks.pool(), options);
  }

  private static FakeMetric gauge(Resource resource, long value) {
    return FakeMetric.gauge("x", "", FakePoint.of(Labels.EMPTY, value)).of(resource);
  }

  private static Resource resource(String... keysAndValues) {
    return new Resource(Labels.of(keysAndValues), "");
  }

  @Test
  void theSdksResourceIsTargetInfoAndNoLabel() {
    Expositions exporter = exporter(PrometheusOptions.DEFAULT);
    Resource resource = resource("service.name", "shop", "service.instance.id", "1");
    String samples = "target_info{service_instance_id=\"1\",service_name=\"shop\"} 1\n";
    assertThat(exporter.text(gauge(resource, 5)))
        .isEqualTo(
            "# HELP target_info Target metadata\n# TYPE target_info gauge\n"
                + samples
                + "# TYPE x gauge\nx 5\n");
    assertThat(exporter.openMetrics(gauge(resource, 5)))
        .isEqualTo(
            "# TYPE target info\n# HELP target Target metadata\n"
                + samples
                + "# TYPE x gauge\nx 5\n# EOF\n");
  }

  @Test
  void anEmptyResourceIsNoTarget() {
    assertThat(exporter(PrometheusOptions.DEFAULT).text(gauge(Resource.EMPTY, 1)))
        .isEqualTo("# TYPE x gauge\nx 1\n");
    assertThat(exporter(AGENT).text(gauge(Resource.EMPTY, 1)))
        .isEqualTo("# TYPE x gauge\nx{instance=\"\"} 1\n");
  }

  @Test
  void anEmptyServiceNameIsNoJobAndItsSeriesAreCompared() {
    FakeMetric metric =
        FakeMetric.gauge(
                "x",
                "",
                FakePoint.of(Labels.of("k", "5"), 1),
                FakePoint.of(new Labels.Builder().put("k", 5).build(), 2),
                FakePoint.of(Labels.of("k", "", "z", "5"), 3),
                FakePoint.of(Labels.of("z", "5"), 4))
            .of(resource("service.name", ""));
    Expositions exporter = exporter(AGENT.withTargetInfo(false));
    assertThat(exporter.text(metric).lines().filter(line -> !line.startsWith("#")))
        .containsExactly("x{instance=\"\",k=\"5\"} 1", "x{instance=\"\",k=\"\",z=\"5\"} 3");
    assertThat(exporter.problems()).isEqualTo(Map.of("prometheus_duplicate_series", 2L));
  }

  @Test
  void anSdkHasOneTargetAtMost() {
    Expositions exporter = exporter(PrometheusOptions.DEFAULT);
    String text = exporter.text(gauge(resource("a", "1"), 1), gauge(resource("a", "2"), 2));
    assertThat(text.lines().filter(line -> line.startsWith("target_info")))
        .containsExactly("target_info{a=\"1\"} 1");
    assertThat(exporter.problems())
        .isEqualTo(Map.of("prometheus_duplicate_series", 1L, "prometheus_duplicate_target", 1L));
  }

  @ParameterizedTest
  @CsvSource({
    "shop, cart, 1, 'instance=\"1\",job=\"shop/cart\"'",
    "'', cart, 1, 'instance=\"1\",job=\"cart\"'",
    ", cart, , 'instance=\"\",job=\"cart\"'",
    "shop, , 1, 'instance=\"1\"'"
  })
  void jobAndInstanceComeFromTheService(
      @Nullable String namespace, @Nullable String name, @Nullable String instance, String labels) {
    Labels.Builder attributes = new Labels.Builder().put("host.name", "h");
    if (namespace != null) {
      attributes.put("service.namespace", namespace);
    }
    if (name != null) {
      attributes.put("service.name", name);
    }
    if (instance != null) {
      attributes.put("service.instance.id", instance);
    }
    String text = exporter(AGENT).text(gauge(new Resource(attributes.build(), ""), 3));
    assertThat(text)
        .contains("\ntarget_info{host_name=\"h\"," + labels + "} 1\n", "\nx{" + labels + "} 3\n");
  }

  @Test
  void aResourceThatNothingIdentifiesHasNoTargetInfo() {
    assertThat(exporter(AGENT).text(gauge(resource("host.name", "h"), 1)))
        .isEqualTo("# TYPE x gauge\nx{instance=\"\"} 1\n");
  }

  @Test
  void eachTargetHasOneTargetInfo() {
    Expositions exporter = exporter(AGENT);
    String text =
        exporter.text(
            gauge(resource("service.name", "a", "service.instance.id", "1", "v", "1"), 1),
            gauge(resource("service.name", "a", "service.instance.id", "2", "v", "1"), 2),
            gauge(resource("service.name", "a", "service.instance.id", "1", "v", "1"), 3),
            gauge(resource("service.name", "a", "service.instance.id", "2", "v", "2"), 4));
    assertThat(text)
        .isEqualTo(
            """
            # HELP target_info Target metadata
            # TYPE target_info gauge
            target_info{instance="1",job="a",v="1"} 1
            target_info{instance="2",job="a",v="1"} 1
            # TYPE x gauge
            x{instance="1",job="a"} 1
            x{instance="2",job="a"} 2
            """);
    assertThat(exporter.problems())
        .isEqualTo(Map.of("prometheus_duplicate_series", 2L, "prometheus_duplicate_target", 1L));
  }

  @Test
  void resourceAttributesDoNotReplaceTheTargetsLabels() {
    Resource resource = resource("service.name", "shop", "job", "other", "instance", "other");
    assertThat(exporter(AGENT).text(gauge(resource, 1)))
        .contains("\ntarget_info{instance=\"\",job=\"shop\"} 1\n");
    assertThat(exporter(PrometheusOptions.DEFAULT).text(gauge(resource, 1)))
        .contains("\ntarget_info{instance=\"other\",job=\"other\",service_name=\"shop\"} 1\n");
  }

  @Test
  void targetsThatDifferOnlyInWhatIsNoTextAreOne() {
    Expositions exporter = exporter(AGENT.withTargetInfo(false));
    FakeMetric[] metrics = new FakeMetric[2];
    for (int i = 0; i < metrics.length; i++) {
      Labels.Builder attributes = new Labels.Builder();
      attributes.put("service.name", LabelType.STRING, new byte[] {'a', (byte) (0xfe + i)});
      metrics[i] = gauge(new Resource(attributes.build(), ""), i);
    }
    assertThat(exporter.text(metrics))
        .isEqualTo("# TYPE x gauge\nx{instance=\"\",job=\"a\uFFFD\"} 0\n");
    assertThat(exporter.problems()).isEqualTo(Map.of("prometheus_duplicate_series", 1L));
  }

  @Test
  void resourceAttributesOfOneNameAreJoined() {
    assertThat(exporter(PrometheusOptions.DEFAULT).text(gauge(resource("a.b", "1", "a_b", "2"), 1)))
        .contains("\ntarget_info{a_b=\"1;2\"} 1\n");
  }
}

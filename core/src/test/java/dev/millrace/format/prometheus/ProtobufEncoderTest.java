package dev.millrace.format.prometheus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.ChunkWriter;
import dev.millrace.format.MetricEncoder;
import dev.millrace.format.translation.Fault;
import dev.millrace.model.FakeMetric;
import dev.millrace.model.FakeMetrics;
import dev.millrace.model.FakePoint;
import dev.millrace.model.Labels;
import dev.millrace.model.MetricCursor;
import dev.millrace.model.Resource;
import dev.millrace.model.TypeHint;
import dev.millrace.testkit.GivenBack;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Families, start times and lengths in protobuf. */
class ProtobufEncoderTest {
  private static final PrometheusOptions PLAIN = PrometheusOptions.DEFAULT.withTargetInfo(false);

  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(16), ChunkPool::outstandingChunks);

  private Expositions exporter() {
    return new Expositions(chunks.pool(), PLAIN);
  }

  @Test
  void aCounter() throws Exception {
    byte[] bytes =
        exporter()
            .protobuf(
                FakeMetric.counter(
                        "foo",
                        "By",
                        FakePoint.of(Labels.of("a", "b"), 1).startedAt(1_700_000_000_250_000_000L))
                    .describedAs("Foo."));
    assertThat(ClientModel.parse(bytes).toString())
        .isEqualToIgnoringWhitespace(
            """
            [name: "foo_bytes_total"
            help: "Foo."
            type: COUNTER
            metric {
              label { name: "a" value: "b" }
              counter {
                value: 1.0
                created_timestamp { seconds: 1700000000 nanos: 250000000 }
              }
            }
            unit: "bytes"]
            """);
    // Length; name, help and type; the metric; the unit.
    assertThat(bytes).hasSize(1 + 17 + 6 + 2 + 2 + 8 + 24 + 7);
  }

  @Test
  void zerosAreWritten() throws Exception {
    byte[] bytes =
        exporter()
            .protobuf(
                FakeMetric.gauge("g", "", FakePoint.of(Labels.of("a", ""), 0)),
                FakeMetric.histogram(
                    "h", "", FakePoint.histogram(Labels.EMPTY, 0, new double[] {0}, 0, 0)));
    assertThat(ClientModel.parse(bytes).toString())
        .isEqualToIgnoringWhitespace(
            """
            [name: "g"
            type: GAUGE
            metric { label { name: "a" value: "" } gauge { value: 0.0 } },
            name: "h"
            type: HISTOGRAM
            metric {
              histogram {
                sample_count: 0
                sample_sum: 0.0
                bucket { cumulative_count: 0 upper_bound: 0.0 }
              }
            }]
            """);
  }

  @Test
  void infosAndStateSetsAreGaugesAndHintsAreKept() throws Exception {
    byte[] bytes =
        exporter()
            .protobuf(
                FakeMetric.gauge("build", "", FakePoint.of(Labels.of("v", "1"), 1))
                    .hintedAs(TypeHint.INFO),
                FakeMetric.gauge("mode", "", FakePoint.of(Labels.of("mode", "on"), 1))
                    .hintedAs(TypeHint.STATESET),
                FakeMetric.gauge("old", "", FakePoint.of(Labels.EMPTY, 1))
                    .hintedAs(TypeHint.UNKNOWN));
    List<String> families = new ArrayList<>();
    for (ClientModel.Message family : ClientModel.parse(bytes)) {
      families.add(family.text("name") + " " + family.constant("type"));
    }
    assertThat(families).containsExactly("build_info GAUGE", "mode GAUGE", "old UNTYPED");
  }

  @Test
  void targetInfoIsAGauge() throws Exception {
    Expositions exporter = new Expositions(chunks.pool(), PrometheusOptions.DEFAULT);
    Resource resource = new Resource(Labels.of("service.name", "shop", "host.name", "a\"b"), "");
    byte[] bytes =
        exporter.protobuf(FakeMetric.gauge("z", "", FakePoint.of(Labels.EMPTY, 2)).of(resource));
    assertThat(ClientModel.parse(bytes).get(0).toString())
        .isEqualToIgnoringWhitespace(
            """
            name: "target_info"
            help: "Target metadata"
            type: GAUGE
            metric {
              label { name: "host_name" value: "a\\"b" }
              label { name: "service_name" value: "shop" }
              gauge { value: 1.0 }
            }
            """);
    assertThat(ClientModel.serialize(ClientModel.parse(bytes))).isEqualTo(bytes);
  }

  @Test
  void namesAreWrittenAsTheyAreOrEscapedAsAsked() throws Exception {
    PrometheusOptions options =
        PLAIN.withTranslationStrategy(TranslationStrategy.NO_UTF8_ESCAPING_WITH_SUFFIXES);
    FakeMetrics source =
        new FakeMetrics(
            FakeMetric.counter(
                "wait.\"time\"", "s", FakePoint.of(Labels.of("my.\"key\\", "v"), 1)));
    Map<EscapingScheme, List<String>> expected =
        Map.of(
            EscapingScheme.ALLOW_UTF_8,
            List.of("wait.\"time\"_seconds_total", "my.\"key\\", "seconds"),
            EscapingScheme.UNDERSCORES,
            List.of("wait__time__seconds_total", "my__key_", "seconds"),
            EscapingScheme.DOTS,
            List.of("wait_dot___time____seconds__total", "my_dot___key__", ""),
            EscapingScheme.VALUES,
            List.of("U__wait_2e__22_time_22___seconds__total", "U__my_2e__22_key_5c_", ""));
    for (EscapingScheme scheme : EscapingScheme.values()) {
      Expositions exporter = new Expositions(chunks.pool(), options);
      MetricEncoder encoder = exporter.formats().encoder(PrometheusFormat.PROTOBUF, scheme);
      List<ClientModel.Message> families = ClientModel.parse(exporter.encode(encoder, source));
      ClientModel.Message label =
          families.get(0).messages("metric").get(0).messages("label").get(0);
      assertThat(
              List.of(
                  families.get(0).text("name"), label.text("name"), families.get(0).text("unit")))
          .as(scheme.name())
          .isEqualTo(expected.get(scheme));
    }
  }

  @Test
  void textAndProtobufKeepTheirLabelsApart() throws Exception {
    FakeMetrics source =
        new FakeMetrics(FakeMetric.gauge("g", "", FakePoint.of(Labels.of("a", "b\nc"), 1)));
    Expositions exporter = exporter();
    for (int i = 0; i < 2; i++) {
      assertThat(exporter.text(source)).isEqualTo("# TYPE g gauge\ng{a=\"b\\nc\"} 1\n");
      ClientModel.Message family = ClientModel.parse(exporter.protobuf(source)).get(0);
      ClientModel.Message label = family.messages("metric").get(0).messages("label").get(0);
      assertThat(label.text("value")).isEqualTo("b\nc");
    }
  }

  @Test
  void aNativeHistogramDoesNotStandInAFamilyOfClassicOnes() throws Exception {
    FakePoint point =
        FakePoint.of(Labels.of("a", "1"), new FakePoint.Exponential(1, 1, 0, 0, new long[] {1}));
    FakePoint classic = FakePoint.histogram(Labels.of("a", "2"), 1, new double[] {1}, 1, 0);
    Expositions exporter = exporter();
    FakeMetrics source =
        new FakeMetrics(
            FakeMetric.histogram("h", "", classic), FakeMetric.exponential("h", "", point));
    ClientModel.Message family = ClientModel.parse(exporter.protobuf(source)).get(0);
    assertThat(family.messages("metric")).hasSize(1);
    assertThat(exporter.problems()).isEqualTo(Map.of(Fault.TYPE_CONFLICT.kind(), 1L));
    assertThat(exporter.text(source))
        .contains("h_bucket{a=\"1\",le=\"+Inf\"} 1\n", "h_bucket{a=\"2\",le=\"+Inf\"} 1\n");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 100, 2_000, 5_000, 40_000})
  void aFamilyOfAnyLengthIsOneMessage(int size) throws Exception {
    FakeMetrics source = new FakeMetrics(histograms(size));
    Expositions exporter = exporter();
    byte[] bytes = exporter.protobuf(source);
    List<ClientModel.Message> families = ClientModel.parse(bytes);
    assertThat(families).hasSize(1);
    assertThat(families.get(0).messages("metric")).hasSize(size);
    assertThat(ClientModel.serialize(families)).isEqualTo(bytes);
    assertThat(exporter.protobuf(source)).isEqualTo(bytes);
  }

  @Test
  void aSourceThatMayChangeIsWrittenInParts() throws Exception {
    FakeMetrics source = new FakeMetrics(histograms(20_000));
    source.setStable(false);
    byte[] bytes = exporter().protobuf(source);
    List<ClientModel.Message> families = ClientModel.parse(bytes);
    Set<String> series = new HashSet<>();
    for (ClientModel.Message family : families) {
      assertThat(family.text("name")).isEqualTo("h_seconds");
      assertThat(family.text("help")).isEqualTo("Help.");
      assertThat(family.text("unit")).isEqualTo("seconds");
      family.messages("metric").forEach(metric -> series.add(metric.messages("label").toString()));
    }
    assertThat(series).hasSize(20_000);
    assertThat(families.size())
        .isBetween(2, 1 + bytes.length / (ProtobufEncoder.MAX_BUFFERED_BYTES * 9 / 10));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void seriesThatBecomeEqualStandThereOnce(boolean stable) throws Exception {
    FakePoint[] points = new FakePoint[30_000];
    for (int i = 0; i < points.length; i++) {
      String key = i % 3 == 0 ? "a.b" : i % 3 == 1 ? "a_b" : "a-b";
      points[i] = FakePoint.of(Labels.of(key, "v".repeat(40) + i / 3), i);
    }
    FakeMetrics source = new FakeMetrics(FakeMetric.gauge("g", "", points));
    source.setStable(stable);
    Expositions exporter = exporter();
    int metrics = 0;
    for (ClientModel.Message family : ClientModel.parse(exporter.protobuf(source))) {
      metrics += family.messages("metric").size();
    }
    assertThat(metrics).isEqualTo(10_000);
    assertThat(exporter.problems()).isEqualTo(Map.of(Fault.DUPLICATE_SERIES.kind(), 20_000L));
  }

  @Test
  void aSourceThatChangesThoughItSaidItWouldNotIsFoundOut() {
    FakePoint[] points = histograms(20_000).points().toArray(new FakePoint[0]);
    FakeMetrics source = new FakeMetrics(FakeMetric.histogram("h", "s", points));
    MetricEncoder encoder =
        exporter().formats().encoder(PrometheusFormat.PROTOBUF, EscapingScheme.UNDERSCORES);
    FakePoint longer = FakePoint.histogram(Labels.of("a", "b"), 0, new double[] {1}, 1, 1);
    boolean[] changed = {false};
    try (MetricCursor cursor = source.open();
        ChunkWriter out =
            new ChunkWriter(
                chunks.pool(),
                (chunk, pool) -> {
                  pool.giveBack(chunk);
                  if (!changed[0]) {
                    changed[0] = true;
                    points[19_999] = longer;
                    source.setPoints(0, points);
                    cursor.seekMetric(0);
                  }
                })) {
      assertThatThrownBy(() -> encoder.encode(cursor, out))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("family h_seconds");
    }
  }

  private static FakeMetric histograms(int size) {
    FakePoint[] points = new FakePoint[size];
    double[] bounds = {0.1, 1, 10};
    for (int i = 0; i < size; i++) {
      // Lengths of every sort, so that those of messages take one byte and more.
      Labels labels = Labels.of("i", Integer.toString(i), "x", "y".repeat(i % 200));
      points[i] =
          FakePoint.histogram(labels, i, bounds, i, i % 7, 1, 300)
              .startedAt(1_700_000_000_000_000_000L + i % 3);
    }
    return FakeMetric.histogram("h", "s", points).describedAs("Help.");
  }
}

package dev.millrace.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testkit.FreePort;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.exporter.prometheus.PrometheusHttpServer;
import io.opentelemetry.sdk.metrics.Aggregation;
import io.opentelemetry.sdk.metrics.InstrumentSelector;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.View;
import io.opentelemetry.sdk.resources.Resource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Every kind of instrument of one SDK, scraped from this exporter and from the SDK's own: the same
 * samples, in whatever order.
 */
class PeerComparisonTest {
  private static final Pattern SAMPLE = Pattern.compile("([^{ ]+)(?:\\{(.*)\\})? ([^ ]+)");
  private static final Pattern LABEL = Pattern.compile("([^=,]+)=\"((?:[^\"\\\\]|\\\\.)*)\",?");

  private final PrometheusExporter ours = PrometheusExporter.create(0);
  private final int peerPort = FreePort.find();
  private final SdkMeterProvider provider =
      SdkMeterProvider.builder()
          .setResource(
              Resource.create(
                  Attributes.builder()
                      .put("service.name", "shop")
                      .put("service.instance.id", "till-1")
                      .build()))
          .registerMetricReader(ours)
          .registerMetricReader(
              PrometheusHttpServer.builder().setHost("localhost").setPort(peerPort).build())
          .registerView(
              InstrumentSelector.builder().setName("*.exponential").build(),
              View.builder().setAggregation(Aggregation.base2ExponentialBucketHistogram()).build())
          .build();

  @BeforeEach
  void record() {
    Meter meter = provider.get("shop");
    for (int i = 0; i < 3; i++) {
      Attributes attributes =
          Attributes.of(
              AttributeKey.stringKey("payment.kind"),
              "a \"" + i + "\" \\ line\nnext",
              AttributeKey.longKey("till"),
              (long) i,
              AttributeKey.booleanKey("first"),
              i == 0);
      meter
          .counterBuilder("long.counter")
          .setDescription("Calls.")
          .setUnit("{call}")
          .build()
          .add(i + 1, attributes);
      meter
          .counterBuilder("double.counter")
          .ofDoubles()
          .setUnit("By")
          .build()
          .add(i / 3.0 + 0.1, attributes);
      meter.upDownCounterBuilder("up.down").build().add(-i, attributes);
      meter.upDownCounterBuilder("up.down.double").ofDoubles().build().add(i / 7.0, attributes);
      meter.gaugeBuilder("double.gauge").setUnit("Cel").build().set(1e21 / (i + 1), attributes);
      meter.gaugeBuilder("long.gauge").ofLongs().build().set(Long.MAX_VALUE - i, attributes);
      meter.histogramBuilder("explicit").setUnit("s").build().record(i * 7.5, attributes);
      meter.histogramBuilder("an.exponential").build().record(i * 7.5, attributes);
      meter
          .histogramBuilder("explicit.long")
          .ofLongs()
          .setExplicitBucketBoundariesAdvice(List.of(1L, 10L))
          .build()
          .record(i * 9L, attributes);
    }
    observe(meter);
  }

  private static void observe(Meter meter) {
    Attributes attributes = Attributes.of(AttributeKey.stringKey("k"), "v");
    meter
        .counterBuilder("observed.counter")
        .buildWithCallback(measurement -> measurement.record(7, attributes));
    meter
        .upDownCounterBuilder("observed.up.down")
        .ofDoubles()
        .buildWithCallback(measurement -> measurement.record(-0.5, attributes));
    meter
        .gaugeBuilder("observed.gauge")
        .buildWithCallback(measurement -> measurement.record(Double.NaN, attributes));
    meter
        .gaugeBuilder("observed.long.gauge")
        .ofLongs()
        .buildWithCallback(measurement -> measurement.record(-9, attributes));
  }

  @AfterEach
  void close() {
    provider.close();
  }

  @Test
  void inTheTextFormat() throws Exception {
    assertSame(Scrapes.TEXT);
  }

  @Test
  void inOpenMetrics() throws Exception {
    assertSame(Scrapes.OPEN_METRICS);
  }

  private void assertSame(String accept) throws Exception {
    for (int round = 0; round < 2; round++) {
      Map<String, List<Double>> own = samples(Scrapes.body(ours.address(), accept));
      Map<String, List<Double>> peer = samples(Scrapes.body(peerPort, accept));
      assertThat(own).hasSizeGreaterThan(60).isEqualTo(peer);
    }
  }

  /** The samples, by name and sorted labels. A series that stands twice has two values. */
  private static Map<String, List<Double>> samples(String exposition) {
    Map<String, List<Double>> samples = new TreeMap<>();
    for (String line : Scrapes.samples(exposition)) {
      Matcher matcher = SAMPLE.matcher(line);
      assertThat(matcher.matches()).as(line).isTrue();
      List<String> labels = new ArrayList<>();
      Matcher label = LABEL.matcher(matcher.group(2) == null ? "" : matcher.group(2));
      while (label.find()) {
        labels.add(label.group(1) + "=" + label.group(2));
      }
      Collections.sort(labels);
      samples
          .computeIfAbsent(matcher.group(1) + labels, key -> new ArrayList<>())
          .add(value(matcher.group(3)));
    }
    return samples;
  }

  private static double value(String text) {
    return switch (text) {
      case "+Inf" -> Double.POSITIVE_INFINITY;
      case "-Inf" -> Double.NEGATIVE_INFINITY;
      default -> Double.parseDouble(text);
    };
  }
}

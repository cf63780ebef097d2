package dev.millrace.opentelemetry.remotewrite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testkit.Eventually;
import dev.millrace.testkit.FreePort;
import dev.millrace.testkit.PrometheusServer;
import dev.millrace.testkit.RealProgram;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.metrics.ObservableDoubleGauge;
import io.opentelemetry.sdk.metrics.Aggregation;
import io.opentelemetry.sdk.metrics.InstrumentType;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.export.DefaultAggregationSelector;
import io.opentelemetry.sdk.metrics.export.PeriodicMetricReader;
import io.opentelemetry.sdk.resources.Resource;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What PromQL shows of what the SDK sent. */
class RealReceiversTest {
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final AttributeKey<String> KIND = AttributeKey.stringKey("kind");

  @TempDir Path directory;

  /** It answers 204 to 2.0 and stores nothing, so what it shows was sent again as 1.0. */
  @Test
  void anOldPrometheusShowsWhatWasSent() throws Exception {
    try (PrometheusServer prometheus =
        PrometheusServer.receiving(
            RealProgram.require("prometheus"),
            directory,
            FreePort.find(),
            "--enable-feature=native-histograms,exemplar-storage")) {
      check(prometheus);
    }
  }

  @Test
  void aNewPrometheusShowsWhatWasSent() throws Exception {
    try (PrometheusServer prometheus =
        PrometheusServer.receiving(
            RealProgram.requireNewer("prometheus"),
            directory,
            FreePort.find(),
            "--enable-feature=native-histograms,exemplar-storage",
            "--web.remote-write-receiver.accepted-protobuf-messages=prometheus.WriteRequest",
            "--web.remote-write-receiver.accepted-protobuf-messages=io.prometheus.write.v2.Request")) {
      check(prometheus);
    }
  }

  private static void check(PrometheusServer prometheus) throws IOException, InterruptedException {
    RemoteWriteExporter exporter =
        RemoteWriteExporter.builder()
            .endpoint(prometheus.remoteWriteEndpoint())
            .defaultAggregation(
                DefaultAggregationSelector.getDefault()
                    .with(InstrumentType.HISTOGRAM, Aggregation.base2ExponentialBucketHistogram()))
            .build();
    SdkMeterProvider provider =
        SdkMeterProvider.builder()
            .setResource(
                Resource.create(
                    Attributes.of(
                        AttributeKey.stringKey("service.name"), "shop",
                        AttributeKey.stringKey("service.instance.id"), "till-1")))
            .registerMetricReader(
                PeriodicMetricReader.builder(exporter).setInterval(Duration.ofHours(1)).build())
            .build();
    Meter meter = provider.get("demo");
    meter.counterBuilder("orders").build().add(3, Attributes.of(KIND, "cash"));
    meter.histogramBuilder("waiting").setUnit("s").build().record(0.5);
    ObservableDoubleGauge ends = meter.gaugeBuilder("ends").buildWithCallback(m -> m.record(7));
    assertThat(provider.forceFlush().join(LIMIT.toSeconds(), TimeUnit.SECONDS).isSuccess())
        .isTrue();
    expect(prometheus, "orders_total{job=\"shop\",instance=\"till-1\",kind=\"cash\"}", 3);
    expect(prometheus, "ends", 7);
    expect(prometheus, "histogram_count(waiting_seconds)", 1);
    expect(prometheus, "histogram_sum(waiting_seconds)", 0.5);
    expect(prometheus, "target_info{job=\"shop\"}", 1);
    ends.close();
    assertThat(provider.forceFlush().join(LIMIT.toSeconds(), TimeUnit.SECONDS).isSuccess())
        .isTrue();
    Eventually.isTrue("a stale gauge", LIMIT, () -> prometheus.query("ends").isEmpty());
    expect(prometheus, "orders_total{kind=\"cash\"}", 3);
    provider.close();
    Eventually.isTrue(
        "no series after the shutdown", LIMIT, () -> prometheus.query("orders_total").isEmpty());
    assertThat(exporter.outstandingChunks()).isZero();
  }

  private static void expect(PrometheusServer prometheus, String promql, double value) {
    Eventually.isTrue(
        promql + " = " + value,
        LIMIT,
        () ->
            prometheus.query(promql).size() == 1
                && prometheus.query(promql).get(0).value() == value);
  }
}

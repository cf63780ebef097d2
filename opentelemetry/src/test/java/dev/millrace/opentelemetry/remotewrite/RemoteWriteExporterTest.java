package dev.millrace.opentelemetry.remotewrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.export.http.HeaderSource;
import dev.millrace.export.push.Retry;
import dev.millrace.export.remotewrite.RemoteWriteDelivery;
import dev.millrace.export.remotewrite.RemoteWriterOptions;
import dev.millrace.testkit.Eventually;
import dev.millrace.testkit.FreePort;
import dev.millrace.testkit.RemoteWriteMessage;
import dev.millrace.testkit.RemoteWriteReceiver;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.ObservableDoubleGauge;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.common.export.MemoryMode;
import io.opentelemetry.sdk.metrics.InstrumentType;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.export.PeriodicMetricReader;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** From the SDK to a receiver that does what the test says. */
class RemoteWriteExporterTest {
  private static final Duration LIMIT = Duration.ofMinutes(1);
  private static final AttributeKey<String> KIND = AttributeKey.stringKey("kind");

  private RemoteWriteReceiver receiver;

  @BeforeEach
  void startReceiver() throws Exception {
    receiver = RemoteWriteReceiver.start();
  }

  @AfterEach
  void stopReceiver() {
    receiver.close();
  }

  private static SdkMeterProvider provider(RemoteWriteExporter exporter) {
    return SdkMeterProvider.builder()
        .setResource(
            Resource.create(
                Attributes.of(
                    AttributeKey.stringKey("service.name"), "shop",
                    AttributeKey.stringKey("service.instance.id"), "till-1")))
        .registerMetricReader(
            PeriodicMetricReader.builder(exporter).setInterval(Duration.ofHours(1)).build())
        .build();
  }

  private static boolean ends(CompletableResultCode result) {
    return result.join(LIMIT.toSeconds(), TimeUnit.SECONDS).isSuccess();
  }

  @Test
  void whatWasRecordedIsSentWithTheNamesOfAScrape() {
    RemoteWriteExporter exporter = RemoteWriteExporter.to(receiver.endpoint());
    try (SdkMeterProvider provider = provider(exporter)) {
      provider
          .get("demo")
          .counterBuilder("orders")
          .setUnit("{order}")
          .build()
          .add(3, Attributes.of(KIND, "cash"));
      assertThat(ends(provider.forceFlush())).isTrue();
      assertThat(receiver.samples("orders_total"))
          .singleElement()
          .satisfies(
              sample -> {
                assertThat(sample.series())
                    .isEqualTo(
                        "orders_total{instance=\"till-1\",job=\"shop\",kind=\"cash\","
                            + "otel_scope_name=\"demo\"}");
                assertThat(sample.value()).isEqualTo(3);
              });
      assertThat(receiver.samples("target_info")).hasSize(1);
    }
    assertThat(exporter.outstandingChunks()).isZero();
  }

  @Test
  void aSeriesThatIsMissingGetsAStaleMarkerOnce() {
    RemoteWriteExporter exporter = RemoteWriteExporter.to(receiver.endpoint());
    try (SdkMeterProvider provider = provider(exporter)) {
      provider.get("demo").gaugeBuilder("stays").buildWithCallback(m -> m.record(1));
      ObservableDoubleGauge ends =
          provider.get("demo").gaugeBuilder("ends").buildWithCallback(m -> m.record(2));
      assertThat(ends(provider.forceFlush())).isTrue();
      ends.close();
      assertThat(ends(provider.forceFlush())).isTrue();
      assertThat(ends(provider.forceFlush())).isTrue();
      assertThat(receiver.samples("ends"))
          .extracting(RemoteWriteMessage.Sample::isStale)
          .containsExactly(false, true);
      assertThat(receiver.samples("stays"))
          .extracting(RemoteWriteMessage.Sample::value)
          .containsExactly(1.0, 1.0, 1.0);
    }
  }

  @Test
  void allSeriesEndWithTheProcess() {
    RemoteWriteExporter exporter = RemoteWriteExporter.to(receiver.endpoint());
    try (SdkMeterProvider provider = provider(exporter)) {
      provider.get("demo").counterBuilder("orders").build().add(3);
    }
    List<RemoteWriteMessage.Sample> samples = receiver.samples("orders_total");
    assertThat(samples).extracting(RemoteWriteMessage.Sample::isStale).containsExactly(false, true);
    assertThat(samples.get(1).timeMillis()).isGreaterThan(samples.get(0).timeMillis());
    assertThat(exporter.outstandingChunks()).isZero();
  }

  @Test
  void anExportWaitsForNoReceiverAndAFlushDoes() {
    receiver.answer(503, 503);
    RemoteWriteExporter exporter = RemoteWriteExporter.to(receiver.endpoint());
    try (SdkMeterProvider provider = provider(exporter)) {
      provider.get("demo").counterBuilder("orders").build().add(3);
      assertThat(ends(provider.forceFlush())).isTrue();
      assertThat(receiver.samples("orders_total")).hasSize(1);
      assertThat(receiver.requests()).extracting(RemoteWriteReceiver.Request::status).contains(503);
    }
  }

  @Test
  void aDeadEndpointSlowsNoOther() {
    URI dead = URI.create("http://127.0.0.1:" + FreePort.find() + "/api/v1/write");
    RemoteWriteExporter exporter =
        RemoteWriteExporter.builder()
            .endpoint(
                RemoteWriterOptions.to(dead)
                    .withDelivery(RemoteWriteDelivery.defaults().withTimeoutMillis(500)))
            .endpoint(receiver.endpoint())
            .build();
    try (SdkMeterProvider provider = provider(exporter)) {
      provider.get("demo").counterBuilder("orders").build().add(3);
      assertThat(ends(provider.forceFlush())).as("the dead one has not ended").isFalse();
      assertThat(receiver.samples("orders_total")).hasSize(1);
    }
    assertThat(receiver.samples("orders_total")).hasSize(3);
    assertThat(exporter.outstandingChunks()).isZero();
  }

  @Test
  void headersAndTheVersionAreThoseThatWereAskedFor() {
    RemoteWriteExporter exporter =
        RemoteWriteExporter.builder()
            .endpoint(
                RemoteWriterOptions.to(receiver.endpoint())
                    .withHeaders(HeaderSource.of(Map.of("X-Scope-OrgID", "secret"))))
            .build();
    assertThat(exporter.toString())
        .isEqualTo("RemoteWriteExporter{http://127.0.0.1:" + receiver.endpoint().getPort() + "}");
    try (SdkMeterProvider provider = provider(exporter)) {
      provider.get("demo").counterBuilder("orders").build().add(3);
      assertThat(ends(provider.forceFlush())).isTrue();
      RemoteWriteReceiver.Request request = receiver.requests().get(0);
      assertThat(request.headers().getFirst("X-Scope-OrgID")).isEqualTo("secret");
      assertThat(request.headers().getFirst("X-Prometheus-Remote-Write-Version"))
          .isEqualTo("2.0.0");
      assertThat(request.headers().getFirst("Content-Encoding")).isEqualTo("snappy");
      assertThat(request.message().version()).isEqualTo(2);
    }
  }

  @Test
  void tellsOfItsHealth() {
    InMemoryMetricReader health = InMemoryMetricReader.create();
    SdkMeterProvider own = SdkMeterProvider.builder().registerMetricReader(health).build();
    RemoteWriteExporter exporter =
        RemoteWriteExporter.builder()
            .endpoint(receiver.endpoint())
            .meterProvider(() -> own)
            .build();
    try (SdkMeterProvider provider = provider(exporter)) {
      provider.get("demo").counterBuilder("orders").build().add(3);
      assertThat(ends(provider.forceFlush())).isTrue();
      // The first answer of all would be taken for that of a receiver that lacks 2.0.
      receiver.answer(400);
      assertThat(ends(provider.forceFlush())).isTrue();
      Eventually.isTrue(
          "samples that were sent",
          LIMIT,
          () -> sum(health, "millrace.remote_write.samples.sent") > 0);
      assertThat(sum(health, "millrace.remote_write.samples")).isPositive();
      assertThat(sum(health, "millrace.remote_write.samples.dropped")).isPositive();
      assertThat(sum(health, "millrace.remote_write.requests")).isGreaterThanOrEqualTo(2);
      assertThat(sum(health, "millrace.remote_write.request.size")).isPositive();
      assertThat(health.collectAllMetrics())
          .extracting(MetricData::getName)
          .contains(
              "millrace.remote_write.queue.samples",
              "millrace.remote_write.queue.age",
              "millrace.remote_write.request.time");
    }
    assertThat(health.collectAllMetrics()).as("after the shutdown").isEmpty();
    own.close();
  }

  private static long sum(InMemoryMetricReader reader, String name) {
    return reader.collectAllMetrics().stream()
        .filter(metric -> metric.getName().equals(name))
        .flatMap(metric -> metric.getLongSumData().getPoints().stream())
        .mapToLong(point -> point.getValue())
        .sum();
  }

  @Test
  void aMeterProviderThatThrowsCostsNoExport() {
    RemoteWriteExporter exporter =
        RemoteWriteExporter.builder()
            .endpoint(receiver.endpoint())
            .meterProvider(
                () -> {
                  throw new IllegalStateException("not yet");
                })
            .build();
    try (SdkMeterProvider provider = provider(exporter)) {
      provider.get("demo").counterBuilder("orders").build().add(3);
      assertThat(ends(provider.forceFlush())).isTrue();
      assertThat(receiver.samples("orders_total")).hasSize(1);
    }
  }

  @Test
  void takesNothingAfterTheShutdown() {
    RemoteWriteExporter exporter = RemoteWriteExporter.to(receiver.endpoint());
    assertThat(ends(exporter.shutdown())).isTrue();
    assertThat(ends(exporter.shutdown())).isTrue();
    assertThat(exporter.export(List.of()).isSuccess()).isFalse();
  }

  @Test
  void aShutdownEndsInItsTimeThoughNobodyAnswers() {
    URI dead = URI.create("http://127.0.0.1:" + FreePort.find() + "/api/v1/write");
    RemoteWriteExporter exporter =
        RemoteWriteExporter.builder()
            .endpoint(
                RemoteWriterOptions.to(dead)
                    .withDelivery(
                        RemoteWriteDelivery.defaults()
                            .withTimeoutMillis(200)
                            .withRetry(new Retry(Integer.MAX_VALUE, 60_000, 60_000, 1, 0))))
            .build();
    SdkMeterProvider provider = provider(exporter);
    provider.get("demo").counterBuilder("orders").build().add(3);
    provider.shutdown().join(LIMIT.toSeconds(), TimeUnit.SECONDS);
    Eventually.isTrue("all chunks back", LIMIT, () -> exporter.outstandingChunks() == 0);
  }

  @Test
  void readsReusableCumulativeData() {
    RemoteWriteExporter exporter = RemoteWriteExporter.to(receiver.endpoint());
    assertThat(exporter.getMemoryMode()).isEqualTo(MemoryMode.REUSABLE_DATA);
    for (InstrumentType type : InstrumentType.values()) {
      assertThat(exporter.getAggregationTemporality(type))
          .isEqualTo(AggregationTemporality.CUMULATIVE);
    }
    exporter.shutdown();
  }

  @Test
  void whatCannotBeUsedIsAnErrorAtOnce() {
    assertThatThrownBy(() -> RemoteWriteExporter.to(URI.create("ftp://host/api")))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> RemoteWriteExporter.builder().encodedLabelsBytes(-1))
        .hasMessageContaining("expected 0 or more, found -1");
    RemoteWriteExporterBuilder two = RemoteWriteExporter.builder().endpoint(receiver.endpoint());
    assertThatThrownBy(() -> two.endpoint(URI.create("http://user:secret@host/api")))
        .isInstanceOf(IllegalArgumentException.class)
        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("secret"));
  }
}

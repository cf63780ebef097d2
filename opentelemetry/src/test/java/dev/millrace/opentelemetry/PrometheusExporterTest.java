package dev.millrace.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.millrace.export.server.ScrapeHttpHandler;
import dev.millrace.model.Problems;
import dev.millrace.testkit.Eventually;
import io.opentelemetry.api.metrics.LongCounter;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.common.export.MemoryMode;
import io.opentelemetry.sdk.metrics.Aggregation;
import io.opentelemetry.sdk.metrics.InstrumentType;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.export.DefaultAggregationSelector;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class PrometheusExporterTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  @Test
  void oneLineIsEnough() throws Exception {
    PrometheusExporter exporter = PrometheusExporter.create(0);
    try (SdkMeterProvider provider =
        SdkMeterProvider.builder().registerMetricReader(exporter).build()) {
      assertThat(exporter.address().getAddress().isLoopbackAddress()).isTrue();
      LongCounter orders = provider.get("shop").counterBuilder("orders").build();
      orders.add(3);
      assertThat(Scrapes.body(exporter.address(), Scrapes.TEXT))
          .contains("# TYPE orders_total counter\n")
          .contains("orders_total{otel_scope_name=\"shop\"} 3\n");
      orders.add(4);
      assertThat(Scrapes.body(exporter.address(), Scrapes.TEXT))
          .contains("orders_total{otel_scope_name=\"shop\"} 7\n");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "text/plain;version=0.0.4;escaping=underscores",
        "text/plain;version=1.0.0;escaping=allow-utf-8",
        "application/openmetrics-text;version=0.0.1;escaping=dots",
        "application/openmetrics-text;version=1.0.0;escaping=values",
        "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;"
            + "encoding=delimited;escaping=underscores"
      })
  void theScraperChoosesTheFormat(String accept) throws Exception {
    PrometheusExporter exporter = PrometheusExporter.create(0);
    try (SdkMeterProvider provider =
        SdkMeterProvider.builder().registerMetricReader(exporter).build()) {
      provider.get("shop").counterBuilder("orders").build().add(3);
      Scrapes.Response response =
          Scrapes.get(exporter.address().getPort(), "/metrics", Map.of("Accept", accept));
      assertThat(response.contentType().replace(" ", "").replace("charset=utf-8;", ""))
          .isEqualTo(accept);
      assertThat(response.body()).contains("orders").contains("shop");
    }
  }

  @Test
  void readsCumulativeValuesIntoReusableMemory() {
    try (PrometheusExporter exporter = PrometheusExporter.builder().build()) {
      assertThat(exporter.getMemoryMode()).isEqualTo(MemoryMode.REUSABLE_DATA);
      for (InstrumentType type : InstrumentType.values()) {
        assertThat(exporter.getAggregationTemporality(type))
            .isEqualTo(AggregationTemporality.CUMULATIVE);
        assertThat(exporter.getDefaultAggregation(type))
            .isEqualTo(Aggregation.defaultAggregation());
      }
      assertThat(exporter.forceFlush().isSuccess()).isTrue();
    }
  }

  @Test
  void aggregatesAsTheBuilderSays() {
    DefaultAggregationSelector exponential =
        DefaultAggregationSelector.getDefault()
            .with(InstrumentType.HISTOGRAM, Aggregation.base2ExponentialBucketHistogram());
    try (PrometheusExporter exporter =
        PrometheusExporter.builder().defaultAggregation(exponential).build()) {
      assertThat(exporter.getDefaultAggregation(InstrumentType.HISTOGRAM))
          .isEqualTo(Aggregation.base2ExponentialBucketHistogram());
      assertThat(exporter.getDefaultAggregation(InstrumentType.COUNTER))
          .isEqualTo(Aggregation.defaultAggregation());
    }
  }

  @Test
  void aTakenPortFailsWhenTheExporterIsBuilt() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertThatThrownBy(() -> PrometheusExporter.create(taken.getLocalPort()))
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining("port " + taken.getLocalPort());
    }
    try (PrometheusExporter first = PrometheusExporter.create(0)) {
      int port = first.address().getPort();
      assertThatThrownBy(() -> PrometheusExporter.create(port))
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining("port " + port);
    }
  }

  @Test
  void twoExportersShowTheSameSdk() throws Exception {
    PrometheusExporter first = PrometheusExporter.create(0);
    PrometheusExporter second = PrometheusExporter.builder().endpoint("localhost", 0).build();
    try (SdkMeterProvider provider =
        SdkMeterProvider.builder()
            .registerMetricReader(first)
            .registerMetricReader(second)
            .build()) {
      provider.get("shop").counterBuilder("orders").build().add(3);
      assertThat(Scrapes.body(first.address(), Scrapes.TEXT))
          .isEqualTo(Scrapes.body(second.address(), Scrapes.TEXT))
          .contains("orders_total");
    }
  }

  @Test
  void withoutAnEndpointItsHandlerIsMountedElsewhere() throws Exception {
    PrometheusExporter exporter = PrometheusExporter.builder().build();
    assertThatThrownBy(exporter::address)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("endpoint");
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/app/m", new ScrapeHttpHandler(exporter.handler(), new Problems()));
    server.start();
    try (SdkMeterProvider provider =
        SdkMeterProvider.builder().registerMetricReader(exporter).build()) {
      provider.get("shop").counterBuilder("orders").build().add(3);
      assertThat(Scrapes.get(server.getAddress().getPort(), "/app/m", Map.of()).body())
          .contains("orders_total{otel_scope_name=\"shop\"} 3\n");
      assertThat(provider.shutdown().join(60, TimeUnit.SECONDS).isSuccess()).isTrue();
      Scrapes.Response afterwards = Scrapes.get(server.getAddress().getPort(), "/app/m", Map.of());
      assertThat(afterwards.status()).isEqualTo(200);
      assertThat(Scrapes.samples(afterwards.body())).isEmpty();
    } finally {
      server.stop(0);
    }
  }

  @Test
  void theHandlerOfAServerOfItsOwnIsNotGivenOut() {
    try (PrometheusExporter exporter = PrometheusExporter.create(0)) {
      assertThatThrownBy(exporter::handler)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining(Integer.toString(exporter.address().getPort()));
    }
  }

  @Test
  void anOptionOfTheServerNeedsAnEndpoint() {
    assertThatThrownBy(() -> PrometheusExporter.builder().path("/m").build())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("path");
    assertThatThrownBy(() -> PrometheusExporter.builder().endpoint(65_536))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("65536");
    assertThatThrownBy(() -> PrometheusExporter.builder().encodedLabelsBytes(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("-1");
  }

  @Test
  void shutdownFreesThePortAndMayBeRepeated() throws Exception {
    PrometheusExporter exporter = PrometheusExporter.create(0);
    SdkMeterProvider provider = SdkMeterProvider.builder().registerMetricReader(exporter).build();
    Scrapes.body(exporter.address(), Scrapes.TEXT);
    CompletableResultCode shutdown = provider.shutdown().join(60, TimeUnit.SECONDS);
    assertThat(shutdown.isSuccess()).isTrue();
    assertThatThrownBy(() -> Scrapes.body(exporter.address(), Scrapes.TEXT))
        .isInstanceOf(ConnectException.class);
    assertThat(exporter.shutdown().isSuccess()).isTrue();
    exporter.close();
    try (PrometheusExporter next = PrometheusExporter.create(exporter.address().getPort())) {
      assertThat(next.address().getPort()).isEqualTo(exporter.address().getPort());
    }
  }

  @Test
  void shutdownDoesNotWaitForAScrapeThatHangs() throws Exception {
    CountDownLatch scraping = new CountDownLatch(1);
    CountDownLatch letGo = new CountDownLatch(1);
    PrometheusExporter exporter = PrometheusExporter.create(0);
    SdkMeterProvider provider = SdkMeterProvider.builder().registerMetricReader(exporter).build();
    provider
        .get("shop")
        .gaugeBuilder("slow")
        .buildWithCallback(
            measurement -> {
              scraping.countDown();
              awaitUninterruptibly(letGo);
              measurement.record(1);
            });
    AtomicReference<Object> answer = new AtomicReference<>();
    Thread scraper =
        new Thread(
            () -> {
              try {
                answer.set(Scrapes.body(exporter.address(), Scrapes.TEXT));
              } catch (IOException | AssertionError e) {
                answer.set(e);
              }
            });
    scraper.start();
    scraping.await();
    // The scrape stands in the callback until after this.
    assertThat(provider.shutdown().join(60, TimeUnit.SECONDS).isSuccess()).isTrue();
    assertThat(letGo.getCount()).isEqualTo(1);
    try (ServerSocket free =
        new ServerSocket(exporter.address().getPort(), 1, InetAddress.getLoopbackAddress())) {
      assertThat(free.isBound()).isTrue();
    }
    letGo.countDown();
    scraper.join();
    assertThat(answer.get()).isNotNull();
  }

  @Test
  void noThreadKeepsTheJvmAlive() throws Exception {
    Set<Thread> before = threads();
    try (PrometheusExporter exporter = PrometheusExporter.create(0)) {
      Scrapes.body(exporter.address(), Scrapes.TEXT);
      assertThat(threads())
          .filteredOn(thread -> !before.contains(thread))
          .isNotEmpty()
          .allMatch(Thread::isDaemon);
    }
    Eventually.isTrue(
        "the exporter's threads end with it",
        LIMIT,
        () ->
            threads().stream()
                .noneMatch(
                    thread -> !before.contains(thread) && thread.getName().startsWith("millrace")));
  }

  private static Set<Thread> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(Thread::isAlive)
        .collect(Collectors.toSet());
  }

  /** As code of an application that does not care for interrupts would. */
  private static void awaitUninterruptibly(CountDownLatch latch) {
    boolean over = false;
    while (!over) {
      try {
        latch.await();
        over = true;
      } catch (InterruptedException e) {
        over = false;
      }
    }
  }
}

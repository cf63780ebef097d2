package dev.millrace.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.export.scrape.ScrapeRequest;
import dev.millrace.testkit.Eventually;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.export.CollectionRegistration;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * What the heap holds after series came and went by the hundred thousand.
 *
 * <p>The SDK itself, where it reuses its data objects, keeps as many of them as there ever were
 * series at once, and the last attributes of each. So that this is not what is measured, the SDK is
 * read here by a reader that it makes new data for.
 */
class RetainedMemoryTest {
  private static final int WAVE_SERIES = 100_000;
  private static final int WAVES = 5;

  /**
   * What may stay: what the JVM itself adds meanwhile. The series of a single wave and their labels
   * take more than twenty times this.
   */
  private static final long BOUND_BYTES = 1L << 20;

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final AttributeKey<String> PATH = AttributeKey.stringKey("path");
  private static final ScrapeRequest TEXT = new ScrapeRequest(Scrapes.TEXT, null, false);
  private static final ScrapeRequest OPEN_METRICS =
      new ScrapeRequest(Scrapes.OPEN_METRICS, "gzip", false);

  private final PrometheusExporter exporter = PrometheusExporter.builder().build();
  private final InMemoryMetricReader sdkReader = InMemoryMetricReader.create();
  private final AtomicInteger wave = new AtomicInteger();
  private final AtomicInteger waveSeries = new AtomicInteger();
  private final DiscardingReply reply = new DiscardingReply();

  @Test
  void returnsToWhereItWasBeforeTheWaves() {
    try (SdkMeterProvider provider =
        SdkMeterProvider.builder()
            // While one wave is observed, the SDK still has the one before.
            .registerMetricReader(sdkReader, type -> 2 * WAVE_SERIES + 1)
            .build()) {
      provider
          .get("churn")
          .gaugeBuilder("churn")
          .buildWithCallback(
              measurement -> {
                int first = wave.get() * WAVE_SERIES;
                for (int i = 0; i < waveSeries.get(); i++) {
                  measurement.record(i, attributes(first + i));
                }
              });
      exporter.register(
          new CollectionRegistration() {
            @Override
            public Collection<MetricData> collectAllMetrics() {
              return sdkReader.collectAllMetrics();
            }
          });
      // The first ones load classes, fill pools, and let the SDK's tables grow to hold two waves.
      runWaves(3);
      long before = leastUsedBytes();
      runWaves(WAVES);
      Eventually.isTrue(
          "a heap of at most " + BOUND_BYTES + " bytes over " + before,
          LIMIT,
          () -> leastUsedBytes() - before <= BOUND_BYTES);
    }
  }

  /** Each wave has other series than all before it; after the last one there are none. */
  private void runWaves(int waves) {
    for (int i = 0; i < waves; i++) {
      wave.incrementAndGet();
      waveSeries.set(WAVE_SERIES);
      scrape();
      assertThat(reply.lengthBytes()).isGreaterThan(0);
    }
    waveSeries.set(0);
    scrape();
  }

  private void scrape() {
    exporter.handler().handle(OPEN_METRICS, reply);
    exporter.handler().handle(TEXT, reply);
  }

  private static Attributes attributes(int number) {
    return Attributes.of(PATH, "/some/path/of/ordinary/length/" + number);
  }

  /** What is used once nothing more can be collected. */
  private static long leastUsedBytes() {
    Runtime runtime = Runtime.getRuntime();
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 5; i++) {
      System.gc();
      least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
    }
    return least;
  }
}

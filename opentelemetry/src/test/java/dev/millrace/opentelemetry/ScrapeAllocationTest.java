package dev.millrace.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.export.scrape.ScrapeRequest;
import dev.millrace.testkit.AllocationMeter;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.api.metrics.LongCounter;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A scrape of 1,000 series in steady state, the SDK's own collection included: 700 counters, 100
 * histograms and 200 observable gauges, three attributes each.
 */
class ScrapeAllocationTest {
  /** What a scrape may allocate, the SDK's part included. */
  private static final long LIMIT_BYTES = 16 * 1024;

  private static final int WARMUPS = 300;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "none",
      textBlock =
          """
          text/plain; version=0.0.4                   | none
          application/openmetrics-text; version=1.0.0 | none
          application/openmetrics-text; version=1.0.0 | gzip
          """)
  void allocatesNextToNothing(String accept, String acceptEncoding) throws Exception {
    PrometheusExporter exporter = PrometheusExporter.builder().build();
    DiscardingReply reply = new DiscardingReply();
    try (SdkMeterProvider provider =
        SdkMeterProvider.builder().registerMetricReader(exporter).build()) {
      record(provider.get("scope"));
      ScrapeRequest request = new ScrapeRequest(accept, acceptEncoding, false);
      long bytes =
          AllocationMeter.bytesPerOperation(
              WARMUPS, 20, () -> exporter.handler().handle(request, reply));
      assertThat(bytes).isLessThanOrEqualTo(LIMIT_BYTES);
      assertThat(reply.lengthBytes()).isGreaterThan(acceptEncoding == null ? 100_000 : 5_000);
    }
  }

  private static void record(Meter meter) {
    LongCounter counter = meter.counterBuilder("requests").build();
    for (int i = 0; i < 700; i++) {
      counter.add(i, attributes(i));
    }
    DoubleHistogram histogram = meter.histogramBuilder("duration").setUnit("s").build();
    for (int i = 0; i < 100; i++) {
      for (int value = 0; value < 20; value++) {
        histogram.record(value * i, attributes(i));
      }
    }
    Attributes[] observed = new Attributes[200];
    for (int i = 0; i < observed.length; i++) {
      observed[i] = attributes(i);
    }
    meter
        .gaugeBuilder("load")
        .buildWithCallback(
            measurement -> {
              for (int i = 0; i < observed.length; i++) {
                measurement.record(i / 3.0, observed[i]);
              }
            });
  }

  private static Attributes attributes(int number) {
    return Attributes.of(
        AttributeKey.stringKey("method"),
        number % 2 == 0 ? "GET" : "POST",
        AttributeKey.stringKey("route"),
        "/shop/items/" + number,
        AttributeKey.longKey("status"),
        200L + number % 3);
  }
}

package dev.millrace.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.model.EncodedLabelsBudget;
import dev.millrace.model.MetricCursor;
import dev.millrace.model.Series;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.LongCounter;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.sdk.common.export.MemoryMode;
import io.opentelemetry.sdk.metrics.Aggregation;
import io.opentelemetry.sdk.metrics.InstrumentSelector;
import io.opentelemetry.sdk.metrics.InstrumentType;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.View;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader;
import io.opentelemetry.sdk.testing.time.TestClock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class MillraceMetricReaderTest {
  private static final Object ENCODING = new Object();
  private static final int WAVE_SERIES = 100_000;

  private final EncodedLabelsBudget budget = new EncodedLabelsBudget(64 << 20);
  private final MillraceMetricReader reader = new MillraceMetricReader(budget);

  @Test
  void showsWhatTheSdkCollects() {
    TestClock clock = TestClock.create();
    InMemoryMetricReader reference = InMemoryMetricReader.create();
    SdkMeterProvider provider =
        SdkMeterProvider.builder()
            .setClock(clock)
            .registerMetricReader(reader)
            .registerMetricReader(reference)
            .registerView(
                InstrumentSelector.builder().setName("exponential").build(),
                View.builder()
                    .setAggregation(Aggregation.base2ExponentialBucketHistogram())
                    .build())
            .build();
    Meter meter = provider.get("scope");
    recordEveryInstrument(meter);
    for (int round = 0; round < 3; round++) {
      try (MetricCursor cursor = reader.source().open()) {
        assertThat(cursor.metricCount()).isEqualTo(9);
        CursorChecks.assertShows(cursor, reference.collectAllMetrics());
      }
    }
    provider.close();
  }

  private static void recordEveryInstrument(Meter meter) {
    for (int i = 0; i < 20; i++) {
      Attributes attributes = TestData.attributes(i);
      meter.counterBuilder("long.counter").setUnit("{call}").build().add(i, attributes);
      meter.counterBuilder("double.counter").ofDoubles().build().add(i / 8.0, attributes);
      meter.upDownCounterBuilder("up.down").build().add(-i, attributes);
      meter.gaugeBuilder("double.gauge").build().set(i / 3.0, attributes);
      meter.gaugeBuilder("long.gauge").ofLongs().build().set(i, attributes);
      meter.histogramBuilder("explicit").setUnit("s").build().record(i * 7.5, attributes);
      meter.histogramBuilder("exponential").build().record(i * 0.3, attributes);
    }
    meter
        .counterBuilder("observed.counter")
        .buildWithCallback(measurement -> measurement.record(7, TestData.attributes(1)));
    meter
        .gaugeBuilder("observed.gauge")
        .buildWithCallback(measurement -> measurement.record(0.7, TestData.attributes(2)));
  }

  @Test
  void readsCumulativeValuesIntoReusableMemory() {
    assertThat(reader.getMemoryMode()).isEqualTo(MemoryMode.REUSABLE_DATA);
    for (InstrumentType type : InstrumentType.values()) {
      assertThat(reader.getAggregationTemporality(type))
          .isEqualTo(AggregationTemporality.CUMULATIVE);
    }
    SdkMeterProvider provider = SdkMeterProvider.builder().registerMetricReader(reader).build();
    LongCounter counter = provider.get("scope").counterBuilder("c").build();
    for (int round = 1; round <= 3; round++) {
      counter.add(1);
      try (MetricCursor cursor = reader.source().open()) {
        cursor.seekMetric(0);
        assertThat(cursor.nextPoint()).isTrue();
        assertThat(cursor.longValue()).isEqualTo(round);
      }
    }
    provider.close();
  }

  @Test
  void leavesTheCardinalityLimitOfTheSdk() {
    SdkMeterProvider provider = SdkMeterProvider.builder().registerMetricReader(reader).build();
    LongCounter counter = provider.get("scope").counterBuilder("c").build();
    for (int i = 0; i < 3000; i++) {
      counter.add(1, TestData.attributes(i));
    }
    List<Series> series = readAll();
    assertThat(series).hasSize(2000);
    assertThat(series.stream().filter(one -> one.labels().indexOf("otel.metric.overflow") >= 0))
        .hasSize(1);
    provider.close();
  }

  @Test
  void keepsSeriesWhenTheSdkReordersItsOwn() {
    SdkMeterProvider provider = SdkMeterProvider.builder().registerMetricReader(reader).build();
    LongCounter counter = provider.get("scope").counterBuilder("c").build();
    counter.add(1, TestData.attributes(0));
    List<Series> first = readAll();
    for (int i = 1; i < 1500; i++) {
      counter.add(1, TestData.attributes(i));
      if (i % 100 == 0) {
        assertThat(readAll()).hasSize(i + 1).contains(first.get(0));
      }
    }
    provider.close();
  }

  @Test
  void hasNoMetricsBeforeTheSdkHasTheReaderAndAfterItsEnd() {
    assertThat(readAll()).isEmpty();
    SdkMeterProvider provider = SdkMeterProvider.builder().registerMetricReader(reader).build();
    provider.get("scope").counterBuilder("c").build().add(1);
    assertThat(readAll()).hasSize(1);
    assertThat(reader.forceFlush().isSuccess()).isTrue();
    provider.close();
    assertThat(readAll()).isEmpty();
    assertThat(seriesCount()).isZero();
    assertThat(budget.usedBytes()).isZero();
  }

  /** 100,000 series at a time, and none of them twice. */
  @Test
  void keepsNothingOfSeriesThatAreGone() {
    AtomicInteger wave = new AtomicInteger();
    AtomicInteger waveSeries = new AtomicInteger(WAVE_SERIES);
    SdkMeterProvider provider =
        SdkMeterProvider.builder()
            // While one wave is observed, the SDK still has the one before.
            .registerMetricReader(reader, type -> 2 * WAVE_SERIES + 1)
            .build();
    provider
        .get("scope")
        .gaugeBuilder("churn")
        .buildWithCallback(
            measurement -> {
              int first = wave.get() * WAVE_SERIES;
              for (int i = 0; i < waveSeries.get(); i++) {
                measurement.record(i, TestData.attributes(first + i));
              }
            });
    List<Series> last = List.of();
    long usedBytes = 0;
    for (int round = 0; round < 4; round++) {
      wave.set(round);
      // The SDK drops what was not observed, so each wave replaces the one before.
      List<Series> series = readAll();
      assertThat(series).hasSize(WAVE_SERIES).doesNotContain(lastOf(last));
      assertThat(seriesCount()).isEqualTo(WAVE_SERIES);
      assertThat(last).allMatch(gone -> gone.encodedLabels(ENCODING) == null);
      usedBytes = round == 0 ? budget.usedBytes() : usedBytes;
      assertThat(budget.usedBytes()).isEqualTo(usedBytes).isPositive();
      last = series;
    }
    waveSeries.set(0);
    assertThat(readAll()).isEmpty();
    assertThat(seriesCount()).isZero();
    assertThat(budget.usedBytes()).isZero();
    provider.close();
  }

  private static Series lastOf(List<Series> series) {
    return series.isEmpty() ? new Series(dev.millrace.model.Labels.EMPTY) : series.get(0);
  }

  private int seriesCount() {
    return ((MetricDataSource) reader.source()).seriesCount();
  }

  private List<Series> readAll() {
    List<Series> series = new ArrayList<>();
    try (MetricCursor cursor = reader.source().open()) {
      for (int metric = 0; metric < cursor.metricCount(); metric++) {
        cursor.seekMetric(metric);
        while (cursor.nextPoint()) {
          cursor.series().keepEncodedLabels(ENCODING, new byte[32], cursor.encodedLabelsBudget());
          series.add(cursor.series());
        }
      }
    }
    return series;
  }
}

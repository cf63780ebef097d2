package dev.millrace.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.model.EncodedLabelsBudget;
import dev.millrace.model.MetricCursor;
import dev.millrace.model.MetricSource;
import dev.millrace.testkit.AllocationMeter;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.api.metrics.LongCounter;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.common.export.MemoryMode;
import io.opentelemetry.sdk.metrics.Aggregation;
import io.opentelemetry.sdk.metrics.InstrumentSelector;
import io.opentelemetry.sdk.metrics.InstrumentType;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.View;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.export.CollectionRegistration;
import io.opentelemetry.sdk.metrics.export.MetricReader;
import java.util.Collection;
import org.junit.jupiter.api.Test;

/** A collection of 10,000 points in steady state. */
class CollectionAllocationTest {
  private static final int SERIES_PER_METRIC = 1_000;
  private static final int WARMUPS = 300;
  private static final long LIMIT_BYTES = 1024;

  private final SdkReader reader = new SdkReader();
  private long checksum;

  @Test
  void allocatesNothingToSpeakOfBesideTheSdk() throws Exception {
    try (SdkMeterProvider provider =
        SdkMeterProvider.builder()
            .registerMetricReader(reader)
            .registerView(
                InstrumentSelector.builder().setName("exponential").build(),
                View.builder()
                    .setAggregation(Aggregation.base2ExponentialBucketHistogram())
                    .build())
            .build()) {
      record(provider.get("scope"));
      MetricSource source = new MetricDataSource(reader::collect, new EncodedLabelsBudget(1 << 20));
      long all = AllocationMeter.bytesPerOperation(WARMUPS, 5, () -> walk(source));
      long sdk = AllocationMeter.bytesPerOperation(WARMUPS, 5, reader::collect);
      assertThat(all - sdk).isLessThanOrEqualTo(LIMIT_BYTES);
      assertThat(checksum).isNotZero();
    }
  }

  private static void record(Meter meter) {
    Attributes[] attributes = new Attributes[SERIES_PER_METRIC];
    for (int i = 0; i < SERIES_PER_METRIC; i++) {
      attributes[i] = TestData.attributes(i);
    }
    for (int metric = 0; metric < 6; metric++) {
      LongCounter counter = meter.counterBuilder("counter." + metric).build();
      for (int i = 0; i < SERIES_PER_METRIC; i++) {
        counter.add(i, attributes[i]);
      }
    }
    DoubleHistogram explicit = meter.histogramBuilder("explicit").build();
    DoubleHistogram exponential = meter.histogramBuilder("exponential").build();
    for (int i = 0; i < SERIES_PER_METRIC; i++) {
      for (int value = -1; value < 10; value++) {
        explicit.record(value * 400, attributes[i]);
        exponential.record(value * 400, attributes[i]);
      }
    }
    for (int metric = 0; metric < 2; metric++) {
      meter
          .gaugeBuilder("gauge." + metric)
          .buildWithCallback(
              measurement -> {
                for (int i = 0; i < SERIES_PER_METRIC; i++) {
                  measurement.record(i, attributes[i]);
                }
              });
    }
  }

  /** Reads every value of every point, twice. */
  private void walk(MetricSource source) {
    try (MetricCursor cursor = source.open()) {
      int points = 0;
      for (int metric = 0; metric < cursor.metricCount(); metric++) {
        cursor.seekMetric(metric);
        for (int walk = 0; walk < 2; walk++) {
          cursor.rewindPoints();
          while (cursor.nextPoint()) {
            read(cursor);
            points++;
          }
        }
      }
      assertThat(points).isEqualTo(2 * 10 * SERIES_PER_METRIC);
    }
  }

  private void read(MetricCursor cursor) {
    checksum += cursor.series().labels().size() + cursor.startTimeUnixNanos();
    checksum += cursor.timeUnixNanos();
    switch (cursor.metric().kind()) {
      case GAUGE, SUM ->
          checksum += cursor.isLong() ? cursor.longValue() : (long) cursor.doubleValue();
      case HISTOGRAM -> {
        checksum += cursor.count() + (long) cursor.sum() + (long) cursor.min();
        checksum += cursor.explicitBounds().length;
        for (int i = 0; i < cursor.bucketCount(); i++) {
          checksum += cursor.bucket(i);
        }
      }
      case EXPONENTIAL_HISTOGRAM -> {
        checksum += cursor.count() + cursor.scale() + cursor.zeroCount();
        for (int i = 0; i < cursor.positiveBucketCount(); i++) {
          checksum += cursor.positiveBucket(i);
        }
        for (int i = 0; i < cursor.negativeBucketCount(); i++) {
          checksum += cursor.negativeBucket(i);
        }
      }
      case SUMMARY -> throw new AssertionError("the SDK makes no summaries");
    }
  }

  private static final class SdkReader implements MetricReader {
    private CollectionRegistration registration = CollectionRegistration.noop();

    Collection<MetricData> collect() {
      return registration.collectAllMetrics();
    }

    @Override
    public void register(CollectionRegistration registration) {
      this.registration = registration;
    }

    @Override
    public MemoryMode getMemoryMode() {
      return MemoryMode.REUSABLE_DATA;
    }

    @Override
    public AggregationTemporality getAggregationTemporality(InstrumentType instrumentType) {
      return AggregationTemporality.CUMULATIVE;
    }

    @Override
    public CompletableResultCode forceFlush() {
      return CompletableResultCode.ofSuccess();
    }

    @Override
    public CompletableResultCode shutdown() {
      return CompletableResultCode.ofSuccess();
    }
  }
}

package dev.millrace.benchmarks.scrape;

import dev.millrace.benchmarks.scrape.ScrapeWorkload.Family;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.api.metrics.LongCounter;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.export.MetricReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The workload in an OpenTelemetry SDK of its own, with one reader. */
final class SdkWorkload implements AutoCloseable {
  private static final AttributeKey<String> METHOD = AttributeKey.stringKey(ScrapeWorkload.METHOD);
  private static final AttributeKey<String> ROUTE = AttributeKey.stringKey(ScrapeWorkload.ROUTE);
  private static final AttributeKey<String> STATUS = AttributeKey.stringKey(ScrapeWorkload.STATUS);

  /** One series more than a family has, for the SDK's own overflow series. */
  private static final int CARDINALITY_LIMIT = ScrapeWorkload.MAX_SERIES_PER_FAMILY + 1;

  private final SdkMeterProvider provider;
  private final List<Attributes[]> observed = new ArrayList<>();
  private int generation;

  private SdkWorkload(SdkMeterProvider provider) {
    this.provider = provider;
  }

  /** Records the workload. */
  static SdkWorkload record(ScrapeWorkload workload, MetricReader reader) {
    SdkWorkload recorded =
        new SdkWorkload(
            SdkMeterProvider.builder()
                .registerMetricReader(reader, type -> CARDINALITY_LIMIT)
                .build());
    Meter meter = recorded.provider.get("dev.millrace.benchmarks");
    for (Family family : workload.families()) {
      switch (family.kind()) {
        case COUNTER -> recordCounter(meter, family);
        case HISTOGRAM -> recordHistogram(meter, family);
        case GAUGE -> recorded.observeGauge(meter, family);
      }
    }
    return recorded;
  }

  private static void recordCounter(Meter meter, Family family) {
    LongCounter counter =
        meter
            .counterBuilder(family.otelName())
            .setDescription(family.description())
            .setUnit(family.kind().unit)
            .build();
    for (int series = 0; series < family.seriesCount(); series++) {
      counter.add(family.counterValue(series), attributes(series, 0));
    }
  }

  private static void recordHistogram(Meter meter, Family family) {
    List<Double> bounds = new ArrayList<>();
    Arrays.stream(ScrapeWorkload.bounds()).forEach(bounds::add);
    DoubleHistogram histogram =
        meter
            .histogramBuilder(family.otelName())
            .setDescription(family.description())
            .setUnit(family.kind().unit)
            .setExplicitBucketBoundariesAdvice(bounds)
            .build();
    for (int series = 0; series < family.seriesCount(); series++) {
      Attributes attributes = attributes(series, 0);
      for (double value : family.observations(series)) {
        histogram.record(value, attributes);
      }
    }
  }

  private void observeGauge(Meter meter, Family family) {
    double[] values = new double[family.seriesCount()];
    Attributes[] attributes = new Attributes[values.length];
    for (int series = 0; series < values.length; series++) {
      values[series] = family.gaugeValue(series);
      attributes[series] = attributes(series, 0);
    }
    observed.add(attributes);
    meter
        .gaugeBuilder(family.otelName())
        .setDescription(family.description())
        .setUnit(family.kind().unit)
        .buildWithCallback(
            measurement -> {
              for (int series = 0; series < values.length; series++) {
                measurement.record(values[series], attributes[series]);
              }
            });
  }

  /** Ends every other series of each gauge, and begins as many. */
  void renewTenth() {
    generation++;
    for (Attributes[] attributes : observed) {
      for (int series = 0; series < attributes.length; series += 2) {
        attributes[series] = attributes(series, generation);
      }
    }
  }

  @Override
  public void close() {
    provider.close();
  }

  private static Attributes attributes(int series, int generation) {
    return Attributes.of(
        METHOD,
        ScrapeWorkload.method(series),
        ROUTE,
        ScrapeWorkload.route(series, generation),
        STATUS,
        ScrapeWorkload.status(series));
  }
}

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
final class SdkWorkload {
  private static final AttributeKey<String> METHOD = AttributeKey.stringKey(ScrapeWorkload.METHOD);
  private static final AttributeKey<String> ROUTE = AttributeKey.stringKey(ScrapeWorkload.ROUTE);
  private static final AttributeKey<String> STATUS = AttributeKey.stringKey(ScrapeWorkload.STATUS);

  /** One series more than a family has, for the SDK's own overflow series. */
  private static final int CARDINALITY_LIMIT = ScrapeWorkload.MAX_SERIES_PER_FAMILY + 1;

  private SdkWorkload() {}

  /** Records the workload; the caller closes the provider. */
  static SdkMeterProvider record(ScrapeWorkload workload, MetricReader reader) {
    SdkMeterProvider provider =
        SdkMeterProvider.builder().registerMetricReader(reader, type -> CARDINALITY_LIMIT).build();
    Meter meter = provider.get("dev.millrace.benchmarks");
    for (Family family : workload.families()) {
      switch (family.kind()) {
        case COUNTER -> recordCounter(meter, family);
        case HISTOGRAM -> recordHistogram(meter, family);
        case GAUGE -> observeGauge(meter, family);
      }
    }
    return provider;
  }

  private static void recordCounter(Meter meter, Family family) {
    LongCounter counter =
        meter
            .counterBuilder(family.otelName())
            .setDescription(family.description())
            .setUnit(family.kind().unit)
            .build();
    for (int series = 0; series < family.seriesCount(); series++) {
      counter.add(family.counterValue(series), attributes(series));
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
      Attributes attributes = attributes(series);
      for (double value : family.observations(series)) {
        histogram.record(value, attributes);
      }
    }
  }

  private static void observeGauge(Meter meter, Family family) {
    double[] values = new double[family.seriesCount()];
    Attributes[] attributes = new Attributes[values.length];
    for (int series = 0; series < values.length; series++) {
      values[series] = family.gaugeValue(series);
      attributes[series] = attributes(series);
    }
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

  private static Attributes attributes(int series) {
    return Attributes.of(
        METHOD,
        ScrapeWorkload.method(series),
        ROUTE,
        ScrapeWorkload.route(series),
        STATUS,
        ScrapeWorkload.status(series));
  }
}

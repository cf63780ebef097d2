package dev.millrace.benchmarks.scrape;

import dev.millrace.benchmarks.scrape.ScrapeWorkload.Family;
import io.prometheus.metrics.core.datapoints.DistributionDataPoint;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.io.OutputStream;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The Prometheus client library for Java, with the workload recorded in instruments of its own.
 * Gauges are set rather than observed by a callback, which is cheaper for it.
 */
final class ClientJavaContestant implements Contestant {
  private static final String[] LABELS = {
    ScrapeWorkload.METHOD, ScrapeWorkload.ROUTE, ScrapeWorkload.STATUS
  };

  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final ExpositionFormatWriter writer;
  private final ScrapeCoding coding;
  private final Map<Gauge, Family> gauges = new LinkedHashMap<>();
  private int generation;

  ClientJavaContestant(ScrapeWorkload workload, ScrapeFormat format, ScrapeCoding coding) {
    this.coding = coding;
    for (Family family : workload.families()) {
      switch (family.kind()) {
        case COUNTER -> recordCounter(family);
        case HISTOGRAM -> recordHistogram(family);
        case GAUGE -> recordGauge(family);
      }
    }
    writer = format.writer();
  }

  /** Where its instruments are. */
  PrometheusRegistry registry() {
    return registry;
  }

  private void recordCounter(Family family) {
    Counter counter =
        Counter.builder()
            .name(family.prometheusName())
            .help(family.description())
            .labelNames(LABELS)
            .register(registry);
    for (int series = 0; series < family.seriesCount(); series++) {
      counter.labelValues(labelValues(series, 0)).inc(family.counterValue(series));
    }
  }

  private void recordHistogram(Family family) {
    Histogram histogram =
        Histogram.builder()
            .name(family.prometheusName())
            .help(family.description())
            .labelNames(LABELS)
            .classicOnly()
            .classicUpperBounds(ScrapeWorkload.bounds())
            .register(registry);
    for (int series = 0; series < family.seriesCount(); series++) {
      DistributionDataPoint point = histogram.labelValues(labelValues(series, 0));
      for (double value : family.observations(series)) {
        point.observe(value);
      }
    }
  }

  private void recordGauge(Family family) {
    Gauge gauge =
        Gauge.builder()
            .name(family.prometheusName())
            .help(family.description())
            .labelNames(LABELS)
            .register(registry);
    gauges.put(gauge, family);
    for (int series = 0; series < family.seriesCount(); series++) {
      gauge.labelValues(labelValues(series, 0)).set(family.gaugeValue(series));
    }
  }

  private static String[] labelValues(int series, int generation) {
    return new String[] {
      ScrapeWorkload.method(series),
      ScrapeWorkload.route(series, generation),
      ScrapeWorkload.status(series)
    };
  }

  @Override
  public void renewTenth() {
    gauges.forEach(
        (gauge, family) -> {
          for (int series = 0; series < family.seriesCount(); series += 2) {
            gauge.remove(labelValues(series, generation));
            gauge.labelValues(labelValues(series, generation + 1)).set(family.gaugeValue(series));
          }
        });
    generation++;
  }

  @Override
  public void scrape(OutputStream out) throws IOException {
    try (OutputStream coded = coding.encode(out)) {
      writer.write(coded, registry.scrape());
    }
  }

  @Override
  public void close() {
    // It started nothing.
  }
}

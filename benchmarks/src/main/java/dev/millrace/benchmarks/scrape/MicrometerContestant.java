package dev.millrace.benchmarks.scrape;

import dev.millrace.benchmarks.scrape.ScrapeWorkload.Family;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;

/** Micrometer's registry for Prometheus, with the workload recorded in instruments of its own. */
final class MicrometerContestant implements Contestant {
  /** A gauge's series, with what it takes to begin it again. */
  private record Observed(Family family, int series, Meter.Id id) {}

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final String contentType;
  private final ScrapeCoding coding;
  private final List<Observed> renewed = new ArrayList<>();
  private int generation;

  MicrometerContestant(ScrapeWorkload workload, ScrapeFormat format, ScrapeCoding coding) {
    this.coding = coding;
    contentType = format.writer().getContentType();
    for (Family family : workload.families()) {
      for (int series = 0; series < family.seriesCount(); series++) {
        switch (family.kind()) {
          case COUNTER -> recordCounter(family, series);
          case HISTOGRAM -> recordHistogram(family, series);
          case GAUGE -> observeGauge(family, series);
        }
      }
    }
  }

  private void recordCounter(Family family, int series) {
    Counter.builder(family.prometheusName())
        .description(family.description())
        .tags(tags(series, 0))
        .register(registry)
        .increment((double) family.counterValue(series));
  }

  private void recordHistogram(Family family, int series) {
    DistributionSummary histogram =
        DistributionSummary.builder(family.prometheusName())
            .description(family.description())
            .serviceLevelObjectives(ScrapeWorkload.bounds())
            .tags(tags(series, 0))
            .register(registry);
    for (double value : family.observations(series)) {
      histogram.record(value);
    }
  }

  private void observeGauge(Family family, int series) {
    Meter.Id id = register(family, series, 0);
    if (series % 2 == 0) {
      renewed.add(new Observed(family, series, id));
    }
  }

  private Meter.Id register(Family family, int series, int ofGeneration) {
    double value = family.gaugeValue(series);
    return Gauge.builder(family.prometheusName(), () -> value)
        .description(family.description())
        .tags(tags(series, ofGeneration))
        .register(registry)
        .getId();
  }

  private static Tags tags(int series, int generation) {
    return Tags.of(
        ScrapeWorkload.METHOD,
        ScrapeWorkload.method(series),
        ScrapeWorkload.ROUTE,
        ScrapeWorkload.route(series, generation),
        ScrapeWorkload.STATUS,
        ScrapeWorkload.status(series));
  }

  @Override
  public void scrape(OutputStream out) throws IOException {
    try (OutputStream coded = coding.encode(out)) {
      registry.scrape(coded, contentType);
    }
  }

  @Override
  public void renewTenth() {
    generation++;
    renewed.replaceAll(
        old -> {
          registry.remove(old.id);
          return new Observed(old.family, old.series, register(old.family, old.series, generation));
        });
  }

  @Override
  public void close() {
    registry.close();
  }
}

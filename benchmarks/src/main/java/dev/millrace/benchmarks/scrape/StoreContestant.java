package dev.millrace.benchmarks.scrape;

import dev.millrace.benchmarks.scrape.ScrapeWorkload.Family;
import dev.millrace.store.Counter;
import dev.millrace.store.Gauge;
import dev.millrace.store.Histogram;
import dev.millrace.store.MetricStore;
import java.io.OutputStream;

/** Millrace over instruments of its own, in memory. Gauges are set, as client_java's are. */
final class StoreContestant implements Contestant {
  private static final String[] LABELS = {
    ScrapeWorkload.METHOD, ScrapeWorkload.ROUTE, ScrapeWorkload.STATUS
  };

  private final MetricStore store;
  private final SourceScrape scrape;

  StoreContestant(ScrapeWorkload workload, ScrapeFormat format, ScrapeCoding coding) {
    store = MetricStore.inMemory();
    for (Family family : workload.families()) {
      switch (family.kind()) {
        case COUNTER -> recordCounter(family);
        case HISTOGRAM -> recordHistogram(family);
        case GAUGE -> recordGauge(family);
      }
    }
    scrape = new SourceScrape(store, format, coding);
  }

  private void recordCounter(Family family) {
    Counter counter =
        store
            .counter(family.otelName())
            .help(family.description())
            .unit(family.kind().unit)
            .labelNames(LABELS)
            .create();
    for (int series = 0; series < family.seriesCount(); series++) {
      counter.labels(labelValues(series)).add(family.counterValue(series));
    }
  }

  private void recordHistogram(Family family) {
    Histogram histogram =
        store
            .histogram(family.otelName())
            .help(family.description())
            .unit(family.kind().unit)
            .bounds(ScrapeWorkload.bounds())
            .labelNames(LABELS)
            .create();
    for (int series = 0; series < family.seriesCount(); series++) {
      Histogram.Series point = histogram.labels(labelValues(series));
      for (double value : family.observations(series)) {
        point.observe(value);
      }
    }
  }

  private void recordGauge(Family family) {
    Gauge gauge =
        store
            .gauge(family.otelName())
            .help(family.description())
            .unit(family.kind().unit)
            .labelNames(LABELS)
            .create();
    for (int series = 0; series < family.seriesCount(); series++) {
      gauge.labels(labelValues(series)).set(family.gaugeValue(series));
    }
  }

  private static String[] labelValues(int series) {
    return new String[] {
      ScrapeWorkload.method(series), ScrapeWorkload.route(series, 0), ScrapeWorkload.status(series)
    };
  }

  @Override
  public void scrape(OutputStream out) {
    scrape.run(out);
  }

  @Override
  public void renewTenth() {
    throw new UnsupportedOperationException("expected series that can end, found a store's");
  }

  @Override
  public void close() {
    scrape.close();
    store.close();
  }
}

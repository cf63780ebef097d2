package dev.millrace.benchmarks.scrape;

import java.io.IOException;
import java.io.OutputStream;

/** One exporter with the workload recorded in it, ready to be scraped. One thread at a time. */
interface Contestant extends AutoCloseable {
  /** Collects everything and writes it, as a scrape does. */
  void scrape(OutputStream out) throws IOException;

  /**
   * Ends half of the gauges' series and begins as many others, which is a tenth of all series.
   *
   * @throws UnsupportedOperationException if the contestant's series cannot end
   */
  void renewTenth();

  /** Ends what the contestant started. */
  @Override
  void close();
}

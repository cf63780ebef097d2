package dev.millrace.benchmarks.store;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** A directory that many processes wrote, with what scrapes it. One thread at a time. */
interface ScrapedDirectory extends AutoCloseable {
  /** Does one scrape, and adds what it cost. */
  void scrape(StoreCost cost) throws IOException;

  /**
   * Does one scrape.
   *
   * @param scratch a folder for a file that it may need
   */
  byte[] text(Path scratch) throws IOException;

  @Override
  void close() throws IOException;

  /**
   * Looks whether a scrape has every observation of every process.
   *
   * @throws IllegalStateException if it has not
   */
  default void check(Workload workload, int processes, Path scratch) throws IOException {
    long series = 0;
    double observations = 0;
    String prefix = Workload.NAME + "_count{";
    for (String line : new String(text(scratch), StandardCharsets.UTF_8).split("\n", -1)) {
      if (line.startsWith(prefix)) {
        series++;
        observations +=
            Double.parseDouble(
                line.substring(line.indexOf("\"} ") + "\"} ".length()).split(" ", -1)[0]);
      }
    }
    long expected = (long) processes * workload.size() * Workload.observations().length;
    if (series != workload.size() || observations != expected) {
      throw new IllegalStateException(
          "expected "
              + workload.size()
              + " series with "
              + expected
              + " observations, found "
              + series
              + " with "
              + observations);
    }
  }
}

package dev.millrace.benchmarks.scrape;

import dev.millrace.opentelemetry.MillraceMetricReader;
import java.io.OutputStream;

/** Millrace over the OpenTelemetry SDK. */
final class MillraceContestant implements Contestant {
  private final MillraceMetricReader reader = new MillraceMetricReader();
  private final SdkWorkload workload;
  private final SourceScrape scrape;

  MillraceContestant(ScrapeWorkload workload, ScrapeFormat format, ScrapeCoding coding) {
    this.workload = SdkWorkload.record(workload, reader);
    scrape = new SourceScrape(reader.source(), format, coding);
  }

  @Override
  public void scrape(OutputStream out) {
    scrape.run(out);
  }

  @Override
  public void renewTenth() {
    workload.renewTenth();
  }

  /** Chunks that are in somebody's hands. */
  long outstandingChunks() {
    return scrape.outstandingChunks();
  }

  @Override
  public void close() {
    scrape.close();
    workload.close();
  }
}

package dev.millrace.benchmarks.scrape;

import dev.millrace.benchmarks.HeapUse;
import dev.millrace.benchmarks.RatioTable;
import dev.millrace.export.scrape.ScrapeHandlerOptions;
import dev.millrace.format.prometheus.PrometheusFormats;
import dev.millrace.format.prometheus.PrometheusOptions;
import dev.millrace.model.MetricCursor;
import dev.millrace.model.MetricSource;
import dev.millrace.model.Problems;
import dev.millrace.opentelemetry.MillraceMetricReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * How many bytes of heap a series takes, with the OpenTelemetry SDK as the source: what the SDK and
 * Millrace's view over it keep after a collection, and what a scrape of each kind adds to that.
 */
public final class ScrapeFootprint {
  private static final String BLOCK = "ScrapeFootprint";
  private static final int SERIES = 100_000;

  private ScrapeFootprint() {}

  /**
   * Prints the table, and writes it into a Markdown file.
   *
   * @param arguments the Markdown file
   */
  public static void main(String[] arguments) throws IOException {
    StringBuilder text = new StringBuilder();
    text.append("## ").append(BLOCK).append("\n\n");
    text.append("Bytes of heap a series, of 100,000 in the OpenTelemetry SDK: what a collection");
    text.append(" leaves (the SDK's reusable points and Millrace's view of them), what the first");
    text.append(
        " scrape of text adds (the encoded labels, which OpenMetrics shares), and what one");
    text.append(
        " of OpenMetrics adds after it; last what the source's budget counts for them.\n\n");
    text.append("| a collection | text | OpenMetrics | in the budget |\n|--:|--:|--:|--:|\n|");
    measure(text);
    text.append('\n');
    System.out.println(text);
    Path page = Path.of(arguments[0]);
    String before = Files.exists(page) ? Files.readString(page) : "# Results\n";
    Files.writeString(page, RatioTable.replace(before, BLOCK, text.toString()));
  }

  private static void measure(StringBuilder text) {
    MillraceMetricReader reader = new MillraceMetricReader();
    SdkWorkload workload = SdkWorkload.record(new ScrapeWorkload(SERIES), reader);
    try {
      long recorded = HeapUse.usedBytes();
      usedBudgetBytes(reader.source());
      long collected = HeapUse.usedBytes();
      append(text, collected - recorded);
      long before = collected;
      // As one exporter has them: its formats keep the same labels.
      PrometheusFormats formats = new PrometheusFormats(PrometheusOptions.DEFAULT, new Problems());
      for (ScrapeFormat format : ScrapeFormat.values()) {
        try (SourceScrape scrape =
            new SourceScrape(
                reader.source(),
                formats,
                format,
                ScrapeCoding.IDENTITY,
                ScrapeHandlerOptions.defaults())) {
          scrape.run(new CountingOutputStream());
        }
        long after = HeapUse.usedBytes();
        append(text, after - before);
        before = after;
      }
      append(text, usedBudgetBytes(reader.source()));
    } finally {
      workload.close();
    }
  }

  private static void append(StringBuilder text, long bytes) {
    text.append(String.format(Locale.ROOT, " %,.0f |", (double) bytes / SERIES));
  }

  private static long usedBudgetBytes(MetricSource source) {
    try (MetricCursor cursor = source.open()) {
      return cursor.encodedLabelsBudget().usedBytes();
    }
  }
}

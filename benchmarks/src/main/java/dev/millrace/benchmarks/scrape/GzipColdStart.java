package dev.millrace.benchmarks.scrape;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import dev.millrace.export.scrape.Compression;
import dev.millrace.export.scrape.ScrapeHandlerOptions;
import dev.millrace.opentelemetry.MillraceMetricReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/**
 * What the first scrapes of a small application cost, as Prometheus asks for them: each run is a
 * JVM that has not been scraped before. The least of all runs is printed, as whatever else the
 * machine does only ever adds.
 */
public final class GzipColdStart {
  private static final int SERIES = 1_000;
  private static final int FEW_SCRAPES = 20;
  private static final int MANY_SCRAPES = 200;
  private static final int DEFAULT_RUNS = 5;
  private static final double NANOS_PER_MILLI = 1e6;
  private static final String[] COLUMNS = {
    "scrape 1",
    "scrapes 1 to 20",
    "scrapes 1 to 200",
    "200 with the JVM's own threads",
    "scrape 200"
  };

  private GzipColdStart() {}

  /**
   * Prints a table.
   *
   * @param arguments how many runs there are of each compression, 5 if not given; in the processes
   *     that this one starts {@code child} and a compression
   */
  public static void main(String[] arguments) throws IOException {
    if (arguments.length == 2) {
      runChild(Compression.valueOf(arguments[1]));
      return;
    }
    int runs = arguments.length == 0 ? DEFAULT_RUNS : Integer.parseInt(arguments[0]);
    Compression[] compressions = Compression.values();
    double[][] least = new double[compressions.length][COLUMNS.length];
    for (double[] figures : least) {
      Arrays.fill(figures, Double.POSITIVE_INFINITY);
    }
    for (int run = 0; run < runs; run++) {
      for (int i = 0; i < compressions.length; i++) {
        double[] millis = fork(compressions[i]);
        for (int column = 0; column < COLUMNS.length; column++) {
          least[i][column] = Math.min(least[i][column], millis[column]);
        }
      }
    }
    System.out.println("| ms of CPU | " + String.join(" | ", COLUMNS) + " |");
    System.out.println("|---|" + "--:|".repeat(COLUMNS.length));
    for (int i = 0; i < compressions.length; i++) {
      StringBuilder row = new StringBuilder("| " + compressions[i] + " |");
      for (double millis : least[i]) {
        row.append(String.format(Locale.ROOT, " %.2f |", millis));
      }
      System.out.println(row);
    }
  }

  private static double[] fork(Compression compression) throws IOException {
    Process process =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElse("java"),
                "-cp",
                System.getProperty("java.class.path"),
                GzipColdStart.class.getName(),
                "child",
                compression.name())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    String[] figures = said.trim().split(" ", -1);
    if (figures.length != COLUMNS.length) {
      throw new IOException(
          "expected " + COLUMNS.length + " figures of " + compression + ", found: " + said);
    }
    return Arrays.stream(figures).mapToDouble(Double::parseDouble).toArray();
  }

  /** Scrapes and prints the figures. */
  private static void runChild(Compression compression) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    MillraceMetricReader reader = new MillraceMetricReader();
    SdkWorkload workload = SdkWorkload.record(new ScrapeWorkload(SERIES), reader);
    CountingOutputStream out = new CountingOutputStream();
    try (SourceScrape scrape =
        new SourceScrape(
            reader.source(),
            ScrapeFormat.TEXT,
            ScrapeCoding.GZIP,
            ScrapeHandlerOptions.defaults().withCompression(compression))) {
      long process = system.getProcessCpuTime();
      long[] nanos = new long[MANY_SCRAPES + 1];
      nanos[0] = threads.getCurrentThreadCpuTime();
      for (int i = 1; i <= MANY_SCRAPES; i++) {
        scrape.run(out);
        nanos[i] = threads.getCurrentThreadCpuTime();
      }
      process = system.getProcessCpuTime() - process;
      System.out.println(
          millis(nanos[1] - nanos[0])
              + " "
              + millis(nanos[FEW_SCRAPES] - nanos[0])
              + " "
              + millis(nanos[MANY_SCRAPES] - nanos[0])
              + " "
              + millis(process)
              + " "
              + millis(nanos[MANY_SCRAPES] - nanos[MANY_SCRAPES - 1]));
    } finally {
      workload.close();
    }
  }

  private static double millis(long nanos) {
    return nanos / NANOS_PER_MILLI;
  }
}

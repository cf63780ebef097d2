package dev.millrace.store.tool;

import dev.millrace.bytes.DoubleText;
import dev.millrace.model.Labels;
import dev.millrace.model.MetricCursor;
import dev.millrace.model.MetricKind;
import dev.millrace.model.Problems;
import dev.millrace.store.StoreOptions;
import dev.millrace.store.StoreSource;
import dev.millrace.store.file.DirectoryReport;
import dev.millrace.store.file.Retirement;
import dev.millrace.store.file.StoreDirectory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Looks at a store directory for a person: what {@code millrace store} does. It prints lines to an
 * {@link Appendable} and flushes nothing. Only {@link #retire} writes to the directory.
 *
 * <p>One thread at a time.
 */
public final class StoreTool {
  private final Path directory;
  private final Appendable out;

  /**
   * A tool.
   *
   * @param out takes the lines, each ended by a newline
   */
  public StoreTool(Path directory, Appendable out) {
    this.directory = directory;
    this.out = out;
  }

  /**
   * Prints one line for each file: its name, whether its process lives, its pid, when it began, its
   * series, and its size.
   *
   * @throws IOException if the directory cannot be read, or the output cannot be written
   */
  public void list() throws IOException {
    List<DirectoryReport.FileReport> files = report();
    out.append(
        "%-52s %-7s %8s %-20s %9s %12s%n"
            .formatted("FILE", "STATE", "PID", "STARTED", "SERIES", "BYTES"));
    for (DirectoryReport.FileReport file : files) {
      out.append(
          "%-52s %-7s %8d %-20s %9d %12d%n"
              .formatted(
                  file.fileName(),
                  file.state(),
                  file.pid(),
                  file.started(),
                  file.seriesCount(),
                  file.sizeBytes()));
    }
  }

  /**
   * Prints what a scrape would read of all files together, one point a line, and the exemplars.
   *
   * @return how many samples there are
   * @throws IOException if the directory cannot be read, or the output cannot be written
   */
  public long dump() throws IOException {
    long count = 0;
    List<String> log = new ArrayList<>();
    StoreOptions options =
        StoreOptions.builder().problems(new Problems(System::nanoTime, log::add)).build();
    StoreDirectory.forReading(directory);
    try (StoreSource source = StoreSource.of(directory, options);
        MetricCursor cursor = source.open()) {
      for (int i = 0; i < cursor.metricCount(); i++) {
        cursor.seekMetric(i);
        out.append("# ").append(cursor.metric().name()).append(' ');
        out.append(cursor.metric().kind().name().toLowerCase(java.util.Locale.ROOT));
        out.append(cursor.metric().unit().isEmpty() ? "" : " in " + cursor.metric().unit());
        out.append('\n');
        while (cursor.nextPoint()) {
          dumpPoint(cursor);
          count++;
        }
      }
    }
    for (String line : log) {
      out.append("! ").append(line).append('\n');
    }
    return count;
  }

  private void dumpPoint(MetricCursor cursor) throws IOException {
    out.append(cursor.metric().name());
    appendLabels(cursor.series().labels());
    MetricKind kind = cursor.metric().kind();
    if (kind == MetricKind.GAUGE || kind == MetricKind.SUM) {
      out.append(' ');
      if (cursor.isLong()) {
        out.append(Long.toString(cursor.longValue()));
      } else {
        appendDouble(cursor.doubleValue());
      }
    } else {
      out.append(" count ").append(Long.toString(cursor.count())).append(" sum ");
      appendDouble(cursor.sum());
      if (kind == MetricKind.HISTOGRAM) {
        out.append(" buckets");
        for (int b = 0; b < cursor.bucketCount(); b++) {
          out.append(' ').append(Long.toString(cursor.bucket(b)));
        }
      } else if (kind == MetricKind.EXPONENTIAL_HISTOGRAM) {
        out.append(" scale ").append(Integer.toString(cursor.scale()));
        out.append(" zero ").append(Long.toString(cursor.zeroCount()));
        out.append(" from ").append(Integer.toString(cursor.positiveOffset()));
        for (int b = 0; b < cursor.positiveBucketCount(); b++) {
          out.append(' ').append(Long.toString(cursor.positiveBucket(b)));
        }
      }
    }
    out.append('\n');
    for (String exemplar : DirectoryReport.exemplars(cursor)) {
      out.append("  exemplar ").append(exemplar).append('\n');
    }
  }

  private void appendLabels(Labels labels) throws IOException {
    for (int i = 0; i < labels.size(); i++) {
      out.append(i == 0 ? "{" : ",").append(labels.key(i)).append("=\"");
      String text = labels.text(i);
      for (int c = 0; c < text.length(); c++) {
        char at = text.charAt(c);
        switch (at) {
          case '"' -> out.append("\\\"");
          case '\\' -> out.append("\\\\");
          case '\n' -> out.append("\\n");
          default -> out.append(at);
        }
      }
      out.append('"');
    }
    out.append(labels.size() == 0 ? "" : "}");
  }

  private void appendDouble(double value) throws IOException {
    byte[] text = new byte[DoubleText.MAX_BYTES];
    int end = DoubleText.write(value, text, 0);
    out.append(new String(text, 0, end, StandardCharsets.US_ASCII));
  }

  /**
   * Reads every record of every file, checks all that can be checked, and prints a line for each
   * file that is not whole.
   *
   * @return how many are not
   * @throws IOException if the directory cannot be read, or the output cannot be written
   */
  public int check() throws IOException {
    int bad = 0;
    List<DirectoryReport.FileReport> files = report();
    for (DirectoryReport.FileReport file : files) {
      if (!file.trouble().isEmpty()) {
        bad++;
        out.append(file.fileName()).append(": ").append(file.trouble()).append('\n');
      }
    }
    out.append("%d files checked, %d not whole%n".formatted(files.size(), bad));
    return bad;
  }

  /**
   * Folds the values of dead processes into the totals file, and prints how far it is after each
   * round of files.
   *
   * @return how many processes were folded
   * @throws IOException if the directory cannot be read or written, or the output cannot be written
   */
  public int retire() throws IOException {
    Problems problems = new Problems(System::nanoTime, line -> printQuietly("! " + line));
    Retirement.Result result =
        new Retirement(StoreDirectory.forReading(directory), problems)
            .run((done, left) -> printQuietly(done + " folded, " + left + " to go"));
    out.append(
        result.busy()
            ? "another process is retiring in this directory; nothing done\n"
            : result.folded() + " dead processes folded into the totals\n");
    return result.folded();
  }

  private void printQuietly(String line) {
    try {
      out.append(line).append('\n');
    } catch (IOException e) {
      // Progress is not worth a half-done run; what is printed last tells the caller.
    }
  }

  private List<DirectoryReport.FileReport> report() throws IOException {
    return new DirectoryReport(StoreDirectory.forReading(directory)).files();
  }
}

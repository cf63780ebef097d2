package dev.millrace.benchmarks;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Makes a table of JMH's results: what an operation of each contestant costs, and how many times
 * Millrace's figure each peer's is. Contestants are the values of the parameter {@value
 * #CONTESTANT}; Millrace is the one whose name begins with {@value #OURS}.
 */
public final class RatioTable {
  private static final String CONTESTANT = "contestant";
  private static final String OURS = "millrace";
  private static final String VERSIONS = "versions.properties";

  /** Below this an operation's time has too few digits in ms. */
  private static final double LEAST_NANOS_IN_MILLIS = 10_000;

  private final String benchmark;
  private final List<JmhResult> results;
  private final Units units;
  private final boolean countsItems;

  private RatioTable(String benchmark, List<JmhResult> results) {
    this.benchmark = benchmark;
    this.results = results;
    double leastNanos =
        results.stream().mapToDouble(JmhResult::cpuNanos).filter(n -> n > 0).min().orElse(0);
    units = leastNanos < LEAST_NANOS_IN_MILLIS ? Units.SMALL : Units.LARGE;
    countsItems = results.stream().anyMatch(result -> result.items() > 0);
  }

  /** What a table's figures are in. */
  private enum Units {
    SMALL("µs", 1e3, "B", 1),
    LARGE("ms", 1e6, "KB", 1024);

    private final String time;
    private final double nanos;
    private final String size;
    private final double bytes;

    Units(String time, double nanos, String size, double bytes) {
      this.time = time;
      this.nanos = nanos;
      this.size = size;
      this.bytes = bytes;
    }
  }

  /**
   * Writes the tables of all benchmarks in a result file into a Markdown file, each between its own
   * two markers, and prints them. What is outside of the markers stays.
   *
   * @param arguments JMH's JSON file and the Markdown file; the latter is made if it is not there
   * @throws IOException if a file cannot be read or written
   */
  public static void main(String[] arguments) throws IOException {
    if (arguments.length != 2) {
      throw new IllegalArgumentException(
          "expected JMH's result file and the Markdown file to write to, found "
              + arguments.length
              + " arguments");
    }
    Path resultFile = Path.of(arguments[0]);
    Path page = Path.of(arguments[1]);
    String date =
        Files.getLastModifiedTime(resultFile).toInstant().atZone(ZoneOffset.UTC).toLocalDate() + "";
    String text = Files.exists(page) ? Files.readString(page) : "# Results\n";
    for (RatioTable table : of(JmhResults.read(resultFile))) {
      String block = table.markdown(date, Machine.description());
      System.out.println(block);
      text = replace(text, table.benchmark, block);
    }
    Files.writeString(page, text);
  }

  /** The tables of some results, one for each benchmark, in the order in which they come. */
  static List<RatioTable> of(List<JmhResult> results) {
    Map<String, List<JmhResult>> byBenchmark = new LinkedHashMap<>();
    for (JmhResult result : results) {
      byBenchmark.computeIfAbsent(result.benchmark(), name -> new ArrayList<>()).add(result);
    }
    List<RatioTable> tables = new ArrayList<>();
    byBenchmark.forEach((name, rows) -> tables.add(new RatioTable(simpleName(name), rows)));
    return tables;
  }

  /** The class and the method, without the package. */
  private static String simpleName(String benchmark) {
    int method = benchmark.lastIndexOf('.');
    return benchmark.substring(benchmark.lastIndexOf('.', method - 1) + 1);
  }

  /** Replaces a benchmark's block in a page, or appends it. */
  public static String replace(String page, String benchmark, String block) {
    String begin = "<!-- " + benchmark + " begin -->\n";
    String end = "<!-- " + benchmark + " end -->\n";
    String marked = begin + block + end;
    int from = page.indexOf(begin);
    int to = page.indexOf(end);
    if (from < 0 || to < from) {
      return page + "\n" + marked;
    }
    return page.substring(0, from) + marked + page.substring(to + end.length());
  }

  /** The heading, the conditions and the table. */
  String markdown(String date, String machine) throws IOException {
    StringBuilder text = new StringBuilder();
    text.append("## ").append(benchmark).append("\n\n");
    text.append(date).append(", ").append(machine).append(", ").append(results.get(0).jvm());
    text.append(".\n");
    Properties versions = versions();
    for (String contestant : contestants()) {
      String version = versions.getProperty(contestant);
      text.append(contestant);
      text.append(version == null ? "" : " " + version).append(". ");
    }
    text.append(
        "\n\nOf one operation: processor time of its thread and of the whole process (the garbage");
    text.append(" collector's comes on top) in ").append(units.time);
    text.append(", what the thread allocated and wrote in ").append(units.size).append('.');
    if (countsItems) {
      text.append(" Of one span, log record or point: the bytes written.");
    }
    text.append(" In brackets: how many times Millrace's.\n\n");
    appendTable(text);
    return text.toString();
  }

  private void appendTable(StringBuilder text) {
    List<String> params = new ArrayList<>(results.get(0).params().keySet());
    params.remove(CONTESTANT);
    StringBuilder rule = new StringBuilder("|");
    text.append('|');
    for (String param : params) {
      text.append(' ').append(param).append(" |");
      rule.append("---|");
    }
    for (String contestant : contestants()) {
      for (String column : columns()) {
        text.append(' ').append(contestant).append(": ").append(column).append(" |");
        rule.append("--:|");
      }
    }
    text.append('\n').append(rule).append('\n');
    for (Map<String, JmhResult> row : rows(params)) {
      appendRow(text, params, row);
    }
  }

  private List<String> columns() {
    List<String> columns = new ArrayList<>();
    columns.add(units.time);
    columns.add("process " + units.time);
    columns.add(units.size + " allocated");
    columns.add(units.size + " written");
    if (countsItems) {
      columns.add("B an item");
    }
    return columns;
  }

  private void appendRow(StringBuilder text, List<String> params, Map<String, JmhResult> row) {
    JmhResult any = row.values().iterator().next();
    text.append('|');
    for (String param : params) {
      text.append(' ').append(any.params().get(param)).append(" |");
    }
    JmhResult ours =
        row.values().stream().filter(result -> isOurs(contestant(result))).findFirst().orElse(null);
    for (String contestant : contestants()) {
      JmhResult result = row.get(contestant);
      if (result == null) {
        text.append(" |".repeat(columns().size()));
        continue;
      }
      JmhResult base = isOurs(contestant) ? null : ours;
      appendFigure(text, units.nanos, result, base, JmhResult::cpuNanos);
      appendFigure(text, units.nanos, result, base, JmhResult::processCpuNanos);
      appendFigure(text, units.bytes, result, base, JmhResult::allocatedBytes);
      appendFigure(text, units.bytes, result, null, JmhResult::writtenBytes);
      if (countsItems) {
        appendFigure(text, 1, result, null, of -> of.writtenBytes() / of.items());
      }
    }
    text.append('\n');
  }

  /** A figure in some unit, and how many times the base's it is, where there is a base. */
  private static void appendFigure(
      StringBuilder text,
      double unit,
      JmhResult result,
      @Nullable JmhResult base,
      ToDoubleFunction<JmhResult> figureOf) {
    double figure = figureOf.applyAsDouble(result);
    if (figure < 0) {
      text.append(" not known |");
      return;
    }
    text.append(' ').append(short3(figure / unit));
    double ratio = base == null ? Double.NaN : figure / figureOf.applyAsDouble(base);
    if (Double.isFinite(ratio)) {
      text.append(" (").append(short3(ratio)).append("x)");
    }
    text.append(" |");
  }

  /** Three digits, and thousands apart. */
  private static String short3(double figure) {
    int decimals = figure < 10 ? 2 : figure < 100 ? 1 : 0;
    return String.format(Locale.ROOT, "%,." + decimals + "f", figure);
  }

  /** Ours first, the others in the order in which they come. */
  private Set<String> contestants() {
    Set<String> names = new LinkedHashSet<>();
    for (boolean ours : new boolean[] {true, false}) {
      for (JmhResult result : results) {
        if (isOurs(contestant(result)) == ours) {
          names.add(contestant(result));
        }
      }
    }
    return names;
  }

  private static boolean isOurs(String contestant) {
    return contestant.startsWith(OURS);
  }

  private static String contestant(JmhResult result) {
    return result.params().getOrDefault(CONTESTANT, OURS);
  }

  /** For each setting of the other parameters the results by contestant. */
  private List<Map<String, JmhResult>> rows(List<String> params) {
    Map<String, Map<String, JmhResult>> rows = new TreeMap<>();
    for (JmhResult result : results) {
      StringBuilder key = new StringBuilder();
      for (String param : params) {
        // Numbers sort by size.
        key.append(String.format(Locale.ROOT, "%20s", result.params().get(param)));
      }
      rows.computeIfAbsent(key.toString(), name -> new LinkedHashMap<>())
          .put(contestant(result), result);
    }
    return new ArrayList<>(rows.values());
  }

  private static Properties versions() throws IOException {
    Properties versions = new Properties();
    java.io.@Nullable InputStream stream = RatioTable.class.getResourceAsStream(VERSIONS);
    if (stream == null) {
      throw new IOException(
          "expected " + VERSIONS + " beside the class, found none; build the module with Maven");
    }
    try (Reader reader = new InputStreamReader(stream, StandardCharsets.UTF_8)) {
      versions.load(reader);
    }
    return versions;
  }
}

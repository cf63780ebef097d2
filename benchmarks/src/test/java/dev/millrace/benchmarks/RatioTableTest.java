package dev.millrace.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RatioTableTest {
  @TempDir private Path folder = Path.of("");

  @Test
  void dividesEachPeersFiguresByOurs() throws IOException {
    Path file =
        write(
            result("a.b.ScrapeBenchmark.scrape", "client_java", 10_000, 60e6, 40_960, 4),
            result("a.b.ScrapeBenchmark.scrape", "client_java", 1_000, 6e6, 4096, 2),
            result("a.b.ScrapeBenchmark.scrape", "millrace", 1_000, 1e6, 2048, 1),
            result("a.b.ScrapeBenchmark.scrape", "millrace", 10_000, 8e6, 1024, 2),
            result("a.b.ScrapeBenchmark.scrape", "other", 1_000, 1_234_567e6, 0, 1));
    List<RatioTable> tables = RatioTable.of(JmhResults.read(file));
    assertThat(tables).hasSize(1);
    assertThat(tables.get(0).markdown("2026-01-02", "a machine"))
        .startsWith(
            "## ScrapeBenchmark.scrape\n\n2026-01-02, a machine, Some VM 17.0.1.\nmillrace ")
        .contains("client_java 1.")
        .contains(
            """
            | series | millrace: ms | millrace: process ms | millrace: KB allocated | millrace: KB written \
            | client_java: ms | client_java: process ms | client_java: KB allocated | client_java: KB written \
            | other: ms | other: process ms | other: KB allocated | other: KB written |
            |---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|
            | 1000 | 1.00 | 2.00 | 2.00 | 0.50 | 3.00 (3.00x) | 6.00 (3.00x) | 2.00 (1.00x) | 0.25 \
            | 1,234,567 (1,234,567x) | 2,469,134 (1,234,567x) | 0.00 (0.00x) | 0.50 |
            | 10000 | 4.00 | 8.00 | 0.50 | 0.25 | 15.0 (3.75x) | 30.0 (3.75x) | 10.0 (20.0x) | 0.13 | | | | |
            """);
  }

  @Test
  void dividesByMillraceWhateverItsSource() throws IOException {
    Path file =
        write(
            result("a.Own.scrape", "client_java", 1, 6e6, 4096, 1),
            result("a.Own.scrape", "millrace-store", 1, 2e6, 1024, 1));
    assertThat(RatioTable.of(JmhResults.read(file)).get(0).markdown("2026-01-02", "a machine"))
        .contains("| series | millrace-store: ms |")
        .contains("| 1 | 2.00 | 4.00 | 1.00 | 0.50 | 6.00 (3.00x) | 12.0 (3.00x) | 4.00 (4.00x) |");
  }

  @Test
  void hasSmallUnitsForSmallOperations() throws IOException {
    Path file =
        write(
            result("a.Small.run", "other", 1, 9_000, 96, 3),
            result("a.Small.run", "millrace", 1, 1_500, 48, 2));
    assertThat(RatioTable.of(JmhResults.read(file)).get(0).markdown("2026-01-02", "a machine"))
        .contains("in µs, what the thread allocated and wrote in B. In brackets")
        .contains("| series | millrace: µs | millrace: process µs | millrace: B allocated |")
        .contains("| 1 | 0.75 | 1.50 | 24.0 | 256 | 3.00 (4.00x) | 6.00 (4.00x) | 32.0 (1.33x) |");
  }

  @Test
  void saysWhatAnItemTakesWhereItemsAreCounted() throws IOException {
    String counted =
        result("a.Items.run", "millrace", 1, 8e6, 1024, 2)
            .replace("\"gc.count\"", "\"items\": {\"score\": 4.0}, \"gc.count\"");
    assertThat(
            RatioTable.of(JmhResults.read(write(counted)))
                .get(0)
                .markdown("2026-01-02", "a machine"))
        .contains("Of one span, log record or point: the bytes written.")
        .contains("| millrace: KB written | millrace: B an item |")
        .contains("| 1 | 4.00 | 8.00 | 0.50 | 0.25 | 128 |");
  }

  @Test
  void makesATableOfEachBenchmark() throws IOException {
    Path file =
        write(
            result("a.First.run", "millrace", 1, 1, 1, 1),
            result("a.Second.run", "millrace", 1, 1, 1, 1));
    assertThat(RatioTable.of(JmhResults.read(file))).hasSize(2);
  }

  @Test
  void replacesItsOwnBlockOnly() {
    String page = RatioTable.replace("# Results\n\nKeep.\n", "A.run", "one\n");
    page = RatioTable.replace(page, "B.run", "two\n");
    page = RatioTable.replace(page + "Keep too.\n", "A.run", "three\n");
    assertThat(page)
        .isEqualTo(
            """
            # Results

            Keep.

            <!-- A.run begin -->
            three
            <!-- A.run end -->

            <!-- B.run begin -->
            two
            <!-- B.run end -->
            Keep too.
            """);
  }

  @Test
  void writesThePageAndKeepsTheRest() throws IOException {
    Path file = write(result("a.First.run", "millrace", 1, 1e6, 1, 1));
    Path page = folder.resolve("RESULTS.md");
    String[] arguments = {file.toString(), page.toString()};
    RatioTable.main(arguments);
    String first = Files.readString(page);
    assertThat(first).startsWith("# Results\n\n<!-- First.run begin -->\n## First.run\n");
    Files.writeString(page, first + "By hand.\n");
    RatioTable.main(arguments);
    assertThat(Files.readString(page)).isEqualTo(first + "By hand.\n");
  }

  @Test
  void refusesResultsWithoutOperations() throws IOException {
    Path file = write(result("a.First.run", "millrace", 1, 1, 1, 0));
    assertThatThrownBy(() -> JmhResults.read(file)).hasMessageContaining("give each iteration");
  }

  @Test
  void refusesFilesThatAreNotJmhs() throws IOException {
    for (String text : new String[] {"", "{}", "[1]", "[{}]", "[{\"benchmark\": 1}]", "[{"}) {
      Path file = Files.writeString(folder.resolve("wrong.json"), text);
      assertThatThrownBy(() -> JmhResults.read(file)).as(text).isInstanceOf(IOException.class);
    }
    String noScore =
        result("a.First.run", "millrace", 1, 1, 1, 1).replace("\"score\": 1.0", "\"score\": \"-\"");
    assertThatThrownBy(() -> JmhResults.read(write(noScore)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("expected a number");
  }

  private Path write(String... results) throws IOException {
    return Files.writeString(folder.resolve("results.json"), "[" + String.join(",", results) + "]");
  }

  /** As JMH writes it, with what is not read left out but for some of it. */
  private static String result(
      String benchmark,
      String contestant,
      int series,
      double cpuNanos,
      double allocatedBytes,
      double operations) {
    return """
        {
          "jmhVersion": "1.37",
          "benchmark": "%s",
          "jvmArgs": ["-Xmx6g"],
          "vmName": "Some VM",
          "vmVersion": "17.0.1",
          "params": {"contestant": "%s", "series": "%d"},
          "primaryMetric": {"score": 1.5, "scoreError": "NaN", "rawData": [[1.5, 1.5]]},
          "secondaryMetrics": {
            "cpuNanos": {"score": %s, "scoreError": null},
            "processCpuNanos": {"score": %s},
            "allocatedBytes": {"score": %s},
            "writtenBytes": {"score": 512.0},
            "operations": {"score": %s},
            "gc.count": {"score": 3.0}
          }
        }
        """
        .formatted(
            benchmark, contestant, series, cpuNanos, 2 * cpuNanos, allocatedBytes, operations);
  }
}

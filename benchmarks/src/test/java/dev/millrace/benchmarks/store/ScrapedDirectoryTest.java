package dev.millrace.benchmarks.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ScrapedDirectoryTest {
  private static final int PROCESSES = 2;

  @TempDir private Path folder = Path.of("");

  @ParameterizedTest
  @EnumSource
  void aStoresDirectoryHasWhatAllProcessesWrote(ScrapeState state) throws IOException {
    try (DirectoryContestants contestants = new DirectoryContestants();
        ScrapedDirectory scraped =
            contestants.own(DirectoryContestants.MILLRACE, Workload.CHURN, PROCESSES, state)) {
      StoreCost cost = new StoreCost();
      scraped.scrape(cost);
      scraped.scrape(cost);
      assertThat(cost.operations).isEqualTo(2);
      assertThat(cost.writtenBytes).isEqualTo(2L * scraped.text(folder).length);
    }
  }

  @Test
  void theRetiredStillCount() throws IOException {
    try (DirectoryContestants contestants = new DirectoryContestants();
        ScrapedDirectory scraped =
            contestants.store(Workload.CHURN, 1, 3, true, ScrapeState.WARM)) {
      scraped.check(Workload.CHURN, 4, folder);
    }
  }

  @Test
  void pythonsDirectoryIsWhatItScrapesItself() throws Exception {
    Path python = Path.of("/usr/bin/python3");
    assumeTrue(
        Files.isExecutable(python)
            && new ProcessBuilder(python.toString(), "-c", "import prometheus_client")
                    .start()
                    .waitFor()
                == 0,
        "python3-prometheus-client is not installed; ./test installs it");
    String files = Peer.CLIENT_PYTHON.contestant();
    for (String contestant :
        new String[] {DirectoryContestants.MILLRACE, DirectoryContestants.OWN_CLIENT}) {
      try (DirectoryContestants contestants = new DirectoryContestants();
          ScrapedDirectory scraped =
              contestants.foreign(
                  files, contestant, Workload.CHURN, PROCESSES, ScrapeState.FIRST)) {
        StoreCost cost = new StoreCost();
        scraped.scrape(cost);
        assertThat(cost.operations).as(contestant).isEqualTo(1);
        assertThat(cost.writtenBytes).as(contestant).isPositive();
      }
    }
  }

  @Test
  void statementsAreAsLongAsDescribed() {
    assertThat(Workload.BIG.labelSets().stream().mapToInt(set -> set.statement().length()))
        .hasSize(370)
        .allMatch(chars -> chars <= 3_920)
        .anyMatch(chars -> chars > 3_900);
    assertThat(
            Workload.BIG.labelSets().stream()
                .mapToInt(set -> set.statement().length())
                .average()
                .orElseThrow())
        .isBetween(715.0, 731.0);
    assertThat(Workload.SEED.labelSets()).doesNotHaveDuplicates().hasSize(150);
  }
}

package dev.millrace.benchmarks.store;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A scrape of a directory of ten living processes and of many that ended, 20 label sets each.
 * client_ruby retires nothing, so its cost stays what it is with their files.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xms1g", "-Xmx1g"})
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 4, time = 1)
public class ChurnBenchmark {
  /** What became of the files of those that ended. */
  public enum Ended {
    /** None has ended yet. */
    NONE,
    /** They lie there. */
    LEFT,
    /** They were folded into the totals. */
    RETIRED
  }

  /** Who writes and scrapes. */
  @Param({DirectoryContestants.MILLRACE, "client_ruby-4.2.5"})
  public String contestant = "";

  /** How many ended, unless none did. */
  @Param("5000")
  public int dead;

  /** What became of them. */
  @Param public Ended ended = Ended.NONE;

  /** Whether it was scraped before; peers keep nothing. */
  @Param public ScrapeState state = ScrapeState.WARM;

  private @Nullable DirectoryContestants contestants;
  private @Nullable ScrapedDirectory scraped;

  /** Writes the directory, and checks that the contestant scrapes all of it. */
  @Setup
  public void write() throws IOException {
    contestants = new DirectoryContestants();
    int count = ended == Ended.NONE ? 0 : dead;
    scraped =
        contestant.equals(DirectoryContestants.MILLRACE)
            ? contestants.store(
                Workload.CHURN, Workload.PROCESSES, count, ended == Ended.RETIRED, state)
            : contestants.peerWithDead(contestant, Workload.CHURN, Workload.PROCESSES, count);
  }

  /** Ends what was started. */
  @TearDown
  public void close() throws IOException {
    if (scraped != null) {
      scraped.close();
    }
    if (contestants != null) {
      contestants.close();
    }
  }

  /** One scrape. */
  @Benchmark
  public void scrape(StoreCost cost) throws IOException {
    requireNonNull(scraped).scrape(cost);
  }
}

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

/** A scrape of a directory that ten processes of another client wrote: Millrace and that client. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xms1g", "-Xmx1g"})
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 4, time = 1)
public class ForeignScrapeBenchmark {
  /** Who scrapes. */
  @Param({DirectoryContestants.MILLRACE, DirectoryContestants.OWN_CLIENT})
  public String contestant = "";

  /** Whose files they are. */
  @Param({"client_ruby-4.2.5", "client_ruby-5", "prometheus-client-mmap", "client_python"})
  public String files = "";

  /** What is in the directory. */
  @Param({"SEED", "BIG"})
  public Workload workload = Workload.SEED;

  /** Whether it was scraped before; peers keep nothing. */
  @Param public ScrapeState state = ScrapeState.WARM;

  private @Nullable DirectoryContestants contestants;
  private @Nullable ScrapedDirectory scraped;

  /** Writes the directory, and checks that the contestant scrapes all of it. */
  @Setup
  public void write() throws IOException {
    contestants = new DirectoryContestants();
    scraped = contestants.foreign(files, contestant, workload, Workload.PROCESSES, state);
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

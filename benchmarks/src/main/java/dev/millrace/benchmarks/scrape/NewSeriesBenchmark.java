package dev.millrace.benchmarks.scrape;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
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
 * As {@link ScrapeBenchmark}, and before each scrape a tenth of the series ended and as many began:
 * every scrape is the first for a tenth of what it writes.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xms6g", "-Xmx6g", "-XX:+AlwaysPreTouch"})
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
public class NewSeriesBenchmark {
  /** Who scrapes. */
  @Param({Contestants.MILLRACE, Contestants.OTEL_EXPORTER, Contestants.CLIENT_JAVA})
  public String contestant = "";

  /** How many series there are. */
  @Param({"10000", "100000"})
  public int series;

  private final CountingOutputStream out = new CountingOutputStream();
  private @Nullable Contestant scraped;

  /** Records the workload, and checks that the contestant writes all of it. */
  @Setup
  public void record() throws IOException {
    scraped =
        Contestants.checked(
            contestant, new ScrapeWorkload(series), ScrapeFormat.TEXT, ScrapeCoding.IDENTITY);
  }

  /** Renews a tenth of the series; what that costs is not measured. */
  @Setup(Level.Invocation)
  public void renew() {
    requireNonNull(scraped).renewTenth();
  }

  /** Ends what the contestant started. */
  @TearDown
  public void close() {
    Contestants.close(scraped);
  }

  /** One scrape. */
  @Benchmark
  public void scrape(ScrapeCost cost) throws IOException {
    cost.measure(scraped, out);
  }
}

package dev.millrace.benchmarks.scrape;

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

/** As {@link ScrapeBenchmark}, with Millrace's own instruments as its source. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xms6g", "-Xmx6g", "-XX:+AlwaysPreTouch"})
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
public class OwnInstrumentsBenchmark {
  /** Who scrapes. */
  @Param({Contestants.MILLRACE_STORE, Contestants.OTEL_EXPORTER, Contestants.CLIENT_JAVA})
  public String contestant = "";

  /** How many series there are. */
  @Param({"10000", "1000000"})
  public int series;

  /** What is written. */
  @Param public ScrapeFormat format = ScrapeFormat.TEXT;

  private final CountingOutputStream out = new CountingOutputStream();
  private @Nullable Contestant scraped;

  /** Records the workload, and checks that the contestant writes all of it. */
  @Setup
  public void record() throws IOException {
    scraped =
        Contestants.checked(contestant, new ScrapeWorkload(series), format, ScrapeCoding.IDENTITY);
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

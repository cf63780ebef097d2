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
 * One scrape, or eight at once, through loopback sockets of each contestant's own HTTP server with
 * the headers of a real Prometheus, gzip among them. The server has a process of its own, and what
 * is counted is what that process spends: an operation is all scrapes that are made at once.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(value = 1)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
public class SocketScrapeBenchmark {
  /** Who is scraped. */
  @Param({Contestants.MILLRACE, Contestants.OTEL_EXPORTER, Contestants.CLIENT_JAVA})
  public String contestant = "";

  /** How many series there are. */
  @Param({"1000", "100000"})
  public int series;

  /** How many scrapes are made at once. */
  @Param({"1", "8"})
  public int scrapers;

  /** Who asks. */
  @Param public PrometheusHeaders headers = PrometheusHeaders.PROMETHEUS_2;

  private @Nullable ServedContestant server;
  private ServedContestant.Spent before = new ServedContestant.Spent(0, 0);

  /** Starts the server, and checks that it writes the whole workload. */
  @Setup
  public void start() throws IOException {
    ServedContestant started = new ServedContestant(contestant, series, headers, scrapers);
    server = started;
    long expected = new ScrapeWorkload(series).sampleLines();
    long samples = started.samples();
    if (samples != expected) {
      throw new IllegalStateException(
          "expected " + expected + " sample lines of " + contestant + ", found " + samples);
    }
  }

  /** Begins to count. */
  @Setup(Level.Iteration)
  public void begin() throws IOException {
    before = requireNonNull(server).spent();
  }

  /** Ends the server. */
  @TearDown
  public void stop() {
    requireNonNull(server).close();
  }

  /** The scrapes that are made at once. */
  @Benchmark
  public void scrape(ScrapeCost cost) throws IOException {
    ServedContestant scraped = requireNonNull(server);
    long bytes = scraped.scrape();
    ServedContestant.Spent now = scraped.spent();
    cost.add(
        now.cpuNanos() - before.cpuNanos(), now.allocatedBytes() - before.allocatedBytes(), bytes);
    before = now;
  }
}

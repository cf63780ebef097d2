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

/**
 * Compressing a scrape of N series, and bytes that are hard to compress, CRC-32 included. The text
 * is there already. One thread, in steady state; each contestant runs in a JVM of its own.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xms2g", "-Xmx2g", "-XX:+AlwaysPreTouch"})
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class GzipBenchmark {
  /** Who compresses. */
  @Param({Contestants.MILLRACE, GzipContestants.ZLIB_1, GzipContestants.ZLIB_6})
  public String contestant = "";

  /** How many series there are. */
  @Param({"1000", "10000", "100000"})
  public int series;

  /** What is compressed. */
  @Param public GzipInput input = GzipInput.TEXT;

  private final CountingOutputStream out = new CountingOutputStream();
  private @Nullable Contestant compressor;

  /** Makes the input. */
  @Setup
  public void prepare() throws IOException {
    compressor = GzipContestants.create(contestant, input.bytes(series));
  }

  /** Frees what is outside the heap. */
  @TearDown
  public void close() {
    Contestants.close(compressor);
  }

  /** One text. */
  @Benchmark
  public void compress(ScrapeCost cost) throws IOException {
    cost.measure(compressor, out);
  }
}

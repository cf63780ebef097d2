package dev.millrace.benchmarks.scrape;

import static java.util.Objects.requireNonNull;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.AuxCounters;
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
 * A scrape of N series: collecting and writing to a stream that only counts bytes. One thread, in
 * steady state. Each contestant runs in a JVM of its own.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xms6g", "-Xmx6g"})
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 10, time = 2)
public class ScrapeBenchmark {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** Who scrapes. */
  @Param({Contestants.MILLRACE, Contestants.OTEL_EXPORTER, Contestants.CLIENT_JAVA})
  public String contestant = "";

  /** How many series there are. */
  @Param({"1000", "10000", "100000", "1000000"})
  public int series;

  /** What is written. */
  @Param public ScrapeFormat format = ScrapeFormat.TEXT;

  private final CountingOutputStream out = new CountingOutputStream();
  private @Nullable Contestant scraped;

  /** What a scrape costs the thread that does it; summed over the scrapes of an iteration. */
  @State(Scope.Thread)
  @AuxCounters(AuxCounters.Type.EVENTS)
  public static class Cost {
    /** Processor time. */
    public long cpuNanos;

    /** What the thread allocated. */
    public long allocatedBytes;

    /** What was written. */
    public long writtenBytes;

    /** How many scrapes the others are of. */
    public long operations;
  }

  /** Records the workload, and checks that the contestant writes all of it. */
  @Setup
  public void record() throws IOException {
    ScrapeWorkload workload = new ScrapeWorkload(series);
    Contestant created = Contestants.create(contestant, workload, format);
    SampleLineCounter lines = new SampleLineCounter();
    created.scrape(lines);
    if (lines.samples() != workload.sampleLines()) {
      throw new IllegalStateException(
          "expected "
              + workload.sampleLines()
              + " sample lines of "
              + contestant
              + ", found "
              + lines.samples());
    }
    scraped = created;
  }

  /** Ends what the contestant started. */
  @TearDown
  public void close() {
    requireNonNull(scraped).close();
  }

  /** One scrape. */
  @Benchmark
  public void scrape(Cost cost) throws IOException {
    Contestant contestant = requireNonNull(scraped);
    long allocatedBytes = THREADS.getCurrentThreadAllocatedBytes();
    long cpuNanos = THREADS.getCurrentThreadCpuTime();
    contestant.scrape(out);
    cost.cpuNanos += THREADS.getCurrentThreadCpuTime() - cpuNanos;
    cost.allocatedBytes += THREADS.getCurrentThreadAllocatedBytes() - allocatedBytes;
    cost.writtenBytes += out.takeCount();
    cost.operations++;
  }
}

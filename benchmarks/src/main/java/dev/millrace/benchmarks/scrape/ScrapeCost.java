package dev.millrace.benchmarks.scrape;

import static java.util.Objects.requireNonNull;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** What scrapes cost; summed over the scrapes of an iteration. */
@State(Scope.Thread)
@AuxCounters(AuxCounters.Type.EVENTS)
public class ScrapeCost {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final OperatingSystemMXBean SYSTEM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  /** Processor time of the thread that scrapes. */
  public long cpuNanos;

  /** Processor time of the whole process: that of the garbage collector comes on top. */
  public long processCpuNanos;

  /** What the thread allocated. */
  public long allocatedBytes;

  /** What was written. */
  public long writtenBytes;

  /** How many scrapes the others are of. */
  public long operations;

  /** Does one scrape and adds what it cost. */
  void measure(@Nullable Contestant contestant, CountingOutputStream out) throws IOException {
    Contestant scraped = requireNonNull(contestant);
    long processNanos = SYSTEM.getProcessCpuTime();
    long bytes = THREADS.getCurrentThreadAllocatedBytes();
    long nanos = THREADS.getCurrentThreadCpuTime();
    scraped.scrape(out);
    cpuNanos += THREADS.getCurrentThreadCpuTime() - nanos;
    allocatedBytes += THREADS.getCurrentThreadAllocatedBytes() - bytes;
    processCpuNanos += SYSTEM.getProcessCpuTime() - processNanos;
    writtenBytes += out.takeCount();
    operations++;
  }

  /** Adds what a process spent for one operation. */
  void add(long processNanos, long processAllocatedBytes, long bytes) {
    cpuNanos += processNanos;
    processCpuNanos += processNanos;
    allocatedBytes += processAllocatedBytes;
    writtenBytes += bytes;
    operations++;
  }
}

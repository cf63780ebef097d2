package dev.millrace.benchmarks.otlp;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import dev.millrace.benchmarks.scrape.CountingOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** What exports cost; summed over the exports of an iteration. */
@State(Scope.Thread)
@AuxCounters(AuxCounters.Type.EVENTS)
public class ExportCost {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final OperatingSystemMXBean SYSTEM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  /** Processor time of the thread that exports, or of the process where others work for it. */
  public long cpuNanos;

  /** Processor time of the whole process: that of the garbage collector comes on top. */
  public long processCpuNanos;

  /** What the thread allocated, or the process where others work for it. */
  public long allocatedBytes;

  /** What was written. */
  public long writtenBytes;

  /** How many exports the others are of. */
  public long operations;

  /** How many spans, log records or points were written. */
  public long items;

  /** What is measured. */
  @FunctionalInterface
  public interface Operation {
    /** Runs once. */
    void run() throws IOException;
  }

  /** Runs an operation some times, and adds what it cost. */
  void measure(Operation operation, CountingOutputStream out, int times, long itemsEach)
      throws IOException {
    long processNanos = SYSTEM.getProcessCpuTime();
    long bytes = THREADS.getCurrentThreadAllocatedBytes();
    long nanos = THREADS.getCurrentThreadCpuTime();
    for (int i = 0; i < times; i++) {
      operation.run();
    }
    cpuNanos += THREADS.getCurrentThreadCpuTime() - nanos;
    allocatedBytes += THREADS.getCurrentThreadAllocatedBytes() - bytes;
    processCpuNanos += SYSTEM.getProcessCpuTime() - processNanos;
    writtenBytes += out.takeCount();
    operations += times;
    items += itemsEach * times;
  }

  /** Runs an operation whose work is done by several threads, and adds what all of them spent. */
  public void measureProcess(Operation operation, long bytesEach, long itemsEach)
      throws IOException {
    long readingBytes = -processAllocatedBytes() + processAllocatedBytes();
    long processNanos = SYSTEM.getProcessCpuTime();
    long bytes = processAllocatedBytes();
    operation.run();
    allocatedBytes += Math.max(0, processAllocatedBytes() - bytes - readingBytes);
    long spentNanos = SYSTEM.getProcessCpuTime() - processNanos;
    cpuNanos += spentNanos;
    processCpuNanos += spentNanos;
    writtenBytes += bytesEach;
    operations++;
    items += itemsEach;
  }

  private static long processAllocatedBytes() {
    long sum = 0;
    for (long bytes : THREADS.getThreadAllocatedBytes(THREADS.getAllThreadIds())) {
      sum += Math.max(0, bytes);
    }
    return sum;
  }
}

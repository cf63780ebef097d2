package dev.millrace.benchmarks.store;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** What operations cost; summed over an iteration. */
@State(Scope.Thread)
@AuxCounters(AuxCounters.Type.EVENTS)
public class StoreCost {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final OperatingSystemMXBean SYSTEM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  /** Processor time of the thread that works; of a peer, of its process. */
  public long cpuNanos;

  /** Processor time of the whole process: that of the garbage collector comes on top. */
  public long processCpuNanos;

  /** What the thread allocated; less than zero where nobody knows. */
  public long allocatedBytes;

  /** What was written. */
  public long writtenBytes;

  /** How many operations the others are of. */
  public long operations;

  private long nanosBefore;
  private long processNanosBefore;
  private long bytesBefore;

  /** Begins to measure this thread. */
  void begin() {
    processNanosBefore = SYSTEM.getProcessCpuTime();
    bytesBefore = THREADS.getCurrentThreadAllocatedBytes();
    nanosBefore = THREADS.getCurrentThreadCpuTime();
  }

  /** Adds what this thread did since it began. */
  void end(long count, long bytes) {
    cpuNanos += THREADS.getCurrentThreadCpuTime() - nanosBefore;
    allocatedBytes += THREADS.getCurrentThreadAllocatedBytes() - bytesBefore;
    processCpuNanos += SYSTEM.getProcessCpuTime() - processNanosBefore;
    writtenBytes += bytes;
    operations += count;
  }

  /** Adds what a peer did. */
  void add(PeerProcess.Answer answer, long count) {
    cpuNanos += answer.cpuNanos();
    processCpuNanos += answer.cpuNanos();
    allocatedBytes -= count;
    writtenBytes += answer.writtenBytes();
    operations += count;
  }
}

package dev.millrace.testkit;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** Measures what the current thread allocates, by the JVM's own counter. */
public final class AllocationMeter {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** An operation that is measured. */
  @FunctionalInterface
  public interface Operation {
    /** Runs once. */
    void run() throws Exception;
  }

  private AllocationMeter() {}

  /**
   * Bytes that one operation allocates in steady state.
   *
   * <p>The operation runs {@code warmups} times first; then it is measured in rounds, and the
   * smallest round counts, because the JVM itself sometimes allocates on a thread's behalf and
   * never takes anything back.
   *
   * @param warmups runs before measuring, enough to fill caches and pools
   * @param operations runs in each measured round, at least 1
   * @return bytes for each operation, rounded up
   */
  public static long bytesPerOperation(int warmups, int operations, Operation operation)
      throws Exception {
    for (int i = 0; i < warmups; i++) {
      operation.run();
    }
    long least = Long.MAX_VALUE;
    for (int round = 0; round < 5; round++) {
      long before = THREADS.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < operations; i++) {
        operation.run();
      }
      least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
    }
    return (least + operations - 1) / operations;
  }

  /** Bytes that a thread has allocated since it began, for work that other threads do. */
  public static long allocatedBytes(Thread thread) {
    return THREADS.getThreadAllocatedBytes(thread.getId());
  }
}

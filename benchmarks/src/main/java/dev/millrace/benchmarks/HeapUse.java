package dev.millrace.benchmarks;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;

/** How much of the heap is in use. */
public final class HeapUse {
  /** The first may leave what finalizers and references of the JDK hold. */
  private static final int COLLECTIONS = 4;

  private HeapUse() {}

  /** Bytes of what lives, after collections of garbage. */
  public static long usedBytes() {
    MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
    for (int i = 0; i < COLLECTIONS; i++) {
      memory.gc();
    }
    return memory.getHeapMemoryUsage().getUsed();
  }
}

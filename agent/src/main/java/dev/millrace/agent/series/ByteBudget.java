package dev.millrace.agent.series;

import java.util.concurrent.atomic.AtomicLong;

/** Bounds what many things use of the memory together. Thread-safe, lock-free. */
final class ByteBudget {
  private final long limitBytes;
  private final AtomicLong usedBytes = new AtomicLong();

  ByteBudget(long limitBytes) {
    this.limitBytes = limitBytes;
  }

  /** Uses so many bytes more, unless that would be too many. */
  boolean tryUse(long bytes) {
    while (true) {
      long used = usedBytes.get();
      if (used + bytes > limitBytes) {
        return false;
      }
      if (usedBytes.compareAndSet(used, used + bytes)) {
        return true;
      }
    }
  }

  void release(long bytes) {
    usedBytes.addAndGet(-bytes);
  }

  long usedBytes() {
    return usedBytes.get();
  }
}

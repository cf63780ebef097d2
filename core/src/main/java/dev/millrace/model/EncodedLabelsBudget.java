package dev.millrace.model;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Bounds the memory that the series of one source spend on encoded labels. Past the bound, labels
 * are encoded again each time: slower, but not larger. Thread-safe, lock-free.
 */
public final class EncodedLabelsBudget {
  private final long limitBytes;
  private final AtomicLong usedBytes = new AtomicLong();

  /**
   * A budget of its own for one source.
   *
   * @param limitBytes 0 or more; 0 keeps nothing
   */
  public EncodedLabelsBudget(long limitBytes) {
    if (limitBytes < 0) {
      throw new IllegalArgumentException("limitBytes: expected 0 or more, found " + limitBytes);
    }
    this.limitBytes = limitBytes;
  }

  /** The most bytes that may be in use. */
  public long limitBytes() {
    return limitBytes;
  }

  /** Bytes in use now. */
  public long usedBytes() {
    return usedBytes.get();
  }

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
}

package dev.millrace.bytes;

import java.util.concurrent.atomic.AtomicLong;

/** Bounds the memory that many things use together. Thread-safe, lock-free. */
public final class ByteBudget {
  private final long limitBytes;
  private final AtomicLong usedBytes = new AtomicLong();

  /**
   * A budget of which nothing is used.
   *
   * @param limitBytes 0 or more
   */
  public ByteBudget(long limitBytes) {
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

  /**
   * Uses so many bytes more, unless that would be too many.
   *
   * @param bytes 0 or more
   * @return whether they are in use now; then {@link #release} ends that
   */
  public boolean tryUse(long bytes) {
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

  /** Ends the use of bytes that {@link #tryUse} allowed. */
  public void release(long bytes) {
    usedBytes.addAndGet(-bytes);
  }
}

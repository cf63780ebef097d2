package dev.millrace.model;

import dev.millrace.bytes.ByteBudget;

/**
 * Bounds the memory that the series of one source spend on encoded labels. Past the bound, labels
 * are encoded again each time: slower, but not larger. Thread-safe, lock-free.
 */
public final class EncodedLabelsBudget {
  private final ByteBudget bytes;

  /**
   * A budget of its own for one source.
   *
   * @param limitBytes 0 or more; 0 keeps nothing
   */
  public EncodedLabelsBudget(long limitBytes) {
    bytes = new ByteBudget(limitBytes);
  }

  /** The most bytes that may be in use. */
  public long limitBytes() {
    return bytes.limitBytes();
  }

  /** Bytes in use now. */
  public long usedBytes() {
    return bytes.usedBytes();
  }

  boolean tryUse(long moreBytes) {
    return bytes.tryUse(moreBytes);
  }

  void release(long lessBytes) {
    bytes.release(lessBytes);
  }
}

package dev.millrace.export.remotewrite;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * The shards that an earlier process had, with another number of them, and left something of on
 * disk. As series were spread otherwise then, all of it is sent before anything of now.
 * Thread-safe.
 */
final class EarlierShards {
  private final AtomicInteger left;

  EarlierShards(int count) {
    left = new AtomicInteger(count);
  }

  /** Whether nothing of them is left to be sent by this process. */
  boolean areDone() {
    return left.get() == 0;
  }

  /**
   * One of them has nothing left.
   *
   * @return whether it was the last
   */
  boolean endOne() {
    return left.decrementAndGet() == 0;
  }
}

package dev.millrace.agent.http;

import java.util.concurrent.ArrayBlockingQueue;

/**
 * Keeps a few idle {@link Gunzip}s, for the memory that they hold outside the heap. Thread-safe,
 * never blocks.
 */
final class GunzipPool implements AutoCloseable {
  /** As many as workers run at once as a rule. */
  private static final int MAX_IDLE = 4;

  private final ArrayBlockingQueue<Gunzip> idle = new ArrayBlockingQueue<>(MAX_IDLE);

  Gunzip take() {
    Gunzip gunzip = idle.poll();
    return gunzip == null ? new Gunzip() : gunzip;
  }

  void giveBack(Gunzip gunzip) {
    if (!idle.offer(gunzip)) {
      gunzip.close();
    }
  }

  @Override
  public void close() {
    for (Gunzip gunzip = idle.poll(); gunzip != null; gunzip = idle.poll()) {
      gunzip.close();
    }
  }
}

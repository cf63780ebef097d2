package dev.millrace.export.scrape;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Things that wait for their next use, at most a fixed number of them; the one used last is used
 * next, because its memory is warm. Thread-safe; the lock is held for a push or a pop only.
 *
 * @param <T> the things' type
 */
final class IdleStack<T> {
  private final ArrayDeque<T> idle = new ArrayDeque<>();
  private final int maxIdle;
  private boolean closed;

  IdleStack(int maxIdle) {
    this.maxIdle = maxIdle;
  }

  /** Takes one, or {@code null} where none is idle. */
  synchronized @Nullable T poll() {
    return idle.pollLast();
  }

  /** Puts one back; {@code false} where there are enough and the caller is to let go of it. */
  synchronized boolean offer(T thing) {
    if (closed || idle.size() >= maxIdle) {
      return false;
    }
    idle.addLast(thing);
    return true;
  }

  /** Takes no more from here on. */
  synchronized void close() {
    closed = true;
  }
}

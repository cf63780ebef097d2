package dev.millrace.agent.otlp;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what is expensive to make and used by one thread at a time, for the next that needs one.
 * Thread-safe: taking and giving back wait only for one another, and neither allocates where
 * something is idle.
 */
final class IdleStack<T> {
  private final Supplier<T> maker;
  private final @Nullable Object[] idle;
  private int count;

  /**
   * An empty stack.
   *
   * @param bound how many things are kept at most
   */
  IdleStack(int bound, Supplier<T> maker) {
    this.maker = maker;
    idle = new @Nullable Object[bound];
  }

  /** Gives a thing to use; it need not come back. */
  @SuppressWarnings("unchecked") // Only giveBack writes, and what it writes is a T.
  T take() {
    synchronized (this) {
      if (count > 0) {
        T taken = (T) idle[--count];
        idle[count] = null;
        if (taken != null) {
          return taken;
        }
      }
    }
    return maker.get();
  }

  /** Takes a thing back; what is over the bound is left to the garbage collector. */
  synchronized void giveBack(T thing) {
    if (count < idle.length) {
      idle[count++] = thing;
    }
  }
}

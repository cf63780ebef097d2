package dev.millrace.testkit;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Polls for a condition, for what happens in other threads and other processes. */
public final class Eventually {
  private static final long PAUSE_NANOS = 20_000_000;

  private Eventually() {}

  /**
   * Waits until {@code probe} gives something.
   *
   * @param what names the thing that is waited for, for the error message
   * @param limit how long to wait at most
   * @param probe gives {@code null} for "not yet"; an exception of its own means "not yet" too
   * @return what the probe gave
   */
  public static <T> T get(String what, Duration limit, Callable<@Nullable T> probe) {
    long deadline = System.nanoTime() + limit.toNanos();
    Exception last = null;
    while (true) {
      try {
        T value = probe.call();
        if (value != null) {
          return value;
        }
        last = null;
      } catch (Exception e) {
        last = e;
      }
      if (System.nanoTime() - deadline >= 0) {
        throw new AssertionError("expected within " + limit.toSeconds() + " s: " + what, last);
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  /** Waits until {@code probe} gives {@code true}; the parameters are those of {@link #get}. */
  public static void isTrue(String what, Duration limit, Callable<Boolean> probe) {
    get(what, limit, () -> probe.call() ? Boolean.TRUE : null);
  }
}

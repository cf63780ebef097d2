package dev.millrace.agent.http;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Runs a check no later than a deadline that mostly moves away before it comes: a later deadline
 * costs nothing, because the check finds out itself and arms the timer again. Event loop only.
 */
final class LazyTimer {
  private final EventExecutor loop;
  private final Runnable check;
  private @Nullable ScheduledFuture<?> scheduled;
  private long atNanos;

  LazyTimer(EventExecutor loop, Runnable check) {
    this.loop = loop;
    this.check = check;
  }

  /** Makes sure that the check runs at the deadline or before. */
  void arm(long deadlineNanos) {
    ScheduledFuture<?> armed = scheduled;
    if (armed != null) {
      if (atNanos - deadlineNanos <= 0) {
        return;
      }
      armed.cancel(false);
    }
    atNanos = deadlineNanos;
    scheduled = loop.schedule(this::run, deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
  }

  /** Runs no check any more. */
  void cancel() {
    ScheduledFuture<?> armed = scheduled;
    if (armed != null) {
      armed.cancel(false);
      scheduled = null;
    }
  }

  private void run() {
    scheduled = null;
    check.run();
  }
}

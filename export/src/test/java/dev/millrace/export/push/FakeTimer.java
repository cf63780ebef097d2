package dev.millrace.export.push;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Time that passes only when a test says so. Tasks run in the test's thread. */
public final class FakeTimer implements SendTimer {
  private record Task(long atNanos, int number, Runnable run) {}

  private final List<Task> tasks = new ArrayList<>();
  private long nowNanos = -500;
  private int number;
  private boolean closed;

  /** What {@link #random} gives. */
  public double random = 0.5;

  /** A timer on which nothing is scheduled. */
  public FakeTimer() {}

  @Override
  public synchronized long nanoTime() {
    return nowNanos;
  }

  @Override
  public double random() {
    return random;
  }

  @Override
  public synchronized void schedule(Runnable task, long delayNanos) {
    if (!closed) {
      tasks.add(new Task(nowNanos + delayNanos, number++, task));
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    tasks.clear();
  }

  /** Whether it was closed. */
  public synchronized boolean isClosed() {
    return closed;
  }

  /** Runs what is due, and what that schedules for now. */
  public void run() {
    advanceMillis(0);
  }

  /** Lets time pass, and runs what falls due on the way, at its time. */
  public void advanceMillis(long millis) {
    long end = nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    for (Task next = next(end); next != null; next = next(end)) {
      next.run().run();
    }
    synchronized (this) {
      nowNanos = end;
    }
  }

  private synchronized @Nullable Task next(long endNanos) {
    Task next =
        tasks.stream()
            .filter(task -> task.atNanos() <= endNanos)
            .min(Comparator.comparingLong(Task::atNanos).thenComparingInt(Task::number))
            .orElse(null);
    if (next != null) {
      tasks.remove(next);
      nowNanos = Math.max(nowNanos, next.atNanos());
    }
    return next;
  }
}

package dev.millrace.export.push;

import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Time, chance and the one thread of a {@link Sender}. */
public interface SendTimer extends AutoCloseable {
  /** A monotonic clock in nanoseconds; for a transport of the network, {@link System#nanoTime}. */
  long nanoTime();

  /** A random number from 0 to 1. */
  double random();

  /** Runs a task later, one after the other. After {@link #close} it does nothing. */
  void schedule(Runnable task, long delayNanos);

  /** Ends the thread once the tasks that are due have run. */
  @Override
  void close();

  /**
   * The system's clock, and one daemon thread, which ends where it has had nothing to do for a
   * while.
   *
   * @param name the thread's name
   */
  static SendTimer system(String name) {
    // Longer than the usual pause between exports, so that threads do not come and go.
    long idleSeconds = 75;
    ScheduledThreadPoolExecutor executor =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread = new Thread(task, name);
              thread.setDaemon(true);
              return thread;
            },
            new ThreadPoolExecutor.DiscardPolicy());
    executor.setKeepAliveTime(idleSeconds, TimeUnit.SECONDS);
    executor.allowCoreThreadTimeOut(true);
    executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    return new SendTimer() {
      @Override
      public long nanoTime() {
        return System.nanoTime();
      }

      @Override
      public double random() {
        return ThreadLocalRandom.current().nextDouble();
      }

      @Override
      public void schedule(Runnable task, long delayNanos) {
        Future<?> unused = executor.schedule(task, delayNanos, TimeUnit.NANOSECONDS);
      }

      @Override
      public void close() {
        executor.shutdown();
      }
    };
  }
}

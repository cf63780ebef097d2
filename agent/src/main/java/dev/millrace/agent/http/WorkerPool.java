package dev.millrace.agent.http;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A bounded number of threads with a bounded queue. Thread-safe. Threads that have nothing to do
 * end after a while.
 */
public final class WorkerPool implements AutoCloseable {
  /** Longer than a usual scrape or export interval, so that busy pools keep their threads. */
  private static final long KEEP_ALIVE_SECONDS = 90;

  private static final long CLOSE_MILLIS = 1_000;

  private final ThreadPoolExecutor executor;

  /**
   * A pool.
   *
   * @param name what its threads are called
   * @param threads how many run at once at most, 1 or more
   * @param maxWaiting how many tasks may wait for a thread, 0 or more
   */
  public WorkerPool(String name, int threads, int maxWaiting) {
    AtomicInteger number = new AtomicInteger();
    BlockingQueue<Runnable> waiting =
        maxWaiting == 0 ? new SynchronousQueue<>() : new ArrayBlockingQueue<>(maxWaiting);
    // With a queue, threads beyond the core would start only once it is full.
    int core = maxWaiting == 0 ? 0 : threads;
    executor =
        new ThreadPoolExecutor(
            core,
            threads,
            KEEP_ALIVE_SECONDS,
            TimeUnit.SECONDS,
            waiting,
            task -> {
              Thread thread = new Thread(task, name + "-" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    executor.allowCoreThreadTimeOut(true);
  }

  /** Runs a task, or gives {@code false} where all threads and all waiting places are taken. */
  boolean tryExecute(Runnable task) {
    try {
      executor.execute(task);
      return true;
    } catch (RejectedExecutionException e) {
      return false;
    }
  }

  /** How many threads have something to do, about. */
  int activeCount() {
    return executor.getActiveCount();
  }

  /**
   * Ends the threads. What waits still runs; what blocks is interrupted after a second.
   *
   * @return whether all threads have ended
   */
  boolean stop() {
    executor.shutdown();
    try {
      if (executor.awaitTermination(CLOSE_MILLIS, TimeUnit.MILLISECONDS)) {
        return true;
      }
      executor.shutdownNow().forEach(Runnable::run);
      return executor.awaitTermination(CLOSE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      executor.shutdownNow().forEach(Runnable::run);
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Override
  public void close() {
    stop();
  }
}

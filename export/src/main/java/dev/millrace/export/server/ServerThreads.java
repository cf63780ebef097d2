package dev.millrace.export.server;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads that read requests and write replies: as many as there are requests at a time, up to
 * a bound, all of them daemons. A task that finds no thread is refused, and the JDK's server then
 * closes the connection.
 */
final class ServerThreads implements Executor {
  /** Longer than a usual scrape interval, so that there is not a new thread for each scrape. */
  private static final long KEEP_ALIVE_SECONDS = 90;

  private final ThreadPoolExecutor executor;
  private final PeerWatchdog watchdog;
  private final ServerProblems problems;
  private final int maxThreads;

  ServerThreads(int maxThreads, PeerWatchdog watchdog, ServerProblems problems) {
    this.maxThreads = maxThreads;
    this.watchdog = watchdog;
    this.problems = problems;
    AtomicInteger number = new AtomicInteger();
    this.executor =
        new ThreadPoolExecutor(
            0,
            maxThreads,
            KEEP_ALIVE_SECONDS,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            task -> {
              Thread thread = new Thread(task, "millrace-scrape-" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
  }

  @Override
  public void execute(Runnable exchange) {
    try {
      executor.execute(() -> run(exchange));
    } catch (RejectedExecutionException e) {
      if (!executor.isShutdown()) {
        problems.overloaded.add(
            1,
            () ->
                "expected at most "
                    + maxThreads
                    + " requests at once, found one more and closed its connection; look for"
                    + " clients that send half a request or do not read their reply");
      }
      throw e;
    }
  }

  /** Runs what the JDK's server has to do for one request: its reading counts as waiting too. */
  private void run(Runnable exchange) {
    PeerWatchdog.Watch watch = watchdog.enter();
    watch.arm();
    try {
      exchange.run();
    } finally {
      if (watch.leave()) {
        problems.slowRequest.add(
            1,
            () ->
                "expected a whole request in time, found a client that sent a part of one; its"
                    + " connection was closed");
      }
    }
  }

  /**
   * Takes no more tasks and waits for those that run.
   *
   * @return whether all ended in time
   */
  boolean stop(long limitMillis) {
    executor.shutdown();
    try {
      return executor.awaitTermination(limitMillis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}

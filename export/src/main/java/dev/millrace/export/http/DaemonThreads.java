package dev.millrace.export.http;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads of one transport: one that watches deadlines, and a few for the client, which blocks
 * them for name resolution. All are daemons and end when they have had nothing to do for a while.
 */
final class DaemonThreads implements AutoCloseable {
  /** The JDK's client does no more than hand bytes on; a second one goes on beside a slow name. */
  private static final int WORKERS = 2;

  /** Longer than the usual pause between exports, so that threads do not come and go. */
  private static final long IDLE_SECONDS = 75;

  private final ScheduledThreadPoolExecutor timer;
  private final ThreadPoolExecutor workers;

  DaemonThreads(String name) {
    timer = new ScheduledThreadPoolExecutor(1, factory(name + " deadlines"));
    timer.setRemoveOnCancelPolicy(true);
    timer.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
    timer.allowCoreThreadTimeOut(true);
    // What the client still wants to do after the end has nobody who waits for it.
    timer.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
    workers =
        new ThreadPoolExecutor(
            WORKERS,
            WORKERS,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            factory(name + " worker"),
            new ThreadPoolExecutor.DiscardPolicy());
    workers.allowCoreThreadTimeOut(true);
  }

  private static ThreadFactory factory(String name) {
    AtomicInteger number = new AtomicInteger();
    return task -> {
      Thread thread = new Thread(task, name + " " + number.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }

  ScheduledThreadPoolExecutor timer() {
    return timer;
  }

  ThreadPoolExecutor workers() {
    return workers;
  }

  @Override
  public void close() {
    timer.shutdownNow();
    workers.shutdown();
  }
}

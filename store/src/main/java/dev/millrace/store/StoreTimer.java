package dev.millrace.store;

import dev.millrace.model.Problems;
import dev.millrace.store.file.StoreProblems;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The one thread of a store: it samples gauges and retires dead processes. A daemon, begun when
 * there is something to do. Thread-safe.
 */
final class StoreTimer implements AutoCloseable {
  /** A retirement of thousands of files takes a second or two; a function that hangs, for ever. */
  private static final long CLOSE_SECONDS = 5;

  private record Sampled(String name, Runnable function) {}

  private final Problems problems;
  private final Duration sampleInterval;
  private final ScheduledThreadPoolExecutor executor;
  private final List<Sampled> sampled = new CopyOnWriteArrayList<>();
  private boolean sampling;

  StoreTimer(StoreOptions options) {
    problems = options.problems();
    sampleInterval = options.sampleInterval();
    executor =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread = new Thread(task, "millrace-store");
              thread.setDaemon(true);
              return thread;
            });
  }

  /** Retires at once and then at each interval; zero is never. */
  void retireEvery(Duration interval, Runnable retire) {
    if (!interval.isZero()) {
      schedule(retire, 0, interval);
    }
  }

  /** Calls a function at each sample interval. */
  synchronized void sample(String name, Runnable function) {
    sampled.add(new Sampled(name, function));
    if (!sampling && !executor.isShutdown()) {
      sampling = true;
      schedule(this::sampleNow, sampleInterval.toNanos(), sampleInterval);
    }
  }

  private void schedule(Runnable task, long delayNanos, Duration interval) {
    // The result would only tell of a failure, and neither task lets one out.
    var unused =
        executor.scheduleWithFixedDelay(task, delayNanos, interval.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Calls all functions. */
  void sampleNow() {
    for (Sampled one : sampled) {
      try {
        one.function.run();
      } catch (RuntimeException | LinkageError | StackOverflowError e) {
        problems
            .kind(StoreProblems.SAMPLE_FAILED)
            .add(1, () -> "gauge " + one.name + ": its value stays as it was: " + e);
      }
    }
  }

  /** Stops, waits a while for what runs just now, and samples a last time. */
  @Override
  public void close() {
    executor.shutdown();
    try {
      if (!executor.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
        executor.shutdownNow();
      }
    } catch (InterruptedException e) {
      executor.shutdownNow();
      Thread.currentThread().interrupt();
    }
    sampleNow();
  }
}

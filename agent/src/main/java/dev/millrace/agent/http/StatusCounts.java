package dev.millrace.agent.http;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * How many replies had which HTTP status. Thread-safe; counting a known status allocates nothing.
 */
public final class StatusCounts {
  /** Takes what is counted. */
  @FunctionalInterface
  public interface Visitor {
    /** One status and how often it was replied, 1 or more. */
    void visit(int status, long count);
  }

  private static final int STATUSES = 600;

  private final AtomicReferenceArray<@Nullable LongAdder> counts =
      new AtomicReferenceArray<>(STATUSES);

  StatusCounts() {}

  void increment(int status) {
    LongAdder count = counts.get(status);
    if (count == null) {
      counts.compareAndSet(status, null, new LongAdder());
      count = counts.get(status);
    }
    if (count != null) {
      count.increment();
    }
  }

  /** How often a status was replied. */
  public long count(int status) {
    LongAdder count = counts.get(status);
    return count == null ? 0 : count.sum();
  }

  /** Visits each status that was replied, in rising order. */
  public void forEach(Visitor visitor) {
    for (int status = 0; status < STATUSES; status++) {
      LongAdder count = counts.get(status);
      if (count != null && count.sum() > 0) {
        visitor.visit(status, count.sum());
      }
    }
  }
}

package dev.millrace.opentelemetry;

import dev.millrace.model.EncodedLabelsBudget;
import dev.millrace.model.MetricCursor;
import dev.millrace.model.MetricSource;
import io.opentelemetry.sdk.metrics.data.MetricData;
import java.util.Collection;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * A source of what the OpenTelemetry SDK collects.
 *
 * <p><b>Series.</b> The source owns one {@link dev.millrace.model.Series} for each attribute set of
 * each metric, for as long as every collection has it; when one does not, the series is let go with
 * its encoded labels. Descriptors, resources and scopes are kept likewise.
 *
 * <p><b>Concurrency.</b> Thread-safe. One collection at a time: the SDK may fill the same data
 * objects again in the next one, so {@link #open} waits, without a limit, until the cursor of the
 * collection before it is closed. Recording in the SDK never waits for this lock.
 *
 * <p>Opening and walking a cursor allocates nothing itself while no metric and no series comes or
 * goes; what the SDK allocates for a collection comes on top.
 */
public final class MetricDataSource implements MetricSource {
  private final Supplier<? extends Collection<? extends MetricData>> collect;
  private final ReentrantLock lock = new ReentrantLock();
  private final MetricTable metrics;
  private final MetricDataCursor cursor;

  /**
   * A source of its own series.
   *
   * @param collect collects; called by one thread at a time, and what it gives is read until the
   *     cursor is closed. Attributes, and lists of histogram bounds, must never change
   * @param budget bounds the encoded labels of this source's series; not shared with other sources
   */
  public MetricDataSource(
      Supplier<? extends Collection<? extends MetricData>> collect, EncodedLabelsBudget budget) {
    this.collect = collect;
    this.metrics = new MetricTable(budget);
    this.cursor = new MetricDataCursor(this, metrics, budget, lock);
  }

  /**
   * Collects, and gives the cursor over the collection. A point's series is looked up when the
   * cursor first comes to the point.
   *
   * @throws IllegalStateException if this thread has not closed the cursor before
   */
  @Override
  public MetricCursor open() {
    if (lock.isHeldByCurrentThread()) {
      throw new IllegalStateException(
          "expected the cursor of the last collection to be closed, found it open in this thread;"
              + " close it first");
    }
    lock.lock();
    boolean opened = false;
    try {
      metrics.begin(collect.get());
      opened = true;
    } finally {
      if (!opened) {
        lock.unlock();
      }
    }
    return cursor;
  }

  /** How many series are kept; waits for an open cursor. */
  int seriesCount() {
    lock.lock();
    try {
      return metrics.seriesCount();
    } finally {
      lock.unlock();
    }
  }
}

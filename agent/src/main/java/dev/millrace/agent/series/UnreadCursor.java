package dev.millrace.agent.series;

import dev.millrace.model.EncodedLabelsBudget;
import dev.millrace.model.MetricSource;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The cursor of {@link UnreadPoints}. It takes the lists of all metrics when it begins, so that
 * what is not walked when it is closed is known: those points will not be shown, and their series
 * go on. Guarded by the lock of the source.
 */
final class UnreadCursor extends TableCursor {
  private static final @Nullable TableSeries[] NO_SERIES = {};
  private static final Taken NOTHING = new Taken();

  /** The series of one metric whose points are to be shown. */
  static final class Taken {
    @Nullable TableSeries[] series = NO_SERIES;
    int count;
    int next;
  }

  private final UnreadPoints source;
  private final ReentrantLock lock;
  private SeriesTable.Snapshot snapshot;

  /** By the index of the metric; null where it never had any. */
  private @Nullable Taken[] taken = {};

  private Taken current = NOTHING;

  UnreadCursor(
      SeriesTable table, UnreadPoints source, ReentrantLock lock, EncodedLabelsBudget budget) {
    super(budget, table.options().maxBuckets());
    this.source = source;
    this.lock = lock;
    snapshot = table.currentSnapshot();
  }

  /** Begins to show what has come. */
  void begin(SeriesTable.Snapshot now) {
    if (now.version() != snapshot.version()) {
      taken = Arrays.copyOf(taken, now.metrics().size());
    }
    snapshot = now;
    for (int i = 0; i < taken.length; i++) {
      MetricEntry metric = now.metrics().get(i);
      if (metric.unreadCount() > 0) {
        metric.takeUnread(at(i));
      }
    }
  }

  private Taken at(int index) {
    Taken found = taken[index];
    if (found == null) {
      found = new Taken();
      taken[index] = found;
    }
    return found;
  }

  @Override
  public MetricSource source() {
    return source;
  }

  @Override
  public long membershipVersion() {
    return snapshot.version();
  }

  @Override
  public int metricCount() {
    return snapshot.metrics().size();
  }

  @Override
  public void seekMetric(int index) {
    setMetric(snapshot.metrics().get(index), snapshot.resources().get(index));
    Taken found = taken[index];
    current = found == null ? NOTHING : found;
  }

  /** Points that were shown stay shown. */
  @Override
  public void rewindPoints() {
    setCurrent(null);
  }

  @Override
  public boolean nextPoint() {
    Taken of = current;
    if (of.next >= of.count) {
      setCurrent(null);
      return false;
    }
    TableSeries series = of.series[of.next];
    of.series[of.next++] = null;
    if (series == null) {
      throw new IllegalStateException("expected a series, found none");
    }
    onMetric().readUnread(series, values);
    setCurrent(series);
    return true;
  }

  @Override
  public void close() {
    try {
      for (int i = 0; i < taken.length; i++) {
        Taken of = taken[i];
        if (of != null && of.count > 0) {
          skipRest(snapshot.metrics().get(i), of);
        }
      }
    } finally {
      setMetric(null, null);
      current = NOTHING;
      values.exemplars.clear();
      lock.unlock();
    }
  }

  private static void skipRest(MetricEntry metric, Taken of) {
    while (of.next < of.count) {
      TableSeries series = of.series[of.next];
      of.series[of.next++] = null;
      if (series != null) {
        metric.skipUnread(series);
      }
    }
    of.count = 0;
    of.next = 0;
  }
}

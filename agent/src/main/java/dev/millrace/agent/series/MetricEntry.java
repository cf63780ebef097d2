package dev.millrace.agent.series;

import dev.millrace.bytes.ByteBudget;
import dev.millrace.model.EncodedLabelsBudget;
import dev.millrace.model.Labels;
import dev.millrace.model.MetricDescriptor;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A metric of one scope of one target, and its series.
 *
 * <p>The entry's own lock guards the series and their values. It is held for one lookup and one
 * point's copy, for a bounded batch of a sweep, and by a writer for the growth of the arrays; never
 * while a reader does anything else. A reader walks an array of series that it took together with
 * their number: up to that number the array never changes, because series are only appended to it,
 * and leaving makes another array.
 */
final class MetricEntry implements Linked<MetricEntry> {
  /** How many series a sweep looks at under one hold of the lock: some microseconds. */
  private static final int SWEEP_BATCH = 256;

  private static final double[] NO_BOUNDS = new double[0];
  private static final @Nullable TableSeries[] NO_SERIES = {};

  final Target target;
  final ScopeEntry scope;
  final MetricDescriptor descriptor;

  /** What the exemplars of all series of the table may use. */
  final ByteBudget exemplarBudget;

  /** Whether each point is to be shown once. */
  final boolean everyPoint;

  private final byte[] name;
  private final byte[] unit;
  private final int hash;
  private @Nullable MetricEntry next;

  private final HashIndex<TableSeries> index = new HashIndex<>();
  private @Nullable TableSeries[] list = new @Nullable TableSeries[2];
  private int count;
  private double[] lastBounds = NO_BOUNDS;
  private boolean removed;

  /** The series that have a point which was not shown yet, in the order in which they came. */
  private @Nullable TableSeries[] unread = NO_SERIES;

  /** Read without the lock, too, by whoever can do with an older number. */
  private volatile int unreadCount;

  /** When the series that was heard of the longest ago may leave. */
  private int nextSweepTick;

  MetricEntry(
      Target target,
      ScopeEntry scope,
      MetricDescriptor descriptor,
      ByteBudget exemplarBudget,
      boolean everyPoint,
      byte[] name,
      byte[] unit,
      int hash) {
    this.target = target;
    this.scope = scope;
    this.descriptor = descriptor;
    this.exemplarBudget = exemplarBudget;
    this.everyPoint = everyPoint;
    this.name = name;
    this.unit = unit;
    this.hash = hash;
  }

  boolean matches(Recorder recorder, ScopeEntry ofScope) {
    return scope == ofScope
        && descriptor.kind() == recorder.kind()
        && descriptor.monotonic() == recorder.monotonic()
        && recorder.name().contentEquals(name)
        && recorder.unit().contentEquals(unit);
  }

  /**
   * Takes a point over into a series that is there.
   *
   * @return {@code null} where there is no such series
   */
  synchronized @Nullable Outcome update(
      AttributeSet attributes, PointValues point, boolean delta, int tick) {
    int seriesHash = attributes.hash();
    for (TableSeries s = index.first(seriesHash); s != null; s = s.linkNext()) {
      if (s.linkHash() == seriesHash && attributes.matches(s.labels())) {
        return s.update(this, point, delta, tick);
      }
    }
    return null;
  }

  /** As {@link #update(AttributeSet, PointValues, boolean, int)}, by the labels themselves. */
  synchronized @Nullable Outcome update(
      Labels labels, int seriesHash, PointValues point, boolean delta, int tick) {
    TableSeries series = find(labels, seriesHash);
    return series == null ? null : series.update(this, point, delta, tick);
  }

  /**
   * Takes a point over into a new series.
   *
   * @return {@code null} where the metric has left, or the series has come meanwhile
   */
  synchronized @Nullable Outcome insert(
      Labels labels, int seriesHash, PointValues point, boolean delta, int tick, int lifeTicks) {
    if (removed || find(labels, seriesHash) != null) {
      return null;
    }
    TableSeries series = newSeries(labels, seriesHash);
    series.hearFirst(tick);
    int dueTick = tick + lifeTicks;
    if (count == 0 || dueTick - nextSweepTick < 0) {
      nextSweepTick = dueTick;
    }
    append(series);
    return series.update(this, point, delta, tick);
  }

  /**
   * Makes a series of the agent's own, or gives the one that is there.
   *
   * @return {@code null} where the metric has left
   */
  synchronized @Nullable NumberSeries own(Labels labels, int seriesHash, long startTimeUnixNanos) {
    if (removed) {
      return null;
    }
    TableSeries series = find(labels, seriesHash);
    if (series == null) {
      series = newSeries(labels, seriesHash);
      series.startTimeUnixNanos = startTimeUnixNanos;
      append(series);
    }
    series.set(TableSeries.OWN, true);
    return (NumberSeries) series;
  }

  synchronized void setOwn(NumberSeries series, long value) {
    series.setLong(value);
  }

  synchronized void setOwn(NumberSeries series, double value) {
    series.setDouble(value);
  }

  /** The array for these bounds: that of the last series with new bounds, where it has the same. */
  double[] sharedBounds(double[] bounds, int boundCount) {
    if (!Arrays.equals(lastBounds, 0, lastBounds.length, bounds, 0, boundCount)) {
      lastBounds = boundCount == 0 ? NO_BOUNDS : Arrays.copyOf(bounds, boundCount);
    }
    return lastBounds;
  }

  /** Shows a cursor all series that are there now. */
  synchronized void snapshot(SeriesCursor cursor) {
    cursor.setSeries(list, count);
  }

  /**
   * Copies the values of a series.
   *
   * @return {@code false} where the series has left meanwhile
   */
  synchronized boolean read(TableSeries series, PointValues into) {
    if (series.has(TableSeries.GONE)) {
      return false;
    }
    series.read(into);
    return true;
  }

  /**
   * Lets the series leave that were not heard of for too long. One thread at a time.
   *
   * @return how many left
   */
  int sweep(int nowTick, int lifeTicks, EncodedLabelsBudget budget) {
    @Nullable TableSeries[] seen;
    int seenCount;
    synchronized (this) {
      if (count == 0 || nowTick - nextSweepTick <= 0) {
        return 0;
      }
      seen = list;
      seenCount = count;
      // Series that come from here on may only bring it forward.
      nextSweepTick = nowTick + lifeTicks;
    }
    int gone = 0;
    int greatestAge = 0;
    for (int from = 0; from < seenCount; from += SWEEP_BATCH) {
      int to = Math.min(seenCount, from + SWEEP_BATCH);
      synchronized (this) {
        for (int i = from; i < to; i++) {
          TableSeries series = at(seen, i);
          if (series.has(TableSeries.OWN)) {
            continue;
          }
          int age = nowTick - series.heardTick();
          boolean due = age > lifeTicks;
          if (due && everyPoint && !series.has(TableSeries.NO_RECORDED_VALUE)) {
            series.endAfter(this, SeriesTable.nanos(age));
          }
          if (due && !series.has(TableSeries.UNREAD)) {
            index.remove(series);
            series.set(TableSeries.GONE, true);
            series.leave(budget);
            gone++;
          } else {
            greatestAge = Math.max(greatestAge, age);
          }
        }
      }
    }
    finishSweep(seen, seenCount, gone, nowTick + lifeTicks - greatestAge);
    return gone;
  }

  /** Puts an array without the series that left in place of the one that cursors may still walk. */
  private void finishSweep(@Nullable TableSeries[] seen, int seenCount, int gone, int dueTick) {
    @Nullable TableSeries[] kept = seen;
    int keptCount = seenCount;
    if (gone > 0) {
      // Only a sweep says that a series is gone, so it reads what it wrote itself.
      kept = new @Nullable TableSeries[Math.max(2, seenCount - gone + (seenCount - gone) / 8)];
      keptCount = 0;
      for (int i = 0; i < seenCount; i++) {
        TableSeries series = at(seen, i);
        if (!series.has(TableSeries.GONE)) {
          kept[keptCount++] = series;
        }
      }
    }
    synchronized (this) {
      if (gone > 0) {
        int came = count - seenCount;
        if (keptCount + came > kept.length) {
          kept = Arrays.copyOf(kept, keptCount + came);
        }
        System.arraycopy(list, seenCount, kept, keptCount, came);
        list = kept;
        count = keptCount + came;
      }
      if (dueTick - nextSweepTick < 0) {
        nextSweepTick = dueTick;
      }
    }
  }

  /**
   * Marks the metric as having left if it has no series; none can come into it afterwards.
   *
   * @return whether it has left
   */
  synchronized boolean removeIfEmpty() {
    removed |= count == 0;
    return removed;
  }

  synchronized boolean isRemoved() {
    return removed;
  }

  synchronized int seriesCount() {
    return count;
  }

  /** Notes that a series has a point that was not shown yet. With the lock held. */
  void addUnread(TableSeries series) {
    int waiting = unreadCount;
    if (waiting == unread.length) {
      unread = Arrays.copyOf(unread, Math.max(2, waiting + waiting / 2));
    }
    unread[waiting] = series;
    series.set(TableSeries.UNREAD, true);
    unreadCount = waiting + 1;
  }

  /** How many series have a point that was not shown yet, as far as is known without the lock. */
  int unreadCount() {
    return unreadCount;
  }

  /**
   * Gives the list of series that have a point which was not shown yet, and begins another one.
   *
   * @param into is given the list, and gives its own, which is empty, in turn
   */
  synchronized void takeUnread(UnreadCursor.Taken into) {
    @Nullable TableSeries[] spare = into.series;
    into.series = unread;
    into.count = unreadCount;
    unread = spare;
    unreadCount = 0;
  }

  /** Copies the values of a point that was not shown yet, and notes that it was. */
  synchronized void readUnread(TableSeries series, PointValues into) {
    series.read(into);
    series.set(TableSeries.UNREAD, false);
    series.dropExemplars();
  }

  /** Notes that a point will not be shown. */
  synchronized void skipUnread(TableSeries series) {
    series.set(TableSeries.UNREAD, false);
  }

  private @Nullable TableSeries find(Labels labels, int seriesHash) {
    for (TableSeries s = index.first(seriesHash); s != null; s = s.linkNext()) {
      if (s.linkHash() == seriesHash && labels.equals(s.labels())) {
        return s;
      }
    }
    return null;
  }

  private TableSeries newSeries(Labels labels, int seriesHash) {
    return switch (descriptor.kind()) {
      case GAUGE, SUM -> new NumberSeries(labels, seriesHash);
      case HISTOGRAM -> new HistogramSeries(labels, seriesHash);
      case EXPONENTIAL_HISTOGRAM -> new ExponentialSeries(labels, seriesHash);
      case SUMMARY -> new SummarySeries(labels, seriesHash);
    };
  }

  private void append(TableSeries series) {
    if (count == list.length) {
      list = Arrays.copyOf(list, count + Math.max(2, count / 2));
    }
    list[count++] = series;
    index.add(series);
  }

  private static TableSeries at(@Nullable TableSeries[] series, int index) {
    TableSeries found = series[index];
    if (found == null) {
      throw new IllegalStateException("expected a series at " + index + ", found none");
    }
    return found;
  }

  @Override
  public int linkHash() {
    return hash;
  }

  @Override
  public @Nullable MetricEntry linkNext() {
    return next;
  }

  @Override
  public void setLinkNext(@Nullable MetricEntry next) {
    this.next = next;
  }
}

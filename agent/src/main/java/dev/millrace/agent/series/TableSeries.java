package dev.millrace.agent.series;

import dev.millrace.model.EncodedLabelsBudget;
import dev.millrace.model.Labels;
import dev.millrace.model.Series;
import org.jspecify.annotations.Nullable;

/**
 * A series and its latest values. There may be a million of these, so the fields are few and
 * packed: with the object's header those here take 48 bytes.
 *
 * <p>All but what {@link Series} has is guarded by the lock of the {@link MetricEntry}.
 */
abstract class TableSeries extends Series implements Linked<TableSeries> {
  /** The value is a whole number. */
  static final int LONG = 1;

  /** The last point said that the series has ended. */
  static final int NO_RECORDED_VALUE = 1 << 1;

  /** The value was accumulated from delta points. */
  static final int ACCUMULATED = 1 << 2;

  /** A histogram has a sum. */
  static final int HAS_SUM = 1 << 3;

  /** A histogram has a least and a greatest value. */
  static final int HAS_MIN_MAX = 1 << 4;

  /** The series is the agent's own: it does not expire. */
  static final int OWN = 1 << 5;

  /** The series has left the table. */
  static final int GONE = 1 << 6;

  /** The value is to be shown by {@link UnreadPoints} and was not yet. */
  static final int UNREAD = 1 << 7;

  private static final long NANOS_PER_MILLI = 1_000_000;

  private final int hash;
  private @Nullable TableSeries next;
  private int heardTick;
  private byte flags;
  private @Nullable HeldExemplars exemplars;
  long startTimeUnixNanos;
  long timeUnixNanos;

  TableSeries(Labels labels, int hash) {
    super(labels);
    this.hash = hash;
  }

  /**
   * Takes over a point, which {@link PointRules} have passed.
   *
   * @param delta whether the point is an increment
   */
  final Outcome update(MetricEntry metric, PointValues point, boolean delta, int tick) {
    int order = Long.compareUnsigned(point.timeUnixNanos, timeUnixNanos);
    boolean fresh = timeUnixNanos == 0;
    if (point.noRecordedValue) {
      return end(metric, point.timeUnixNanos, order);
    }
    boolean accumulates = delta && has(ACCUMULATED) && !has(NO_RECORDED_VALUE);
    if (delta && !fresh) {
      boolean overlaps =
          order <= 0
              || (accumulates
                  && point.startTimeUnixNanos != 0
                  && Long.compareUnsigned(point.startTimeUnixNanos, timeUnixNanos) < 0);
      if (overlaps) {
        return Outcome.OVERLAPPING_DELTA;
      }
    } else if (order < 0) {
      return Outcome.OLDER_POINT;
    }
    boolean shown = metric.everyPoint && (fresh || isLater(point.timeUnixNanos));
    if (metric.everyPoint && !fresh) {
      if (has(UNREAD) && (shown || has(NO_RECORDED_VALUE))) {
        return Outcome.UNREAD;
      }
      if (!shown && !delta && !has(UNREAD)) {
        return Outcome.SAME_MILLISECOND;
      }
    }
    Outcome outcome = apply(metric, point, delta, accumulates, fresh);
    if (shown) {
      metric.addUnread(this);
    } else if (metric.everyPoint && !delta) {
      outcome = Outcome.SAME_MILLISECOND;
    }
    hear(tick);
    return outcome;
  }

  private Outcome apply(
      MetricEntry metric, PointValues point, boolean delta, boolean accumulates, boolean fresh) {
    Outcome outcome = Outcome.RECORDED;
    if (accumulates) {
      if (!accumulate(point)) {
        replaceAll(metric, point);
        outcome = Outcome.BOUNDS_CHANGED;
      }
    } else {
      if (!fresh && delta != has(ACCUMULATED)) {
        outcome = Outcome.TEMPORALITY_CHANGED;
      }
      replaceAll(metric, point);
    }
    set(ACCUMULATED, delta);
    set(NO_RECORDED_VALUE, false);
    takeExemplars(metric, point);
    timeUnixNanos = point.timeUnixNanos;
    return outcome;
  }

  private Outcome end(MetricEntry metric, long endUnixNanos, int order) {
    if (order < 0) {
      return Outcome.OLDER_POINT;
    }
    long ended = endUnixNanos;
    if (metric.everyPoint && !has(NO_RECORDED_VALUE)) {
      if (has(UNREAD)) {
        return Outcome.UNREAD;
      }
      if (!isLater(endUnixNanos)) {
        // The millisecond has a value. An end is none: nothing is wrong with it a little later.
        ended = timeUnixNanos + NANOS_PER_MILLI;
      }
      metric.addUnread(this);
    } else if (metric.everyPoint) {
      return Outcome.RECORDED;
    }
    // It does not count as being heard of: a series that only ever ends leaves in the end.
    set(NO_RECORDED_VALUE, true);
    dropExemplars();
    timeUnixNanos = ended;
    return Outcome.RECORDED;
  }

  /** Ends a series that was not heard of for so long, on the clock of whoever sent it. */
  final void endAfter(MetricEntry metric, long silenceNanos) {
    end(metric, timeUnixNanos + silenceNanos, 1);
  }

  private boolean isLater(long unixNanos) {
    return Long.compareUnsigned(
            Long.divideUnsigned(unixNanos, NANOS_PER_MILLI),
            Long.divideUnsigned(timeUnixNanos, NANOS_PER_MILLI))
        > 0;
  }

  private void replaceAll(MetricEntry metric, PointValues point) {
    if (startTimeUnixNanos != point.startTimeUnixNanos) {
      // It began anew: what was seen before belongs to what is gone.
      dropExemplars();
      startTimeUnixNanos = point.startTimeUnixNanos;
    }
    replace(metric, point);
  }

  /** Before the series takes the time of the point. */
  private void takeExemplars(MetricEntry metric, PointValues point) {
    if (point.exemplars.count() == 0) {
      return;
    }
    HeldExemplars held = exemplars;
    if (held == null) {
      held = HeldExemplars.create(metric.exemplarBudget);
      exemplars = held;
    }
    point.exemplarsWithoutRoom =
        held == null ? point.exemplars.count() : held.take(point.exemplars, timeUnixNanos);
  }

  /** Lets go of the exemplars, whose slots mean something else from here on. */
  final void dropExemplars() {
    HeldExemplars held = exemplars;
    if (held != null) {
      held.drop();
    }
  }

  /** Lets go of what the series holds beside its values, when it leaves. */
  final void leave(EncodedLabelsBudget budget) {
    end(budget);
    HeldExemplars held = exemplars;
    exemplars = null;
    if (held != null) {
      held.end();
    }
  }

  /** Takes over a point's values in place of what was there. */
  abstract void replace(MetricEntry metric, PointValues point);

  /**
   * Adds a point's values to what is there.
   *
   * @return {@code false} where they cannot be added; nothing has changed then
   */
  abstract boolean accumulate(PointValues point);

  /** Copies the values. */
  abstract void readValues(PointValues into);

  final void read(PointValues into) {
    into.startTimeUnixNanos = startTimeUnixNanos;
    into.timeUnixNanos = timeUnixNanos;
    into.noRecordedValue = has(NO_RECORDED_VALUE);
    readValues(into);
    HeldExemplars held = exemplars;
    if (held == null) {
      into.exemplars.clear();
    } else {
      into.exemplars.readFrom(held);
    }
  }

  final boolean has(int flag) {
    return (flags & flag) != 0;
  }

  final void set(int flag, boolean value) {
    flags = (byte) (value ? flags | flag : flags & ~flag);
  }

  final int heardTick() {
    return heardTick;
  }

  /** Notes when a point came; receivers may come in another order than they began. */
  final void hear(int tick) {
    if (tick - heardTick > 0) {
      heardTick = tick;
    }
  }

  /** Notes when the first point came. */
  final void hearFirst(int tick) {
    heardTick = tick;
  }

  @Override
  public final int linkHash() {
    return hash;
  }

  @Override
  public final @Nullable TableSeries linkNext() {
    return next;
  }

  @Override
  public final void setLinkNext(@Nullable TableSeries next) {
    this.next = next;
  }
}

package dev.millrace.format.remotewrite;

import dev.millrace.format.translation.ConstantLabels;
import dev.millrace.format.translation.Family;
import dev.millrace.model.Series;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The series of one metric in the order of the last complete collection. As long as a source gives
 * them in that order again, each is found by one comparison. Belongs to one encoder.
 */
final class MetricSeries {
  private static final LiveSeries[] NONE = {};

  final PointWriter writer;
  final ConstantLabels constants;

  /** The names, which another plan may give other metadata. */
  SampleNames names;

  /** The metric's place in the plan that holds. */
  Family.Member member;

  private LiveSeries[] order = NONE;
  private int count;
  private int position;

  /** The order of this collection, from where it differs from the last on. */
  private LiveSeries[] next = NONE;

  private int nextCount;
  private boolean changed;

  MetricSeries(SampleNames names, PointWriter writer, Family.Member member) {
    this.names = names;
    this.writer = writer;
    this.member = member;
    this.constants = member.constants;
  }

  /** How many series were in the last complete collection. */
  int count() {
    return count;
  }

  /** One of them. */
  LiveSeries get(int index) {
    return order[index];
  }

  /** Goes before the first series. */
  void begin() {
    position = 0;
    changed = false;
    nextCount = 0;
  }

  /** The series that is expected for an object of the source, or {@code null} if it is not. */
  @Nullable LiveSeries expected(Series series) {
    if (!changed) {
      if (position < count && order[position].series == series) {
        return order[position++];
      }
      if (position > 0 && order[position - 1].series == series) {
        return order[position - 1];
      }
    }
    return null;
  }

  /**
   * Takes a series that was not expected.
   *
   * @param first whether it was not seen in this collection before
   */
  void unexpected(LiveSeries series, boolean first) {
    if (!changed) {
      changed = true;
      ensureNext(position);
      System.arraycopy(order, 0, next, 0, position);
      nextCount = position;
    }
    if (first) {
      ensureNext(nextCount + 1);
      next[nextCount++] = series;
    }
  }

  /**
   * Ends a complete collection: what {@link #get} gives from here on is its order.
   *
   * @param ended told of each series that was not seen
   */
  void end(int generation, SeriesEnds ended) {
    if (!changed) {
      for (int i = position; i < count; i++) {
        LiveSeries series = order[i];
        if (series.generation != generation) {
          ended.add(series);
        }
      }
      Arrays.fill(order, position, count, null);
      count = position;
    } else {
      for (int i = 0; i < count; i++) {
        if (order[i].generation != generation) {
          ended.add(order[i]);
        }
      }
      swap();
    }
    trim();
  }

  /** Ends a collection that broke off, or was not complete: nothing ends, all are kept. */
  void keep(int generation) {
    if (changed) {
      for (int i = 0; i < count; i++) {
        if (order[i].generation != generation) {
          ensureNext(nextCount + 1);
          next[nextCount++] = order[i];
        }
      }
      swap();
    }
  }

  /** Forgets all series. */
  void clear() {
    order = NONE;
    next = NONE;
    count = 0;
    nextCount = 0;
    position = 0;
    changed = false;
  }

  private void swap() {
    LiveSeries[] old = order;
    order = next;
    next = old;
    Arrays.fill(next, null);
    count = nextCount;
    nextCount = 0;
    changed = false;
  }

  /** Lets go of memory of which less than an eighth is needed. */
  private void trim() {
    if (order.length > 64 && count < order.length / 8) {
      order = Arrays.copyOf(order, 2 * count);
    }
    if (next.length > 2 * order.length) {
      next = NONE;
    }
  }

  private void ensureNext(int size) {
    if (size > next.length) {
      next = Arrays.copyOf(next, Math.max(size, Math.max(8, 2 * next.length)));
    }
  }
}

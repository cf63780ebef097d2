package dev.millrace.format.translation;

import dev.millrace.model.MetricCursor;

/**
 * The quantiles of a summary from the lowest to the highest, without those that are none and those
 * that stand there twice, of which the first is taken. Not thread-safe; it keeps its memory.
 */
public final class Quantiles {
  /** Stands for a quantile that is left out. */
  public static final int NOT_ALLOWED = -1;

  private final boolean strict;
  private int[] order = new int[16];
  private int count;
  private int next;
  private double last;

  /**
   * Quantiles.
   *
   * @param strict whether negative values are left out, as OpenMetrics has it
   */
  public Quantiles(boolean strict) {
    this.strict = strict;
  }

  /** Goes before the first quantile of the point on which the cursor stands. */
  public void begin(MetricCursor cursor) {
    sort(cursor);
    next = 0;
    last = -1;
  }

  /** Whether there is another, be it allowed or not. */
  public boolean hasNext() {
    return next < count;
  }

  /** The index that the next quantile has in the cursor, or {@link #NOT_ALLOWED}. */
  public int next(MetricCursor cursor) {
    int index = order[next++];
    double quantile = cursor.quantile(index);
    boolean allowed = quantile > last && quantile >= 0 && quantile <= 1;
    if (!allowed || (strict && cursor.quantileValue(index) < 0)) {
      return NOT_ALLOWED;
    }
    last = quantile;
    return index;
  }

  /** Shell's sort, without memory. */
  private void sort(MetricCursor cursor) {
    count = cursor.quantileCount();
    if (count > order.length) {
      order = new int[Math.max(count, 2 * order.length)];
    }
    for (int i = 0; i < count; i++) {
      order[i] = i;
    }
    int gap = 1;
    while (gap < count / 3) {
      gap = 3 * gap + 1;
    }
    for (; gap > 0; gap /= 3) {
      for (int i = gap; i < count; i++) {
        int index = order[i];
        int at = i;
        while (at >= gap && isAfter(cursor, order[at - gap], index)) {
          order[at] = order[at - gap];
          at -= gap;
        }
        order[at] = index;
      }
    }
  }

  /** Whether a quantile comes after another: it is higher, or as high and given later. */
  private static boolean isAfter(MetricCursor cursor, int index, int other) {
    int compared = Double.compare(cursor.quantile(index), cursor.quantile(other));
    return compared > 0 || (compared == 0 && index > other);
  }
}

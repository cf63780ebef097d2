package dev.millrace.store.foreign;

import java.util.Arrays;

/**
 * Merges the parts of one series as its client's own exporter does. It is used again for each point
 * and allocates only to get larger. One thread at a time.
 */
final class PointMerge {
  /** Past it doubles skip whole numbers, and sums of some would no longer be longs. */
  private static final double MAX_WHOLE = 1L << 53;

  private final ForeignView view;
  private double[] cells = new double[32];
  private double[] times = new double[32];
  private boolean[] present = new boolean[32];
  private long[] buckets = new long[32];
  private double[] bounds = Meaning.NO_BOUNDS;
  private long count;

  PointMerge(ForeignView view) {
    this.view = view;
  }

  /** The value, or the sum of a distribution. */
  double value() {
    return cells[SampleKey.VALUE];
  }

  boolean hasValue() {
    return present[SampleKey.VALUE];
  }

  /** How many values were observed. */
  long count() {
    return count;
  }

  double[] bounds() {
    return bounds;
  }

  /** The count of one bucket, not cumulative. */
  long bucket(int index) {
    return buckets[index];
  }

  /**
   * Merges.
   *
   * @return whether there is a value at all
   */
  boolean merge(ForeignMetric metric, ForeignSeries series) {
    int cellCount = series.cellCount();
    if (cells.length < cellCount) {
      cells = new double[2 * cellCount];
      times = new double[2 * cellCount];
      present = new boolean[2 * cellCount];
    }
    Arrays.fill(cells, 0, cellCount, 0);
    Arrays.fill(present, 0, cellCount, false);
    switch (metric.mode()) {
      case SUM -> sum(series);
      case MIN -> extreme(series, -1);
      case MAX -> extreme(series, 1);
      case EACH -> each(series);
      case LATEST -> latest(series, metric.showsUnset());
    }
    return switch (metric.type()) {
      case COUNTER, GAUGE, UNTYPED -> hasValue();
      case SUMMARY -> {
        count = whole(cells[SampleKey.COUNT]);
        yield true;
      }
      case HISTOGRAM -> {
        settleBuckets(metric, series);
        yield true;
      }
    };
  }

  private void sum(ForeignSeries series) {
    for (int i = 0; i < series.partCount(); i++) {
      int cell = series.cell(i);
      double value = view.file(series.slot(i)).value(series.entry(i));
      // Not 0 + value, which would turn a negative zero.
      cells[cell] = present[cell] ? cells[cell] + value : value;
      present[cell] = true;
    }
  }

  /** The greatest where {@code sign} is 1, the least where it is -1. A NaN that is first stays. */
  private void extreme(ForeignSeries series, int sign) {
    for (int i = 0; i < series.partCount(); i++) {
      int cell = series.cell(i);
      double value = view.file(series.slot(i)).value(series.entry(i));
      if (!present[cell] || (sign > 0 ? value > cells[cell] : value < cells[cell])) {
        cells[cell] = value;
        present[cell] = true;
      }
    }
  }

  /** The label {@code pid} keeps processes apart, so there is one; of several the last wins. */
  private void each(ForeignSeries series) {
    for (int i = 0; i < series.partCount(); i++) {
      int cell = series.cell(i);
      cells[cell] = view.file(series.slot(i)).value(series.entry(i));
      present[cell] = true;
    }
  }

  private void latest(ForeignSeries series, boolean showsUnset) {
    for (int i = 0; i < series.partCount(); i++) {
      int cell = series.cell(i);
      ForeignFile file = view.file(series.slot(i));
      double time = file.time(series.entry(i));
      if (present[cell] ? time > times[cell] : showsUnset || time > 0) {
        cells[cell] = file.value(series.entry(i));
        times[cell] = time;
        present[cell] = true;
      }
    }
  }

  private void settleBuckets(ForeignMetric metric, ForeignSeries series) {
    bounds = series.bounds(metric);
    if (buckets.length <= bounds.length) {
      buckets = new long[2 * bounds.length];
    }
    long total = 0;
    for (int i = 0; i <= bounds.length; i++) {
      int cell = series.bucketCell(i);
      long value = cell < 0 ? 0 : whole(cells[cell]);
      if (metric.cumulative()) {
        // Its writer raises one bucket after the other: read in between, they may not rise.
        long reached = Math.max(total, value);
        buckets[i] = reached - total;
        total = reached;
      } else {
        buckets[i] = value;
        total += value;
      }
    }
    count = metric.cumulative() ? Math.max(total, whole(cells[SampleKey.COUNT])) : total;
  }

  /** A count: what is none, such as NaN, counts nothing. */
  private static long whole(double value) {
    return value > 0 ? (long) Math.rint(Math.min(value, MAX_WHOLE)) : 0;
  }
}

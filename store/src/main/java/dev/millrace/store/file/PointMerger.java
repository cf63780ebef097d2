package dev.millrace.store.file;

import java.util.Arrays;

/**
 * Merges the parts of one series by the metric's mode, into cells as {@link CellLayout} has them.
 * It is used again for each point and allocates only to get larger. One thread at a time.
 */
final class PointMerger {
  private final MergedView view;
  private final ExponentialMerge exponential = new ExponentialMerge();
  private long[] cells = new long[32];
  private int count;

  PointMerger(MergedView view) {
    this.view = view;
  }

  /** The merged cells; the first {@link #count} are valid until the next merge. */
  long[] cells() {
    return cells;
  }

  int count() {
    return count;
  }

  /** An exponential histogram's shape. */
  Shape shape() {
    return exponential.shape();
  }

  ExponentialMerge exponential() {
    return exponential;
  }

  /**
   * Merges.
   *
   * @return whether there is a value at all: a gauge that nobody set has none, and neither has a
   *     live-only metric of dead processes
   */
  boolean merge(Declaration declaration, MergedSeries series) {
    return switch (declaration.kind()) {
      case COUNTER, UP_DOWN_COUNTER -> mergeCounter(declaration, series);
      case GAUGE, INFO, STATE_SET -> mergeGauge(declaration, series);
      case HISTOGRAM -> mergeHistogram(declaration, series);
      case SUMMARY -> mergeSummary(declaration, series);
      case EXPONENTIAL_HISTOGRAM -> mergeExponential(declaration, series);
    };
  }

  private static boolean isLeftOut(Declaration declaration, Image image) {
    return declaration.liveOnly() && !image.isLive();
  }

  private boolean mergeCounter(Declaration declaration, MergedSeries series) {
    long whole = 0;
    double fraction = 0;
    boolean present = false;
    for (int i = 0; i < series.partCount(); i++) {
      Image image = view.image(series.slot(i));
      if (isLeftOut(declaration, image)) {
        continue;
      }
      long[] source = image.cells();
      int at = series.part(i);
      long more = source[at + CellLayout.WHOLE_CELL];
      long sum = whole + more;
      if (more < 0 && declaration.kind() == InstrumentKind.COUNTER) {
        // A counter's cell only rises, so this one has passed 2^63 and counts on without a sign.
        fraction += 2.0 * (more >>> 1);
      } else if (((whole ^ sum) & (more ^ sum)) < 0) {
        // Past what a long holds: exactness ends, the value does not.
        fraction += (double) more;
      } else {
        whole = sum;
      }
      fraction += Double.longBitsToDouble(source[at + CellLayout.FRACTION_CELL]);
      present = true;
    }
    cells[CellLayout.WHOLE_CELL] = whole;
    cells[CellLayout.FRACTION_CELL] = Double.doubleToRawLongBits(fraction);
    count = 2;
    return present;
  }

  private boolean mergeGauge(Declaration declaration, MergedSeries series) {
    long unset = declaration.unset();
    long value = unset;
    long time = 0;
    long started = Long.MIN_VALUE;
    for (int i = 0; i < series.partCount(); i++) {
      Image image = view.image(series.slot(i));
      long[] source = image.cells();
      int at = series.part(i);
      long other = source[at + CellLayout.VALUE_CELL];
      if (other == unset || isLeftOut(declaration, image)) {
        continue;
      }
      long otherTime = source[at + CellLayout.TIME_CELL];
      if (value == unset) {
        value = other;
        time = otherTime;
        started = startOf(image);
        continue;
      }
      switch (declaration.mode()) {
        case LATEST -> {
          if (otherTime >= time) {
            value = other;
            time = otherTime;
          }
        }
        case EACH -> {
          // One name, several instances: a process that took the name of a dead one.
          if (startOf(image) >= started) {
            value = other;
            started = startOf(image);
          }
        }
        case SUM, MIN, MAX -> {
          value =
              declaration.wholeNumbers()
                  ? combine(declaration.mode(), value, other)
                  : Double.doubleToRawLongBits(
                      combine(
                          declaration.mode(),
                          Double.longBitsToDouble(value),
                          Double.longBitsToDouble(other)));
          time = Math.max(time, otherTime);
        }
      }
    }
    cells[CellLayout.VALUE_CELL] = value;
    cells[CellLayout.TIME_CELL] = time;
    count = 2;
    return value != unset;
  }

  private static long startOf(Image image) {
    return image.isTotals() ? Long.MIN_VALUE : image.header().startTimeUnixNanos();
  }

  private static long combine(MergeMode mode, long a, long b) {
    return switch (mode) {
      case MIN -> Math.min(a, b);
      case MAX -> Math.max(a, b);
      case SUM, LATEST, EACH -> a + b;
    };
  }

  private static double combine(MergeMode mode, double a, double b) {
    return switch (mode) {
      case MIN -> Math.min(a, b);
      case MAX -> Math.max(a, b);
      case SUM, LATEST, EACH -> a + b;
    };
  }

  private boolean mergeHistogram(Declaration declaration, MergedSeries series) {
    int buckets = declaration.bounds().length + 1;
    count = CellLayout.FIRST_BUCKET_CELL + buckets;
    if (cells.length < count) {
      cells = new long[count];
    }
    Arrays.fill(cells, 0, count, 0);
    double sum = 0;
    boolean present = false;
    for (int i = 0; i < series.partCount(); i++) {
      Image image = view.image(series.slot(i));
      if (isLeftOut(declaration, image)) {
        continue;
      }
      long[] source = image.cells();
      int at = series.part(i);
      sum += Double.longBitsToDouble(source[at + CellLayout.SUM_CELL]);
      int from = at + CellLayout.FIRST_BUCKET_CELL;
      for (int b = 0; b < buckets; b++) {
        cells[CellLayout.FIRST_BUCKET_CELL + b] += source[from + b];
      }
      present = true;
    }
    cells[CellLayout.SUM_CELL] = Double.doubleToRawLongBits(series.withoutRoundingFall(sum));
    return present;
  }

  private boolean mergeSummary(Declaration declaration, MergedSeries series) {
    double sum = 0;
    long observations = 0;
    boolean present = false;
    for (int i = 0; i < series.partCount(); i++) {
      Image image = view.image(series.slot(i));
      if (isLeftOut(declaration, image)) {
        continue;
      }
      long[] source = image.cells();
      int at = series.part(i);
      sum += Double.longBitsToDouble(source[at + CellLayout.SUM_CELL]);
      observations += source[at + CellLayout.COUNT_CELL];
      present = true;
    }
    cells[CellLayout.SUM_CELL] = Double.doubleToRawLongBits(series.withoutRoundingFall(sum));
    cells[CellLayout.COUNT_CELL] = observations;
    count = 2;
    return present;
  }

  private boolean mergeExponential(Declaration declaration, MergedSeries series) {
    exponential.begin(declaration.maxScale(), declaration.maxBuckets());
    boolean present = false;
    for (int i = 0; i < series.partCount(); i++) {
      Image image = view.image(series.slot(i));
      if (!isLeftOut(declaration, image)) {
        Image.ShapedPart part = image.shapedPart(series.part(i));
        exponential.measure(image.cells(), part.cell(), part.shape());
        present = true;
      }
    }
    count = exponential.settle();
    if (cells.length < count) {
      cells = new long[count];
    }
    Arrays.fill(cells, 0, count, 0);
    double sum = 0;
    for (int i = 0; i < series.partCount(); i++) {
      Image image = view.image(series.slot(i));
      if (!isLeftOut(declaration, image)) {
        Image.ShapedPart part = image.shapedPart(series.part(i));
        sum += Double.longBitsToDouble(image.cells()[part.cell() + CellLayout.SUM_CELL]);
        exponential.add(image.cells(), part.cell(), part.shape(), cells);
      }
    }
    cells[CellLayout.SUM_CELL] = Double.doubleToRawLongBits(series.withoutRoundingFall(sum));
    return present;
  }
}

package dev.millrace.store;

import dev.millrace.model.Labels;
import dev.millrace.store.file.CellLayout;
import dev.millrace.store.file.Cells;
import dev.millrace.store.file.Shape;

/**
 * A series of exponential buckets. It records into a window of buckets; a value outside of it makes
 * a new window, wider and where needed at a smaller scale, beside the old one. What the old one
 * counted stays where it is: a reader adds all windows of a series, as it adds those of several
 * processes. So no count ever moves, and a process that dies in between loses none.
 */
final class ExponentialSeries extends Histogram.Series {
  private final Labels labels;
  private volatile Window window;
  private Filled positive = new Filled();
  private Filled negative = new Filled();

  private record Window(Cells cells, Shape shape) {}

  /** The buckets that have been filled, at the newest window's scale. */
  private static final class Filled {
    boolean any;
    int low;
    int high;

    void include(int index) {
      low = any ? Math.min(low, index) : index;
      high = any ? Math.max(high, index) : index;
      any = true;
    }

    Filled copy() {
      Filled copy = new Filled();
      copy.any = any;
      copy.low = low;
      copy.high = high;
      return copy;
    }

    void shift(int by) {
      low >>= by;
      high >>= by;
    }

    long width() {
      return any ? (long) high - low + 1 : 0;
    }
  }

  ExponentialSeries(Histogram owner, Labels labels, Cells cells, Shape shape) {
    super(owner);
    this.labels = labels;
    this.window = new Window(cells, shape);
  }

  @Override
  void record(double value) {
    Window into = window;
    int cell = cellOf(into.shape, value);
    if (cell < 0) {
      into = widen(value);
      cell = cellOf(into.shape, value);
      if (cell < 0) {
        owner.refuseValue("expected space for wider buckets, found none");
        return;
      }
    }
    into.cells.addDouble(CellLayout.SUM_CELL, value);
    into.cells.addLong(cell, 1);
  }

  private static int cellOf(Shape shape, double value) {
    if (value == 0) {
      return CellLayout.ZERO_BUCKET_CELL;
    }
    int index = ExponentialIndex.of(Math.abs(value), shape.scale());
    if (value > 0) {
      long within = (long) index - shape.positiveOffset();
      return within >= 0 && within < shape.positiveBuckets()
          ? CellLayout.FIRST_EXPONENTIAL_CELL + (int) within
          : -1;
    }
    long within = (long) index - shape.negativeOffset();
    return within >= 0 && within < shape.negativeBuckets()
        ? CellLayout.FIRST_EXPONENTIAL_CELL + shape.positiveBuckets() + (int) within
        : -1;
  }

  private synchronized Window widen(double value) {
    Window old = window;
    if (cellOf(old.shape, value) >= 0) {
      return old;
    }
    Filled above = positive.copy();
    Filled below = negative.copy();
    int at = CellLayout.FIRST_EXPONENTIAL_CELL;
    scan(old, at, old.shape.positiveOffset(), old.shape.positiveBuckets(), above);
    at += old.shape.positiveBuckets();
    scan(old, at, old.shape.negativeOffset(), old.shape.negativeBuckets(), below);
    int scale = old.shape.scale();
    (value > 0 ? above : below).include(ExponentialIndex.of(Math.abs(value), scale));
    int most = owner.declaration().maxBuckets();
    while ((above.width() > most || below.width() > most) && scale > Shape.MIN_SCALE) {
      above.shift(1);
      below.shift(1);
      scale--;
    }
    Shape wider =
        new Shape(
            scale,
            start(above, most),
            above.any ? most : 0,
            start(below, most),
            below.any ? most : 0);
    Cells cells = owner.home().widen(owner.declaration(), labels, wider);
    if (cells == null) {
      return old;
    }
    positive = above;
    negative = below;
    Window next = new Window(cells, wider);
    window = next;
    return next;
  }

  /** Puts what is filled into the middle of the new buckets, with room on both sides. */
  private static int start(Filled filled, int buckets) {
    return filled.any ? filled.low - (int) ((buckets - filled.width()) / 2) : 0;
  }

  private static void scan(Window window, int at, int offset, int buckets, Filled filled) {
    for (int i = 0; i < buckets; i++) {
      if (window.cells.get(at + i) != 0) {
        filled.include(offset + i);
      }
    }
  }

  @Override
  void recordExemplar(double value, long timeMillis, long traceHigh, long traceLow, long spanId) {
    Cells cells = window.cells;
    if (cells.exemplarSlots() > 0) {
      int slot = Math.floorMod(Math.getExponent(value), cells.exemplarSlots());
      cells.putExemplar(
          slot, Double.doubleToRawLongBits(value), timeMillis, traceHigh, traceLow, spanId);
    }
  }
}

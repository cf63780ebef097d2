package dev.millrace.store;

import dev.millrace.model.Problems;
import dev.millrace.store.file.CellLayout;
import dev.millrace.store.file.Cells;
import dev.millrace.store.file.Declaration;
import dev.millrace.store.file.InstrumentKind;
import dev.millrace.store.file.MergeMode;
import dev.millrace.store.file.SeriesHome;
import dev.millrace.store.file.Shape;
import org.jspecify.annotations.Nullable;

/**
 * A sum that rises and falls. All processes' sums are added; by option only those of the living,
 * which is right where a process takes back what it added, such as requests in flight. Whole
 * numbers are exact up to 2^63.
 */
public final class UpDownCounter extends Instrument<UpDownCounter.Series> {
  private final Series refused;
  private final Series only;

  UpDownCounter(SeriesHome home, Problems problems, Declaration declaration, String[] labelNames) {
    super(home, problems, declaration, labelNames);
    refused = new Series(this, home.scrap(declaration));
    only = hasLabels() ? refused : labels();
  }

  /** Adds to the metric without labels; see {@link Series#add(long)}. */
  public void add(long amount) {
    unlabelled().add(amount);
  }

  /** Adds to the metric without labels; see {@link Series#add(double)}. */
  public void add(double amount) {
    unlabelled().add(amount);
  }

  private Series unlabelled() {
    return hasLabels() ? labels() : only;
  }

  @Override
  @Nullable Series add(String[] values) {
    Cells cells = newCells(labelsOf(values).build(), Shape.NONE);
    return cells == null ? null : new Series(this, cells);
  }

  @Override
  Series refused() {
    return refused;
  }

  /** One series. Thread-safe, lock-free; allocates nothing and never fails. */
  public static final class Series {
    private final UpDownCounter owner;
    private final Cells cells;

    private Series(UpDownCounter owner, Cells cells) {
      this.owner = owner;
      this.cells = cells;
    }

    /** Adds 1. */
    public void increment() {
      cells.addLong(CellLayout.WHOLE_CELL, 1);
    }

    /** Takes 1 away. */
    public void decrement() {
      cells.addLong(CellLayout.WHOLE_CELL, -1);
    }

    /** Adds a whole number. */
    public void add(long amount) {
      cells.addLong(CellLayout.WHOLE_CELL, amount);
    }

    /** Adds a number; an infinite one and NaN are refused and counted. */
    public void add(double amount) {
      if (!Double.isFinite(amount)) {
        owner.refuseValue("expected to add a finite number");
        return;
      }
      long whole = (long) amount;
      if (whole == amount && whole != Long.MAX_VALUE) {
        cells.addLong(CellLayout.WHOLE_CELL, whole);
      } else {
        cells.addDouble(CellLayout.FRACTION_CELL, amount);
      }
    }
  }

  /** Declares an up-down counter. */
  public static final class Builder extends InstrumentBuilder<Builder, UpDownCounter> {
    private boolean liveOnly;

    Builder(MetricStore store, String name) {
      super(store, name);
    }

    /** What dead processes added no longer counts. */
    public Builder liveOnly() {
      liveOnly = true;
      return this;
    }

    @Override
    Builder self() {
      return this;
    }

    @Override
    public UpDownCounter create() {
      return store.create(
          UpDownCounter.class,
          declaration(InstrumentKind.UP_DOWN_COUNTER, MergeMode.SUM, liveOnly, false, false),
          checkedLabelNames(),
          UpDownCounter::new);
    }
  }
}

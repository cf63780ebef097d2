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
 * A sum that only rises. All processes' sums are added, those of dead ones too. Whole numbers are
 * exact up to 2^63; past it the value goes on as a double, up to 2^64 in one process.
 */
public final class Counter extends Instrument<Counter.Series> {
  private final Series refused;
  private final Series only;

  Counter(SeriesHome home, Problems problems, Declaration declaration, String[] labelNames) {
    super(home, problems, declaration, labelNames);
    refused = new Series(this, home.scrap(declaration));
    only = hasLabels() ? refused : labels();
  }

  /** Adds 1 to the metric without labels. */
  public void increment() {
    unlabelled().increment();
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
    private final Counter owner;
    private final Cells cells;

    private Series(Counter owner, Cells cells) {
      this.owner = owner;
      this.cells = cells;
    }

    /** Adds 1. */
    public void increment() {
      cells.addLong(CellLayout.WHOLE_CELL, 1);
    }

    /** Adds a whole number; a negative one is refused and counted. */
    public void add(long amount) {
      if (amount < 0) {
        owner.refuseValue("expected to add 0 or more to a counter, found less");
        return;
      }
      cells.addLong(CellLayout.WHOLE_CELL, amount);
    }

    /** Adds a number; a negative or infinite one and NaN are refused and counted. */
    public void add(double amount) {
      if (!(amount >= 0) || amount == Double.POSITIVE_INFINITY) {
        owner.refuseValue("expected to add a finite number of 0 or more to a counter");
        return;
      }
      long whole = (long) amount;
      if (whole == amount && whole != Long.MAX_VALUE) {
        cells.addLong(CellLayout.WHOLE_CELL, whole);
      } else {
        cells.addDouble(CellLayout.FRACTION_CELL, amount);
      }
    }

    /**
     * Adds a whole number and keeps the trace as the series' exemplar, if the counter was declared
     * with exemplars and the ids are valid.
     *
     * @param traceId 32 hexadecimal digits
     * @param spanId 16 hexadecimal digits
     */
    public void add(long amount, CharSequence traceId, CharSequence spanId) {
      add(amount);
      if (amount >= 0 && cells.exemplarSlots() > 0 && TraceIds.areValid(traceId, spanId)) {
        cells.putExemplar(
            0,
            Double.doubleToRawLongBits((double) amount),
            owner.home().unixMillis(),
            TraceIds.high(traceId),
            TraceIds.low(traceId),
            TraceIds.span(spanId));
      }
    }
  }

  /** Declares a counter. */
  public static final class Builder extends InstrumentBuilder<Builder, Counter> {
    private boolean exemplars;

    Builder(MetricStore store, String name) {
      super(store, name);
    }

    /** Each series keeps one exemplar: 64 bytes more. */
    public Builder exemplars() {
      exemplars = true;
      return this;
    }

    @Override
    Builder self() {
      return this;
    }

    @Override
    public Counter create() {
      return store.create(
          Counter.class,
          declaration(InstrumentKind.COUNTER, MergeMode.SUM, false, false, exemplars),
          checkedLabelNames(),
          Counter::new);
    }
  }
}

package dev.millrace.store;

import dev.millrace.model.Problems;
import dev.millrace.store.file.CellLayout;
import dev.millrace.store.file.Cells;
import dev.millrace.store.file.Declaration;
import dev.millrace.store.file.InstrumentKind;
import dev.millrace.store.file.MergeMode;
import dev.millrace.store.file.SeriesHome;
import dev.millrace.store.file.Shape;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The last value measured. How several processes' values become one is declared: by default each
 * living process has its own, with the label {@code pid}. A series that was never set is not shown.
 */
public final class Gauge extends Instrument<Gauge.Series> {
  private final MetricStore store;
  private final Series refused;
  private final Series only;

  Gauge(
      MetricStore store,
      SeriesHome home,
      Problems problems,
      Declaration declaration,
      String[] labelNames) {
    super(home, problems, declaration, labelNames);
    this.store = store;
    refused = new Series(this, home.scrap(declaration));
    only = hasLabels() ? refused : labels();
  }

  /** Sets the metric without labels; see {@link Series#set(double)}. */
  public void set(double value) {
    unlabelled().set(value);
  }

  /** Sets the metric without labels; see {@link Series#set(long)}. */
  public void set(long value) {
    unlabelled().set(value);
  }

  /** Adds to the metric without labels; see {@link Series#add(double)}. */
  public void add(double amount) {
    unlabelled().add(amount);
  }

  /** Sets the metric without labels to the time; see {@link Series#setToNow}. */
  public void setToNow() {
    unlabelled().setToNow();
  }

  /** Samples the metric without labels; see {@link Series#sampledBy}. */
  public void sampledBy(DoubleSupplier function) {
    unlabelled().sampledBy(function);
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
    private static final double MILLIS_A_SECOND = 1000.0;

    private final Gauge owner;
    private final Cells cells;
    private final long unset;
    private final boolean whole;
    private final boolean timed;

    private Series(Gauge owner, Cells cells) {
      this.owner = owner;
      this.cells = cells;
      Declaration declaration = owner.declaration();
      whole = declaration.wholeNumbers();
      unset = whole ? CellLayout.UNSET_LONG : CellLayout.UNSET_DOUBLE;
      timed = declaration.mode() == MergeMode.LATEST;
    }

    /** Sets a value; a gauge of whole numbers takes the nearest one. */
    public void set(double value) {
      put(bits(value));
    }

    /** Sets a whole number, which is exact in a gauge of whole numbers. */
    public void set(long value) {
      put(whole ? value : bits((double) value));
    }

    /** Sets the time of now, in seconds since the Unix epoch. */
    public void setToNow() {
      set(owner.home().unixMillis() / MILLIS_A_SECOND);
    }

    /** Adds; a gauge that was never set counts as 0. */
    public void add(double amount) {
      long seen = cells.get(CellLayout.VALUE_CELL);
      while (true) {
        long next =
            whole
                ? (seen == unset ? 0 : seen) + Math.round(amount)
                : bits((seen == unset ? 0 : Double.longBitsToDouble(seen)) + amount);
        if (cells.compareAndSet(CellLayout.VALUE_CELL, seen, next)) {
          touch();
          return;
        }
        seen = cells.get(CellLayout.VALUE_CELL);
      }
    }

    /** Sets a value if it is greater than what is there, or nothing is. */
    public void max(double value) {
      replaceIf(value, true);
    }

    /** Sets a value if it is less than what is there, or nothing is. */
    public void min(double value) {
      replaceIf(value, false);
    }

    private void replaceIf(double value, boolean greater) {
      long next = bits(value);
      long seen = cells.get(CellLayout.VALUE_CELL);
      while (seen == unset || isBeyond(next, seen, greater)) {
        if (cells.compareAndSet(CellLayout.VALUE_CELL, seen, next)) {
          touch();
          return;
        }
        seen = cells.get(CellLayout.VALUE_CELL);
      }
    }

    private boolean isBeyond(long next, long seen, boolean greater) {
      int order =
          whole
              ? Long.compare(next, seen)
              : Double.compare(Double.longBitsToDouble(next), Double.longBitsToDouble(seen));
      return greater ? order > 0 : order < 0;
    }

    /**
     * Sets what a function gives, every {@link StoreOptions#sampleInterval}, on the store's own
     * thread. The function must not block; where it fails, that is counted and the value stays.
     */
    public void sampledBy(DoubleSupplier function) {
      owner.store.sample(owner.name(), () -> set(function.getAsDouble()));
    }

    private long bits(double value) {
      if (whole) {
        long rounded = Math.round(value);
        return rounded == unset ? unset + 1 : rounded;
      }
      long bits = Double.doubleToRawLongBits(value);
      return bits == unset ? Double.doubleToLongBits(Double.NaN) : bits;
    }

    private void put(long bits) {
      cells.set(CellLayout.VALUE_CELL, bits);
      touch();
    }

    private void touch() {
      if (timed) {
        cells.set(CellLayout.TIME_CELL, owner.home().unixMillis());
      }
    }
  }

  /** Declares a gauge. */
  public static final class Builder extends InstrumentBuilder<Builder, Gauge> {
    private MergeMode mode = MergeMode.EACH;
    private boolean liveOnly = true;
    private boolean wholeNumbers;

    Builder(MetricStore store, String name) {
      super(store, name);
    }

    /** All processes' values are added, those of dead ones too. */
    public Builder sum() {
      return merge(MergeMode.SUM);
    }

    /** The least of all processes' values, those of dead ones too. */
    public Builder min() {
      return merge(MergeMode.MIN);
    }

    /** The greatest of all processes' values, those of dead ones too. */
    public Builder max() {
      return merge(MergeMode.MAX);
    }

    /** The value set last in any process, by the processes' wall clocks; also by a dead one. */
    public Builder latest() {
      return merge(MergeMode.LATEST);
    }

    /**
     * Each process's value, with the label {@code pid}, also after its end: for as long as no other
     * process takes its name. Mind how many processes there will be.
     */
    public Builder eachProcess() {
      return merge(MergeMode.EACH);
    }

    /** Values of dead processes no longer count; after one of the modes above. */
    public Builder liveOnly() {
      liveOnly = true;
      return this;
    }

    /** The gauge holds longs, exactly, instead of doubles. */
    public Builder wholeNumbers() {
      wholeNumbers = true;
      return this;
    }

    private Builder merge(MergeMode merge) {
      mode = merge;
      liveOnly = false;
      return this;
    }

    @Override
    Builder self() {
      return this;
    }

    @Override
    public Gauge create() {
      MetricStore owner = store;
      String[] labelNames = mode == MergeMode.EACH ? checkedLabelNames("pid") : checkedLabelNames();
      return owner.create(
          Gauge.class,
          declaration(InstrumentKind.GAUGE, mode, liveOnly, wholeNumbers, false),
          labelNames,
          (home, problems, declaration, names) ->
              new Gauge(owner, home, problems, declaration, names));
    }
  }
}

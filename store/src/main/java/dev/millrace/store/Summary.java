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

/** The sum and the number of observed values. All processes' are added, those of dead ones too. */
public final class Summary extends Instrument<Summary.Series> {
  private final Series refused;
  private final Series only;

  Summary(SeriesHome home, Problems problems, Declaration declaration, String[] labelNames) {
    super(home, problems, declaration, labelNames);
    refused = new Series(this, home.scrap(declaration));
    only = hasLabels() ? refused : labels();
  }

  /** Observes a value of the metric without labels; see {@link Series#observe}. */
  public void observe(double value) {
    (hasLabels() ? labels() : only).observe(value);
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
    private final Summary owner;
    private final Cells cells;

    private Series(Summary owner, Cells cells) {
      this.owner = owner;
      this.cells = cells;
    }

    /** Observes a value; an infinite one and NaN are refused and counted. */
    public void observe(double value) {
      if (!Double.isFinite(value)) {
        owner.refuseValue("expected to observe a finite number");
        return;
      }
      cells.addDouble(CellLayout.SUM_CELL, value);
      cells.addLong(CellLayout.COUNT_CELL, 1);
    }
  }

  /** Declares a summary. */
  public static final class Builder extends InstrumentBuilder<Builder, Summary> {
    Builder(MetricStore store, String name) {
      super(store, name);
    }

    @Override
    Builder self() {
      return this;
    }

    @Override
    public Summary create() {
      return store.create(
          Summary.class,
          declaration(InstrumentKind.SUMMARY, MergeMode.SUM),
          checkedLabelNames("quantile"),
          Summary::new);
    }
  }
}

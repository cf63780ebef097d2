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
 * Facts about a process, as labels of a constant 1, such as the version that it runs. Equal facts
 * of several processes are one series; those of dead processes are gone.
 */
public final class Info extends Instrument<Info.Series> {
  private final Series refused;
  private @Nullable Series current;

  Info(SeriesHome home, Problems problems, Declaration declaration, String[] labelNames) {
    super(home, problems, declaration, labelNames);
    refused = new Series(home.scrap(declaration));
  }

  /**
   * States the facts; those stated before are gone.
   *
   * @param values the labels' values, in the order of the names
   */
  public synchronized void set(String... values) {
    Series next = labels(values);
    Series last = current;
    if (last != null && last != next) {
      last.cells.set(CellLayout.VALUE_CELL, CellLayout.UNSET_LONG);
    }
    next.cells.set(CellLayout.VALUE_CELL, 1);
    current = next;
  }

  @Override
  @Nullable Series add(String[] values) {
    Cells cells = newCells(labelsOf(values).build(), Shape.NONE);
    return cells == null ? null : new Series(cells);
  }

  @Override
  Series refused() {
    return refused;
  }

  /** One set of facts; only {@link Info#set} states them. */
  public static final class Series {
    private final Cells cells;

    private Series(Cells cells) {
      this.cells = cells;
    }
  }

  /** Declares an info metric. */
  public static final class Builder extends InstrumentBuilder<Builder, Info> {
    Builder(MetricStore store, String name) {
      super(store, name);
    }

    @Override
    Builder self() {
      return this;
    }

    @Override
    public Info create() {
      return store.create(
          Info.class,
          declaration(InstrumentKind.INFO, MergeMode.MAX, true, true, false),
          checkedLabelNames(),
          Info::new);
    }
  }
}

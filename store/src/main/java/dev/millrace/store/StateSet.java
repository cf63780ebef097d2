package dev.millrace.store;

import dev.millrace.model.Problems;
import dev.millrace.store.file.CellLayout;
import dev.millrace.store.file.Cells;
import dev.millrace.store.file.Declaration;
import dev.millrace.store.file.InstrumentKind;
import dev.millrace.store.file.MergeMode;
import dev.millrace.store.file.SeriesHome;
import dev.millrace.store.file.Shape;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which of several named states hold: a series of 0 or 1 for each, told apart by a label of the
 * metric's name (OpenMetrics 1.0.0, "StateSet"). Over several processes a state holds where it
 * holds in any living one.
 */
public final class StateSet extends Instrument<StateSet.Series> {
  private final String[] states;
  private final Series refused;
  private final Series only;

  StateSet(
      String[] states,
      SeriesHome home,
      Problems problems,
      Declaration declaration,
      String[] labelNames) {
    super(home, problems, declaration, labelNames);
    this.states = states;
    Cells[] scrap = new Cells[states.length];
    for (int i = 0; i < scrap.length; i++) {
      scrap[i] = home.scrap(declaration);
    }
    refused = new Series(this, scrap);
    only = hasLabels() ? refused : labels();
  }

  /** Says of the metric without labels whether a state holds; see {@link Series#set}. */
  public void set(String state, boolean holds) {
    unlabelled().set(state, holds);
  }

  /** Says of the metric without labels that one state holds alone; see {@link Series#only}. */
  public void only(String state) {
    unlabelled().only(state);
  }

  private Series unlabelled() {
    return hasLabels() ? labels() : only;
  }

  boolean hasStates(String[] other) {
    return java.util.Arrays.equals(states, other);
  }

  @Override
  @Nullable Series add(String[] values) {
    Cells[] cells = new Cells[states.length];
    for (int i = 0; i < states.length; i++) {
      Cells made = newCells(labelsOf(values).put(name(), states[i]).build(), Shape.NONE);
      if (made == null) {
        return null;
      }
      made.set(CellLayout.VALUE_CELL, 0);
      cells[i] = made;
    }
    return new Series(this, cells);
  }

  @Override
  Series refused() {
    return refused;
  }

  /** The states of one set of labels. Thread-safe, lock-free; allocates nothing, never fails. */
  public static final class Series {
    private final StateSet owner;
    private final Cells[] cells;

    private Series(StateSet owner, Cells[] cells) {
      this.owner = owner;
      this.cells = cells;
    }

    /** Says whether a state holds; a state that was not declared is refused and counted. */
    public void set(String state, boolean holds) {
      int index = indexOf(state);
      if (index >= 0) {
        cells[index].set(CellLayout.VALUE_CELL, holds ? 1 : 0);
      }
    }

    /** Says that one state holds and no other; a reader may for a moment see both or neither. */
    public void only(String state) {
      int index = indexOf(state);
      if (index >= 0) {
        for (int i = 0; i < cells.length; i++) {
          cells[i].set(CellLayout.VALUE_CELL, i == index ? 1 : 0);
        }
      }
    }

    private int indexOf(String state) {
      for (int i = 0; i < owner.states.length; i++) {
        if (owner.states[i].equals(state)) {
          return i;
        }
      }
      owner.refuseValue("expected one of the declared states, found another");
      return -1;
    }
  }

  /** Declares a state set. */
  public static final class Builder extends InstrumentBuilder<Builder, StateSet> {
    private String[] states = {};

    Builder(MetricStore store, String name) {
      super(store, name);
    }

    /** The names of the states. */
    public Builder states(String... names) {
      Set<String> seen = new HashSet<>();
      for (String state : names) {
        checkText("state of " + name(), state, Instrument.MAX_LABEL_BYTES);
        if (state.isEmpty() || !seen.add(state)) {
          throw new IllegalArgumentException(
              name() + ": expected distinct states, found '" + state + "' twice or empty");
        }
      }
      states = names.clone();
      return this;
    }

    @Override
    Builder self() {
      return this;
    }

    @Override
    public StateSet create() {
      if (states.length == 0) {
        throw new IllegalArgumentException(
            name() + ": expected at least one state, found none; call states first");
      }
      String[] declared = states;
      StateSet made =
          store.create(
              StateSet.class,
              declaration(InstrumentKind.STATE_SET, MergeMode.MAX, true, true, false),
              checkedLabelNames(name()),
              (home, problems, declaration, names) ->
                  new StateSet(declared, home, problems, declaration, names));
      if (!made.hasStates(declared)) {
        throw new IllegalArgumentException(
            name() + ": expected the states of the first declaration, found others");
      }
      return made;
    }
  }
}

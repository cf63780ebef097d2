package dev.millrace.store;

import dev.millrace.model.Labels;
import dev.millrace.model.Problems;
import dev.millrace.store.file.Cells;
import dev.millrace.store.file.Declaration;
import dev.millrace.store.file.SeriesHome;
import dev.millrace.store.file.Shape;
import dev.millrace.store.file.StoreProblems;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What all instruments have: one series for each set of label values.
 *
 * <p>{@code labels} gives the series of label values and makes it where there is none. It never
 * fails: where a bound refuses the series, or the number of values is not the declared one, that is
 * counted ({@link MetricStore#problems}) and the series that it gives records nothing. Hold on to
 * what it gives where you can; looking up one to three values of which the strings are at hand
 * takes a few dozen nanoseconds and allocates nothing, more values cost an array.
 *
 * <p>Thread-safe; looking up takes no lock.
 *
 * @param <S> what records the values of one series
 */
public abstract class Instrument<S> {
  /** The longest label value, in bytes of UTF-8. */
  public static final int MAX_LABEL_BYTES = 65_535;

  private static final String[] NO_VALUES = {};

  private final SeriesHome home;
  private final Problems problems;
  private final Declaration declaration;
  private final String[] labelNames;
  private final SeriesTable<S> table = new SeriesTable<>();

  Instrument(SeriesHome home, Problems problems, Declaration declaration, String[] labelNames) {
    this.home = home;
    this.problems = problems;
    this.declaration = declaration;
    this.labelNames = labelNames;
  }

  /** The name as declared. */
  public final String name() {
    return declaration.name();
  }

  /** The series of a metric without labels. */
  public final S labels() {
    return labels(NO_VALUES);
  }

  /** The series of one label value. */
  public final S labels(String value) {
    if (labelNames.length == 1 && value != null) {
      S found = table.find(value);
      if (found != null) {
        return found;
      }
    }
    return findOrAdd(new String[] {value});
  }

  /** The series of two label values, in the order of the names. */
  public final S labels(String first, String second) {
    if (labelNames.length == 2 && first != null && second != null) {
      S found = table.find(first, second);
      if (found != null) {
        return found;
      }
    }
    return findOrAdd(new String[] {first, second});
  }

  /** The series of three label values, in the order of the names. */
  public final S labels(String first, String second, String third) {
    if (labelNames.length == 3 && first != null && second != null && third != null) {
      S found = table.find(first, second, third);
      if (found != null) {
        return found;
      }
    }
    return findOrAdd(new String[] {first, second, third});
  }

  /** The series of label values, in the order of the names. */
  public final S labels(String... values) {
    return findOrAdd(values.clone());
  }

  private S findOrAdd(String[] values) {
    if (values.length != labelNames.length) {
      refuse("expected " + labelNames.length + " label values, found " + values.length);
      return refused();
    }
    for (int i = 0; i < values.length; i++) {
      if (values[i] == null) {
        refuse("expected a value for label " + labelNames[i] + ", found null; taken for empty");
        values[i] = "";
      }
    }
    S found = table.find(values);
    if (found != null) {
      return found;
    }
    synchronized (table) {
      found = table.find(values);
      if (found == null) {
        found = tooLong(values) ? null : add(values);
        if (found == null) {
          return refused();
        }
        table.add(values, found);
      }
      return found;
    }
  }

  private boolean tooLong(String[] values) {
    for (int i = 0; i < values.length; i++) {
      if (values[i].length() > MAX_LABEL_BYTES / 3
          && values[i].getBytes(java.nio.charset.StandardCharsets.UTF_8).length > MAX_LABEL_BYTES) {
        refuse("expected at most " + MAX_LABEL_BYTES + " bytes in label " + labelNames[i]);
        return true;
      }
    }
    return false;
  }

  private void refuse(String reason) {
    problems
        .kind(StoreProblems.LABELS_REFUSED)
        .add(1, () -> "metric " + name() + ": " + reason + "; labels are " + names());
  }

  private String names() {
    return Arrays.toString(labelNames);
  }

  /** Labels of the declared names. */
  final Labels.Builder labelsOf(String[] values) {
    Labels.Builder labels = new Labels.Builder();
    for (int i = 0; i < labelNames.length; i++) {
      labels.put(labelNames[i], values[i]);
    }
    return labels;
  }

  /** New cells, or {@code null} where a bound refuses them. */
  final @Nullable Cells newCells(Labels labels, Shape shape) {
    return home.add(declaration, labels, shape);
  }

  final SeriesHome home() {
    return home;
  }

  final Problems problems() {
    return problems;
  }

  final Declaration declaration() {
    return declaration;
  }

  final boolean hasLabels() {
    return labelNames.length > 0;
  }

  final boolean isDeclaredAs(Declaration other, String[] otherLabelNames) {
    return declaration.differenceTo(other) == null && Arrays.equals(labelNames, otherLabelNames);
  }

  final void refuseValue(String reason) {
    refusedValues(problems, declaration, reason);
  }

  static void refusedValues(Problems problems, Declaration declaration, String reason) {
    problems
        .kind(StoreProblems.VALUE_REFUSED)
        .add(1, () -> "metric " + declaration.name() + ": " + reason + "; it is not recorded");
  }

  /** Makes a new series; {@code null} where a bound refuses it. */
  abstract @Nullable S add(String[] values);

  /** What stands for a series that was refused: it records where nobody reads. */
  abstract S refused();
}

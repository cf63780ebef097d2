package dev.millrace.store;

import dev.millrace.store.file.Declaration;
import dev.millrace.store.file.InstrumentKind;
import dev.millrace.store.file.MergeMode;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;

/**
 * What all instruments are declared with. Wrong declarations fail here, so that recording never has
 * to. Not thread-safe.
 *
 * @param <B> the builder itself
 * @param <I> the instrument
 */
public abstract class InstrumentBuilder<B extends InstrumentBuilder<B, I>, I> {
  /** The longest name, unit and label name, in bytes of UTF-8: OpenTelemetry's bound for names. */
  public static final int MAX_NAME_BYTES = 255;

  /** The longest help text, in bytes of UTF-8. */
  public static final int MAX_HELP_BYTES = 16 * 1024;

  /** The most labels of a metric. */
  public static final int MAX_LABELS = 200;

  final MetricStore store;
  private final String name;
  private String help = "";
  private String unit = "";
  private String[] labelNames = {};

  InstrumentBuilder(MetricStore store, String name) {
    checkText("name", name, MAX_NAME_BYTES);
    if (name.isEmpty()) {
      throw new IllegalArgumentException("name: expected a metric name, found an empty string");
    }
    this.store = store;
    this.name = name;
  }

  abstract B self();

  /** What the metric means, for people. */
  public final B help(String help) {
    checkText("help of " + name, help, MAX_HELP_BYTES);
    this.help = help;
    return self();
  }

  /** A UCUM unit, such as {@code s} or {@code By}. */
  public final B unit(String unit) {
    checkText("unit of " + name, unit, MAX_NAME_BYTES);
    this.unit = unit;
    return self();
  }

  /** The names of the labels; their values follow in this order. */
  public final B labelNames(String... names) {
    if (names.length > MAX_LABELS) {
      throw new IllegalArgumentException(
          name + ": expected at most " + MAX_LABELS + " labels, found " + names.length);
    }
    Set<String> seen = new HashSet<>();
    for (String label : names) {
      checkText("label of " + name, label, MAX_NAME_BYTES);
      if (label.isEmpty() || !seen.add(label)) {
        throw new IllegalArgumentException(
            name + ": expected distinct label names, found '" + label + "' twice or empty");
      }
    }
    labelNames = names.clone();
    return self();
  }

  /**
   * The instrument; the same one where the store has it already.
   *
   * @throws IllegalArgumentException if the declaration is wrong, or the store has the name with
   *     another one
   */
  public abstract I create();

  final String[] checkedLabelNames(String... reserved) {
    for (String label : labelNames) {
      for (String taken : reserved) {
        if (label.equals(taken)) {
          throw new IllegalArgumentException(
              name
                  + ": expected a label name that the metric does not use itself, found '"
                  + label
                  + "'; take another name");
        }
      }
    }
    return labelNames;
  }

  final String name() {
    return name;
  }

  final Declaration declaration(InstrumentKind kind, MergeMode mode) {
    return declaration(kind, mode, false, false, false);
  }

  final Declaration declaration(
      InstrumentKind kind, MergeMode mode, boolean live, boolean whole, boolean exemplars) {
    return new Declaration(
        name, unit, help, kind, mode, live, whole, exemplars, Declaration.NO_BOUNDS, 0, 0);
  }

  final Declaration declaration(
      InstrumentKind kind, boolean exemplars, double[] bounds, int maxScale, int maxBuckets) {
    return new Declaration(
        name,
        unit,
        help,
        kind,
        MergeMode.SUM,
        false,
        false,
        exemplars,
        bounds,
        maxScale,
        maxBuckets);
  }

  static void checkText(String what, String text, int maxBytes) {
    int length = text.getBytes(StandardCharsets.UTF_8).length;
    if (length > maxBytes) {
      throw new IllegalArgumentException(
          what + ": expected at most " + maxBytes + " bytes, found " + length);
    }
  }
}

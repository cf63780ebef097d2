package dev.millrace.format.prometheus;

import dev.millrace.model.FakePoint;
import dev.millrace.model.Labels;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Which exemplar a sample has to show, and how, found the slow and obvious way. */
final class ReferenceExemplars {
  /**
   * An exemplar.
   *
   * @param value a {@code Long} or a {@code Double}
   * @param time in seconds, or {@code null}
   */
  record Exemplar(SortedMap<String, String> labels, Number value, @Nullable BigDecimal time) {}

  private final BiFunction<Labels, Set<String>, SortedMap<String, String>> naming;

  /**
   * What the exemplars of one format are.
   *
   * @param naming makes labels of attributes, without those of some names
   */
  ReferenceExemplars(BiFunction<Labels, Set<String>, SortedMap<String, String>> naming) {
    this.naming = naming;
  }

  /** The newest exemplar whose value is above one bound and not above the other. */
  @Nullable Exemplar newest(List<FakePoint.Exemplar> exemplars, double above, double upTo) {
    FakePoint.Exemplar newest = null;
    for (FakePoint.Exemplar each : exemplars) {
      double value = number(each).doubleValue();
      // The first bucket holds what is not above its bound, and that of infinity all others.
      boolean inBucket = (value > above || Double.isNaN(above)) && value <= upTo;
      if (inBucket && (newest == null || each.timeUnixNanos() >= newest.timeUnixNanos())) {
        newest = each;
      }
    }
    return newest == null ? null : of(newest);
  }

  /** The newest exemplar of all. */
  @Nullable Exemplar newest(List<FakePoint.Exemplar> exemplars) {
    FakePoint.Exemplar newest = null;
    for (FakePoint.Exemplar each : exemplars) {
      if (newest == null || each.timeUnixNanos() >= newest.timeUnixNanos()) {
        newest = each;
      }
    }
    return newest == null ? null : of(newest);
  }

  private Exemplar of(FakePoint.Exemplar exemplar) {
    SortedMap<String, String> ids = new TreeMap<>();
    if (exemplar.traceIdHigh() != 0 || exemplar.traceIdLow() != 0) {
      ids.put(
          "trace_id", String.format("%016x%016x", exemplar.traceIdHigh(), exemplar.traceIdLow()));
    }
    if (exemplar.spanId() != 0) {
      ids.put("span_id", String.format("%016x", exemplar.spanId()));
    }
    SortedMap<String, String> all = naming.apply(exemplar.labels(), ids.keySet());
    all.putAll(ids);
    int characters = 0;
    for (Map.Entry<String, String> label : all.entrySet()) {
      characters += label.getKey().codePointCount(0, label.getKey().length());
      characters += label.getValue().codePointCount(0, label.getValue().length());
    }
    return new Exemplar(
        characters > 128 ? ids : all,
        number(exemplar),
        exemplar.timeUnixNanos() == 0 ? null : BigDecimal.valueOf(exemplar.timeUnixNanos(), 9));
  }

  private static Number number(FakePoint.Exemplar exemplar) {
    return exemplar.value() instanceof FakePoint.Whole whole
        ? (Number) whole.value()
        : (Number) ((FakePoint.Real) exemplar.value()).value();
  }
}

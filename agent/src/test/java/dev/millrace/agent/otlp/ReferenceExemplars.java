package dev.millrace.agent.otlp;

import dev.millrace.model.Labels;
import io.opentelemetry.proto.metrics.v1.Exemplar;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToIntFunction;

/** The exemplars that a series is to hold, found the slow and obvious way. */
final class ReferenceExemplars {
  private record Held(String text, long time) {}

  private final SortedMap<Integer, Held> bySlot = new TreeMap<>();

  /** Takes the exemplars of one point. */
  void fill(List<Exemplar> exemplars, ToIntFunction<Double> slots) {
    for (Exemplar exemplar : exemplars) {
      double value = exemplar.hasAsInt() ? (double) exemplar.getAsInt() : exemplar.getAsDouble();
      int traceBytes = exemplar.getTraceId().size();
      int spanBytes = exemplar.getSpanId().size();
      boolean good =
          exemplar.getValueCase() != Exemplar.ValueCase.VALUE_NOT_SET
              && (traceBytes == 0 || traceBytes == 16)
              && (spanBytes == 0 || spanBytes == 8);
      int slot = slots.applyAsInt(value);
      if (good && slot >= 0) {
        offer(slot, new Held(text(exemplar), exemplar.getTimeUnixNano()), Long.MAX_VALUE);
      }
    }
  }

  /** Takes those of the next point of the series. */
  void take(ReferenceExemplars next, long lastTime) {
    next.bySlot.forEach((slot, exemplar) -> offer(slot, exemplar, lastTime));
  }

  void clear() {
    bySlot.clear();
  }

  String text() {
    StringBuilder text = new StringBuilder();
    bySlot.values().forEach(held -> text.append(" # ").append(held.text));
    return text.toString();
  }

  private void offer(int slot, Held exemplar, long lastTime) {
    Held held = bySlot.get(slot);
    boolean older =
        held != null
            && held.time != 0
            && exemplar.time != 0
            && exemplar.time < Math.min(held.time, lastTime);
    if (!older) {
      bySlot.put(slot, exemplar);
    }
  }

  private static String text(Exemplar exemplar) {
    Labels labels = ReferenceLabels.of(exemplar.getFilteredAttributesList());
    return text(
        exemplar.hasAsInt() ? exemplar.getAsInt() + "L" : exemplar.getAsDouble() + "",
        exemplar.getTimeUnixNano(),
        hex(exemplar.getTraceId().toByteArray(), 16)
            + " "
            + hex(exemplar.getSpanId().toByteArray(), 8),
        labels.bytes().length > OtlpExemplarReader.MAX_ATTRIBUTE_BYTES ? Labels.EMPTY : labels);
  }

  /** An exemplar as text. */
  static String text(String value, long time, String ids, Labels labels) {
    return value + " at " + time + " " + ids + " " + labels;
  }

  private static String hex(byte[] id, int length) {
    return id.length == 0
        ? "0".repeat(2 * length)
        : HexFormat.of().formatHex(id).toLowerCase(Locale.ROOT);
  }
}

package dev.millrace.store.foreign;

import dev.millrace.model.MetricDescriptor;
import dev.millrace.model.MetricKind;
import dev.millrace.model.Temporality;
import dev.millrace.model.TypeHint;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The types of metrics in other clients' files. */
enum ForeignType {
  COUNTER(MetricKind.SUM, true, Temporality.CUMULATIVE, TypeHint.NONE),
  GAUGE(MetricKind.GAUGE, false, Temporality.UNSPECIFIED, TypeHint.NONE),
  HISTOGRAM(MetricKind.HISTOGRAM, false, Temporality.CUMULATIVE, TypeHint.NONE),
  SUMMARY(MetricKind.SUMMARY, false, Temporality.UNSPECIFIED, TypeHint.NONE),
  /** Of client_ruby's metrics, those that no schema names. */
  UNTYPED(MetricKind.GAUGE, false, Temporality.UNSPECIFIED, TypeHint.UNKNOWN);

  private final MetricKind kind;
  private final boolean monotonic;
  private final Temporality temporality;
  private final TypeHint hint;

  ForeignType(MetricKind kind, boolean monotonic, Temporality temporality, TypeHint hint) {
    this.kind = kind;
    this.monotonic = monotonic;
    this.temporality = temporality;
    this.hint = hint;
  }

  MetricDescriptor descriptor(String name, String help) {
    return new MetricDescriptor(name, help, "", kind, monotonic, temporality, hint);
  }

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The type that a word in a file's name or in a schema means; {@code null} for others. */
  static @Nullable ForeignType of(String word) {
    return switch (word) {
      case "counter" -> COUNTER;
      case "gauge" -> GAUGE;
      case "histogram" -> HISTOGRAM;
      case "summary" -> SUMMARY;
      default -> null;
    };
  }
}

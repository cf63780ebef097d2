package dev.millrace.format.otlp;

import dev.millrace.bytes.ByteArray;
import dev.millrace.bytes.Utf8;
import dev.millrace.model.Labels;
import dev.millrace.model.MetricDescriptor;
import dev.millrace.model.Resource;
import dev.millrace.model.Scope;
import dev.millrace.model.TypeHint;

/**
 * What stands before the points of a request, as bytes (opentelemetry-proto 1.11, {@code
 * resource.proto}, {@code common.proto}, {@code metrics.proto}). Stateless.
 *
 * <pre>
 *   ResourceMetrics       1: Resource { 1: attributes }
 *   ScopeMetrics          1: InstrumentationScope { 1: name  2: version  3: attributes }
 *   Metric                1: name  2: description  3: unit  ...  12: metadata
 * </pre>
 */
final class Metadata {
  private static final byte[] NONE = {};
  private static final int FIELD_1 = 1 << 3 | 2;
  private static final int FIELD_2 = 2 << 3 | 2;
  private static final int FIELD_3 = 3 << 3 | 2;
  private static final int METRIC_METADATA = 12 << 3 | 2;

  /** OpenTelemetry specification, Prometheus compatibility, "Metric Metadata". */
  private static final String PROMETHEUS_TYPE = "prometheus.type";

  private static final byte[] UNKNOWN = metadata("unknown");
  private static final byte[] INFO = metadata("info");
  private static final byte[] STATESET = metadata("stateset");

  private Metadata() {}

  /** Appends the field of {@code ResourceMetrics} that has the resource, empty or not. */
  static void appendResource(Resource resource, ByteArray out, ByteArray scratch) {
    scratch.clear();
    KeyValues.append(resource.attributes(), FIELD_1, scratch);
    appendField(FIELD_1, scratch, out);
  }

  /** Appends the field of {@code ScopeMetrics} that has the scope, empty or not. */
  static void appendScope(Scope scope, ByteArray out, ByteArray scratch) {
    scratch.clear();
    appendText(FIELD_1, scope.name(), scratch);
    appendText(FIELD_2, scope.version(), scratch);
    KeyValues.append(scope.attributes(), FIELD_3, scratch);
    appendField(FIELD_1, scratch, out);
  }

  /** Appends the fields of {@code Metric} that name and describe it. */
  static void appendMetric(MetricDescriptor metric, ByteArray out) {
    appendText(FIELD_1, metric.name(), out);
    appendText(FIELD_2, metric.description(), out);
    appendText(FIELD_3, metric.unit(), out);
  }

  /** The field of {@code Metric} that says what the metric was in Prometheus; may be empty. */
  static byte[] typeHint(TypeHint hint) {
    return switch (hint) {
      case NONE -> NONE;
      case UNKNOWN -> UNKNOWN;
      case INFO -> INFO;
      case STATESET -> STATESET;
    };
  }

  private static byte[] metadata(String type) {
    ByteArray field = new ByteArray();
    KeyValues.append(Labels.of(PROMETHEUS_TYPE, type), METRIC_METADATA, field);
    return field.toByteArray();
  }

  private static void appendText(int tag, String text, ByteArray out) {
    if (!text.isEmpty()) {
      out.append(tag);
      KeyValues.appendVarint(Utf8.lengthBytes(text), out);
      out.appendUtf8(text);
    }
  }

  private static void appendField(int tag, ByteArray content, ByteArray out) {
    out.append(tag);
    KeyValues.appendVarint(content.lengthBytes(), out);
    out.append(content.bytes(), 0, content.lengthBytes());
  }
}

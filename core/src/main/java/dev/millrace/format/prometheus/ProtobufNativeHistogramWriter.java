package dev.millrace.format.prometheus;

import dev.millrace.format.translation.ExponentialPoint;
import dev.millrace.format.translation.Family;
import dev.millrace.format.translation.Fault;
import dev.millrace.format.translation.HistogramRules;
import dev.millrace.format.translation.NativeRules;
import dev.millrace.model.MetricCursor;
import org.jspecify.annotations.Nullable;

/**
 * Writes exponential histograms as native histograms in protobuf (OpenTelemetry specification,
 * Prometheus compatibility, "Exponential Histograms"; Prometheus documentation, "Native
 * Histograms").
 *
 * <p>A server refuses a whole scrape for one point that breaks {@link NativeRules}; such points are
 * left out here.
 */
final class ProtobufNativeHistogramWriter extends ProtobufPointWriter {
  private final ExponentialPoint point = new ExponentialPoint();
  private final ProtobufSpans spans = new ProtobufSpans();
  private final ProtobufExemplars exemplars;

  ProtobufNativeHistogramWriter(ProtobufExemplars exemplars) {
    this.exemplars = exemplars;
  }

  @Override
  public byte[][] reservedNames() {
    return HistogramRules.reservedNames();
  }

  @Override
  public @Nullable Fault check(MetricCursor cursor, Family family, Family.Member member) {
    return NativeRules.check(cursor, point);
  }

  @Override
  void write(MetricCursor cursor, ProtobufBuffer out) {
    int schema = NativeRules.schema(cursor);
    int shift = NativeRules.shift(cursor);
    int histogram = out.begin(ProtobufSchema.METRIC_HISTOGRAM);
    out.writeVarint(ProtobufSchema.HISTOGRAM_COUNT, cursor.count());
    if (cursor.hasSum()) {
      out.writeDouble(ProtobufSchema.HISTOGRAM_SUM, cursor.sum());
    }
    out.writeZigZag(ProtobufSchema.HISTOGRAM_SCHEMA, schema);
    out.writeDouble(ProtobufSchema.HISTOGRAM_ZERO_THRESHOLD, NativeRules.zeroThreshold(cursor));
    out.writeVarint(ProtobufSchema.HISTOGRAM_ZERO_COUNT, cursor.zeroCount());
    spans.write(
        ProtobufSchema.HISTOGRAM_NEGATIVE_SPAN,
        ProtobufSchema.HISTOGRAM_NEGATIVE_DELTA,
        cursor,
        point.negative(),
        shift,
        out);
    spans.write(
        ProtobufSchema.HISTOGRAM_POSITIVE_SPAN,
        ProtobufSchema.HISTOGRAM_POSITIVE_DELTA,
        cursor,
        point.positive(),
        shift,
        out);
    writeCreated(ProtobufSchema.HISTOGRAM_CREATED, cursor, out);
    exemplars.writeTimed(ProtobufSchema.HISTOGRAM_EXEMPLAR, cursor, out);
    out.end(histogram);
  }
}

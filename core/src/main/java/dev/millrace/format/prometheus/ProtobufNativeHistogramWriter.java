package dev.millrace.format.prometheus;

import dev.millrace.model.MetricCursor;
import org.jspecify.annotations.Nullable;

/**
 * Writes exponential histograms as native histograms in protobuf (OpenTelemetry specification,
 * Prometheus compatibility, "Exponential Histograms"; Prometheus documentation, "Native
 * Histograms").
 *
 * <p>Scales above the highest schema are lowered to it, which merges buckets. A server refuses a
 * whole scrape for one point whose count is not that of all its buckets, unless the sum says that
 * NaN was observed; such points are left out here.
 */
final class ProtobufNativeHistogramWriter extends ProtobufPointWriter {
  /** The lowest and the highest schema that Prometheus has. */
  static final int MIN_SCHEMA = -4;

  static final int MAX_SCHEMA = 8;

  /**
   * The width of a zero bucket that does not say how wide it is. As it is more than 0, no point
   * without observations passes for a histogram with explicit bounds.
   */
  static final double DEFAULT_ZERO_THRESHOLD = 1e-128;

  private final ExponentialPoint point = new ExponentialPoint();
  private final ProtobufSpans spans = new ProtobufSpans();
  private final ProtobufExemplars exemplars;

  ProtobufNativeHistogramWriter(ProtobufExemplars exemplars) {
    this.exemplars = exemplars;
  }

  @Override
  public byte[][] reservedNames() {
    return HistogramRules.RESERVED;
  }

  @Override
  public @Nullable Fault check(MetricCursor cursor, Family family, Family.Member member) {
    if (cursor.scale() < MIN_SCHEMA) {
      return Fault.EXPONENTIAL_SCALE;
    }
    Fault fault = point.read(cursor);
    if (fault != null) {
      return fault;
    }
    // Differences of buckets are signed, so that one side's buckets can have 63 bits.
    boolean fits = point.negative().total() >= 0 && point.positive().total() >= 0;
    fits &= point.total() == cursor.count() || (cursor.hasSum() && Double.isNaN(cursor.sum()));
    return fits ? null : Fault.HISTOGRAM;
  }

  @Override
  void write(MetricCursor cursor, ProtobufBuffer out) {
    int schema = Math.min(cursor.scale(), MAX_SCHEMA);
    // By 63 every index has become 0 or -1 already.
    int shift = Math.min(cursor.scale() - schema, Long.SIZE - 1);
    double threshold = cursor.zeroThreshold();
    int histogram = out.begin(ProtobufSchema.METRIC_HISTOGRAM);
    out.writeVarint(ProtobufSchema.HISTOGRAM_COUNT, cursor.count());
    if (cursor.hasSum()) {
      out.writeDouble(ProtobufSchema.HISTOGRAM_SUM, cursor.sum());
    }
    out.writeZigZag(ProtobufSchema.HISTOGRAM_SCHEMA, schema);
    out.writeDouble(
        ProtobufSchema.HISTOGRAM_ZERO_THRESHOLD,
        threshold > 0 ? threshold : DEFAULT_ZERO_THRESHOLD);
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

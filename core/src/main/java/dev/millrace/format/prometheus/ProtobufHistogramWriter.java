package dev.millrace.format.prometheus;

import dev.millrace.format.translation.BoundLabels;
import dev.millrace.format.translation.Family;
import dev.millrace.format.translation.Fault;
import dev.millrace.format.translation.HistogramRules;
import dev.millrace.model.MetricCursor;
import org.jspecify.annotations.Nullable;

/**
 * Writes histograms with explicit bounds in protobuf. The last bucket, whose bound is {@code +Inf},
 * is the point's count; it stands there only where it has an exemplar, as the schema allows.
 */
final class ProtobufHistogramWriter extends ProtobufPointWriter {
  private final HistogramRules rules = new HistogramRules();
  private final ProtobufExemplars exemplars;

  ProtobufHistogramWriter(ProtobufExemplars exemplars) {
    this.exemplars = exemplars;
  }

  @Override
  public byte[][] reservedNames() {
    return HistogramRules.reservedNames();
  }

  @Override
  public @Nullable Fault check(MetricCursor cursor, Family family, Family.Member member) {
    return rules.check(cursor, member);
  }

  @Override
  void write(MetricCursor cursor, ProtobufBuffer out) {
    int histogram = out.begin(ProtobufSchema.METRIC_HISTOGRAM);
    out.writeVarint(ProtobufSchema.HISTOGRAM_COUNT, cursor.count());
    if (cursor.hasSum()) {
      out.writeDouble(ProtobufSchema.HISTOGRAM_SUM, cursor.sum());
    }
    BoundLabels bounds = rules.bounds();
    int finiteBuckets = cursor.bucketCount() == 0 ? 0 : bounds.finiteBuckets();
    exemplars.chooseForBuckets(cursor, bounds.bounds(), finiteBuckets);
    long cumulative = 0;
    for (int i = 0; i < finiteBuckets; i++) {
      cumulative += cursor.bucket(i);
      writeBucket(cursor, i, bounds.bounds()[i], cumulative, out);
    }
    if (exemplars.hasOfBucket(finiteBuckets)) {
      writeBucket(cursor, finiteBuckets, Double.POSITIVE_INFINITY, cursor.count(), out);
    }
    writeCreated(ProtobufSchema.HISTOGRAM_CREATED, cursor, out);
    out.end(histogram);
  }

  private void writeBucket(
      MetricCursor cursor, int index, double bound, long cumulative, ProtobufBuffer out) {
    int bucket = out.begin(ProtobufSchema.HISTOGRAM_BUCKET);
    out.writeVarint(ProtobufSchema.BUCKET_CUMULATIVE_COUNT, cumulative);
    out.writeDouble(ProtobufSchema.BUCKET_UPPER_BOUND, bound);
    exemplars.writeOfBucket(ProtobufSchema.BUCKET_EXEMPLAR, index, cursor, out);
    out.end(bucket);
  }
}

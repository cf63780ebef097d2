package dev.millrace.format.prometheus;

import dev.millrace.bytes.ChunkWriter;
import dev.millrace.format.translation.BoundLabels;
import dev.millrace.format.translation.Family;
import dev.millrace.format.translation.Fault;
import dev.millrace.format.translation.HistogramRules;
import dev.millrace.model.MetricCursor;
import org.jspecify.annotations.Nullable;

/** Writes histograms with explicit bounds. */
final class HistogramWriter extends BucketWriter {
  private final HistogramRules rules = new HistogramRules();

  /** A writer; the parameters are those of {@link BucketWriter}. */
  HistogramWriter(boolean strict, boolean createdTimestamps, @Nullable ExemplarWriter exemplars) {
    super(strict, createdTimestamps, exemplars);
  }

  @Override
  public @Nullable Fault check(MetricCursor cursor, Family family, Family.Member member) {
    return rules.check(cursor, member);
  }

  @Override
  void write(
      MetricCursor cursor, Family family, byte[] block, int blockLengthBytes, ChunkWriter out) {
    BoundLabels bounds = rules.bounds();
    int finiteBuckets = cursor.bucketCount() == 0 ? 0 : bounds.finiteBuckets();
    beginBuckets(cursor, bounds.bounds(), finiteBuckets, family, block, blockLengthBytes);
    long cumulative = 0;
    for (int i = 0; i < finiteBuckets; i++) {
      cumulative += cursor.bucket(i);
      writeBucket(cursor, i, bounds.label(i), cumulative, out);
    }
    writeBucket(cursor, finiteBuckets, bounds.last(), cursor.count(), out);
    writeSumAndCount(cursor, bounds.hasNegative(), family, block, blockLengthBytes, out);
  }
}

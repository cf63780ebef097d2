package dev.millrace.format.prometheus;

import dev.millrace.bytes.ChunkWriter;
import dev.millrace.format.translation.BoundTexts;
import dev.millrace.format.translation.ExplicitBuckets;
import dev.millrace.format.translation.ExponentialPoint;
import dev.millrace.format.translation.Family;
import dev.millrace.format.translation.Fault;
import dev.millrace.model.MetricCursor;
import org.jspecify.annotations.Nullable;

/** Writes exponential histograms as the text formats can have them, with explicit bounds. */
final class ExponentialHistogramWriter extends BucketWriter {
  private final boolean allBuckets;
  private final ExponentialPoint point = new ExponentialPoint();
  private final ExplicitBuckets buckets = new ExplicitBuckets();
  private final BoundTexts boundTexts = new BoundTexts();

  /**
   * A writer; the other parameters are those of {@link BucketWriter}.
   *
   * @param allBuckets whether there are more buckets than the last one
   */
  ExponentialHistogramWriter(
      boolean strict,
      boolean createdTimestamps,
      boolean allBuckets,
      @Nullable ExemplarWriter exemplars) {
    super(strict, createdTimestamps, exemplars);
    this.allBuckets = allBuckets;
  }

  @Override
  public @Nullable Fault check(MetricCursor cursor, Family family, Family.Member member) {
    return point.read(cursor);
  }

  @Override
  void write(
      MetricCursor cursor, Family family, byte[] block, int blockLengthBytes, ChunkWriter out) {
    buckets.clear();
    if (allBuckets) {
      buckets.set(cursor, point);
    }
    beginBuckets(cursor, buckets.bounds(), buckets.size(), family, block, blockLengthBytes);
    for (int i = 0; i < buckets.size(); i++) {
      byte[] label = boundTexts.label(buckets.bounds()[i]);
      writeBucket(cursor, i, label, buckets.cumulative(i), out);
    }
    writeBucket(cursor, buckets.size(), boundTexts.infinite(), cursor.count(), out);
    boolean negativeBuckets = !point.negative().isEmpty();
    writeSumAndCount(cursor, negativeBuckets, family, block, blockLengthBytes, out);
  }
}

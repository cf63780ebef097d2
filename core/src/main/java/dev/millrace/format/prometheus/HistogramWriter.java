package dev.millrace.format.prometheus;

import dev.millrace.bytes.ByteArray;
import dev.millrace.bytes.ChunkWriter;
import dev.millrace.model.MetricCursor;
import org.jspecify.annotations.Nullable;

/**
 * Writes histograms with explicit bounds: cumulative buckets, the sum and the count.
 *
 * <p>The last bucket and the count are the point's count. A point that counts less than its buckets
 * hold is inconsistent; one that counts more has observations that no bucket took, such as NaN, and
 * they show in the last bucket, as they do in Prometheus' own histograms.
 */
final class HistogramWriter extends PointWriter {
  private static final byte[][] RESERVED = {{'l', 'e'}};

  private final boolean strict;
  private final @Nullable ExemplarWriter exemplars;
  private final BoundLabelCache boundLabels = new BoundLabelCache();
  private final ByteArray bucketSeries = new ByteArray();
  private BoundLabels bounds = new BoundLabels(new double[0]);

  /**
   * A writer.
   *
   * @param strict whether the sum, and with it the count, is left out where OpenMetrics does not
   *     allow one
   * @param exemplars writes those of buckets, or {@code null} where the format has none
   */
  HistogramWriter(boolean strict, boolean createdTimestamps, @Nullable ExemplarWriter exemplars) {
    super(createdTimestamps);
    this.strict = strict;
    this.exemplars = exemplars;
  }

  @Override
  byte[][] reservedNames() {
    return RESERVED;
  }

  @Override
  @Nullable Fault check(MetricCursor cursor, Family family, Family.Member member) {
    bounds = boundLabels.of(cursor.explicitBounds(), member);
    int buckets = cursor.bucketCount();
    boolean fits = buckets == 0 ? bounds.size() == 0 : buckets == bounds.size() + 1;
    if (!fits || !bounds.isRising()) {
      return Fault.HISTOGRAM;
    }
    long total = 0;
    for (int i = 0; i < buckets; i++) {
      long sum = total + cursor.bucket(i);
      if (Long.compareUnsigned(sum, total) < 0) {
        return Fault.HISTOGRAM;
      }
      total = sum;
    }
    return Long.compareUnsigned(total, cursor.count()) > 0 ? Fault.HISTOGRAM : null;
  }

  @Override
  void write(
      MetricCursor cursor, Family family, byte[] block, int blockLengthBytes, ChunkWriter out) {
    openBucketSeries(family, block, blockLengthBytes);
    long cumulative = 0;
    int finiteBuckets = cursor.bucketCount() == 0 ? 0 : bounds.finiteBuckets();
    if (exemplars != null) {
      exemplars.chooseForBuckets(cursor, bounds, finiteBuckets);
    }
    for (int i = 0; i < finiteBuckets; i++) {
      cumulative += cursor.bucket(i);
      writeBucket(cursor, i, bounds.label(i), cumulative, out);
    }
    writeBucket(cursor, finiteBuckets, bounds.last(), cursor.count(), out);
    boolean hasSum = cursor.hasSum() && (!strict || mayHaveSum(cursor));
    if (hasSum) {
      SampleWriter.writeSeries(out, family.sumName, block, blockLengthBytes);
      SampleWriter.writeDouble(out, cursor.sum());
    }
    // OpenMetrics 1.0.0, "Histogram": the count stands there if and only if the sum does.
    if (hasSum || !strict) {
      SampleWriter.writeSeries(out, family.countName, block, blockLengthBytes);
      SampleWriter.writeCount(out, cursor.count());
    }
    writeCreated(cursor, family, block, blockLengthBytes, out);
  }

  /** In OpenMetrics a sum is a counter: it is there only if no observation can lower it. */
  private boolean mayHaveSum(MetricCursor cursor) {
    boolean negative = bounds.hasNegative() || (cursor.hasMinMax() && cursor.min() < 0);
    return !negative && cursor.sum() >= 0;
  }

  /** Makes the part that all bucket lines of a point begin with. */
  private void openBucketSeries(Family family, byte[] block, int blockLengthBytes) {
    bucketSeries.clear();
    family.bucketName.appendOpen(bucketSeries, block, blockLengthBytes);
  }

  private void writeBucket(
      MetricCursor cursor, int bucket, byte[] label, long cumulative, ChunkWriter out) {
    out.write(bucketSeries.bytes(), 0, bucketSeries.lengthBytes());
    out.write(label);
    ExemplarWriter exemplarWriter = exemplars;
    int exemplar = exemplarWriter == null ? BucketExemplars.NONE : exemplarWriter.ofBucket(bucket);
    if (exemplarWriter != null && exemplar != BucketExemplars.NONE) {
      SampleWriter.appendCount(out, cumulative);
      exemplarWriter.write(cursor, exemplar, out);
    } else {
      SampleWriter.writeCount(out, cumulative);
    }
  }
}

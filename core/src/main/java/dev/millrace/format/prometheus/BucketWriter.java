package dev.millrace.format.prometheus;

import dev.millrace.bytes.ByteArray;
import dev.millrace.bytes.ChunkWriter;
import dev.millrace.format.translation.BoundLabels;
import dev.millrace.format.translation.BucketExemplars;
import dev.millrace.format.translation.Family;
import dev.millrace.format.translation.HistogramRules;
import dev.millrace.model.MetricCursor;
import org.jspecify.annotations.Nullable;

/**
 * Writes histograms: cumulative buckets, the sum and the count. The last bucket and the count are
 * the point's count.
 */
abstract class BucketWriter extends PointWriter {
  private final boolean strict;
  private final @Nullable ExemplarWriter exemplars;
  private final ByteArray bucketSeries = new ByteArray();

  /**
   * A writer.
   *
   * @param strict whether the sum, and with it the count, is left out where OpenMetrics does not
   *     allow one
   * @param exemplars writes those of buckets, or {@code null} where the format has none
   */
  BucketWriter(boolean strict, boolean createdTimestamps, @Nullable ExemplarWriter exemplars) {
    super(createdTimestamps);
    this.strict = strict;
    this.exemplars = exemplars;
  }

  @Override
  public final byte[][] reservedNames() {
    return HistogramRules.reservedNames();
  }

  /**
   * Prepares to write the buckets of a point.
   *
   * @param bounds of all buckets but the last, rising
   * @param boundCount how many of these there are
   */
  final void beginBuckets(
      MetricCursor cursor,
      double[] bounds,
      int boundCount,
      Family family,
      byte[] block,
      int blockLengthBytes) {
    bucketSeries.clear();
    family.bucketName.appendOpen(bucketSeries, block, blockLengthBytes);
    if (exemplars != null) {
      exemplars.chooseForBuckets(cursor, bounds, boundCount);
    }
  }

  /**
   * Writes a bucket.
   *
   * @param label the rest of its labels, as {@link BoundLabels} has it
   * @param cumulative how many values lie in it and in those before it, unsigned
   */
  final void writeBucket(
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

  /**
   * Writes what follows the buckets.
   *
   * @param negativeBuckets whether there are buckets for negative values
   */
  final void writeSumAndCount(
      MetricCursor cursor,
      boolean negativeBuckets,
      Family family,
      byte[] block,
      int blockLengthBytes,
      ChunkWriter out) {
    boolean hasSum = cursor.hasSum() && (!strict || mayHaveSum(cursor, negativeBuckets));
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
  private static boolean mayHaveSum(MetricCursor cursor, boolean negativeBuckets) {
    boolean negative = negativeBuckets || (cursor.hasMinMax() && cursor.min() < 0);
    return !negative && cursor.sum() >= 0;
  }
}

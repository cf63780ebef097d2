package dev.millrace.format.remotewrite;

import dev.millrace.format.translation.ExplicitBuckets;
import dev.millrace.format.translation.ExponentialPoint;
import dev.millrace.format.translation.Family;
import dev.millrace.format.translation.Fault;
import dev.millrace.model.MetricCursor;
import org.jspecify.annotations.Nullable;

/** Writes exponential histograms as classic series, for receivers without native histograms. */
final class ExponentialBucketsWriter extends BucketsWriter {
  private final boolean allBuckets;
  private final ExponentialPoint point = new ExponentialPoint();
  private final ExplicitBuckets buckets = new ExplicitBuckets();

  /**
   * A writer.
   *
   * @param allBuckets whether there are more buckets than the last one
   */
  ExponentialBucketsWriter(Shards out, RequestExemplars exemplars, boolean allBuckets) {
    super(out, exemplars);
    this.allBuckets = allBuckets;
  }

  @Override
  @Nullable Fault check(MetricCursor cursor, Family.Member member) {
    return point.read(cursor);
  }

  @Override
  void write(MetricCursor cursor, LiveSeries series, long unixMillis, long startUnixMillis) {
    buckets.clear();
    if (allBuckets) {
      buckets.set(cursor, point);
    }
    writeBuckets(
        cursor, series, buckets.bounds(), buckets.size(), false, unixMillis, startUnixMillis);
  }

  @Override
  long cumulative(int bucket) {
    return buckets.cumulative(bucket);
  }
}

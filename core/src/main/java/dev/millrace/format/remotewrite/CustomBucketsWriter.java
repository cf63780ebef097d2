package dev.millrace.format.remotewrite;

import dev.millrace.format.translation.BoundLabels;
import dev.millrace.format.translation.Family;
import dev.millrace.format.translation.Fault;
import dev.millrace.format.translation.HistogramRules;
import dev.millrace.model.MetricCursor;
import org.jspecify.annotations.Nullable;

/** Writes histograms with explicit bounds as native ones with custom buckets. */
final class CustomBucketsWriter extends NativeWriter {
  private final HistogramRules rules = new HistogramRules();

  CustomBucketsWriter(Shards out, RequestExemplars exemplars) {
    super(out, exemplars);
  }

  @Override
  @Nullable Fault check(MetricCursor cursor, Family.Member member) {
    Fault fault = rules.check(cursor, member);
    // Differences of buckets are signed, so that a bucket can have 63 bits.
    return fault == null && cursor.count() < 0 ? Fault.HISTOGRAM : fault;
  }

  @Override
  void write(MetricCursor cursor, LiveSeries series, long unixMillis, long startUnixMillis) {
    BoundLabels bounds = rules.bounds();
    int finite = cursor.bucketCount() == 0 ? 0 : bounds.finiteBuckets();
    histogram.setCustom(cursor, bounds.bounds(), finite, unixMillis, startUnixMillis);
    writeHistogram(cursor, series);
  }
}

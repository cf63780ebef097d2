package dev.millrace.format.remotewrite;

import dev.millrace.format.translation.BoundLabels;
import dev.millrace.format.translation.Family;
import dev.millrace.format.translation.Fault;
import dev.millrace.format.translation.HistogramRules;
import dev.millrace.model.MetricCursor;
import org.jspecify.annotations.Nullable;

/** Writes histograms with explicit bounds as classic series. */
final class HistogramWriter extends BucketsWriter {
  private final HistogramRules rules = new HistogramRules();
  private long[] cumulative = new long[16];

  HistogramWriter(Shards out, RequestExemplars exemplars) {
    super(out, exemplars);
  }

  @Override
  @Nullable Fault check(MetricCursor cursor, Family.Member member) {
    return rules.check(cursor, member);
  }

  @Override
  void write(MetricCursor cursor, LiveSeries series, long unixMillis, long startUnixMillis) {
    BoundLabels bounds = rules.bounds();
    int finite = cursor.bucketCount() == 0 ? 0 : bounds.finiteBuckets();
    if (finite > cumulative.length) {
      cumulative = new long[Math.max(finite, 2 * cumulative.length)];
    }
    long total = 0;
    for (int i = 0; i < finite; i++) {
      total += cursor.bucket(i);
      cumulative[i] = total;
    }
    writeBuckets(cursor, series, bounds.bounds(), finite, true, unixMillis, startUnixMillis);
  }

  @Override
  long cumulative(int bucket) {
    return cumulative[bucket];
  }
}

package dev.millrace.format.remotewrite;

import dev.millrace.format.translation.ExponentialPoint;
import dev.millrace.format.translation.Family;
import dev.millrace.format.translation.Fault;
import dev.millrace.format.translation.NativeRules;
import dev.millrace.model.MetricCursor;
import org.jspecify.annotations.Nullable;

/** Writes exponential histograms as native ones. */
final class ExponentialWriter extends NativeWriter {
  private final ExponentialPoint point = new ExponentialPoint();

  ExponentialWriter(Shards out, RequestExemplars exemplars) {
    super(out, exemplars);
  }

  @Override
  @Nullable Fault check(MetricCursor cursor, Family.Member member) {
    return NativeRules.check(cursor, point);
  }

  @Override
  void write(MetricCursor cursor, LiveSeries series, long unixMillis, long startUnixMillis) {
    histogram.setExponential(
        cursor,
        point.negative(),
        point.positive(),
        NativeRules.schema(cursor),
        NativeRules.shift(cursor),
        NativeRules.zeroThreshold(cursor),
        unixMillis,
        startUnixMillis);
    writeHistogram(cursor, series);
  }
}

package dev.millrace.format.remotewrite;

import dev.millrace.format.translation.Family;
import dev.millrace.format.translation.Fault;
import dev.millrace.model.MetricCursor;
import org.jspecify.annotations.Nullable;

/** Writes {@code target_info}, whose samples are always 1. */
final class TargetWriter extends PointWriter {
  private static final long ONE_BITS = Double.doubleToRawLongBits(1);

  TargetWriter(Shards out) {
    super(out);
  }

  @Override
  @Nullable Fault check(MetricCursor cursor, Family.Member member) {
    return null;
  }

  @Override
  void write(MetricCursor cursor, LiveSeries series, long unixMillis, long startUnixMillis) {
    out.at(series, SampleNames.VALUE, null, OpenRequest.MAX_SAMPLE_BYTES)
        .sample(ONE_BITS, unixMillis, 0);
  }

  @Override
  void writeStale(LiveSeries series, long unixMillis) {
    stale(series, SampleNames.VALUE, null, unixMillis);
  }
}

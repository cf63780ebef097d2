package dev.millrace.format.remotewrite;

import dev.millrace.format.translation.Family;
import dev.millrace.format.translation.Fault;
import dev.millrace.format.translation.Faults;
import dev.millrace.format.translation.Quantiles;
import dev.millrace.model.MetricCursor;
import org.jspecify.annotations.Nullable;

/** Writes summaries: a series for each quantile, and one each for the sum and the count. */
final class SummaryWriter extends PointWriter {
  private static final byte[][] RESERVED = {ExtraLabel.QUANTILE};

  private final Faults faults;
  private final Quantiles quantiles = new Quantiles(false);
  private double[] allowed = new double[16];
  private double[] values = new double[16];

  SummaryWriter(Shards out, Faults faults) {
    super(out);
    this.faults = faults;
  }

  @Override
  byte[][] reservedNames() {
    return RESERVED;
  }

  @Override
  byte[] extraName() {
    return ExtraLabel.QUANTILE;
  }

  @Override
  @Nullable Fault check(MetricCursor cursor, Family.Member member) {
    return null;
  }

  @Override
  void write(MetricCursor cursor, LiveSeries series, long unixMillis, long startUnixMillis) {
    int count = choose(cursor);
    SeriesExtras.replace(this, series, allowed, count, false, SampleNames.VALUE, unixMillis);
    ExtraLabels extras = out.extras();
    for (int i = 0; i < count; i++) {
      out.at(series, SampleNames.VALUE, extras.of(allowed[i]), OpenRequest.MAX_SAMPLE_BYTES)
          .sample(WriteSchema.bits(values[i]), unixMillis, startUnixMillis);
    }
    out.at(series, SampleNames.SUM, null, OpenRequest.MAX_SAMPLE_BYTES)
        .sample(WriteSchema.bits(cursor.sum()), unixMillis, startUnixMillis);
    out.at(series, SampleNames.COUNT, null, OpenRequest.MAX_SAMPLE_BYTES)
        .sample(BucketsWriter.bits(cursor.count()), unixMillis, startUnixMillis);
  }

  private int choose(MetricCursor cursor) {
    if (cursor.quantileCount() > allowed.length) {
      allowed = new double[2 * cursor.quantileCount()];
      values = new double[allowed.length];
    }
    int count = 0;
    quantiles.begin(cursor);
    while (quantiles.hasNext()) {
      int index = quantiles.next(cursor);
      if (index == Quantiles.NOT_ALLOWED) {
        faults.count(Fault.QUANTILE, 1);
      } else {
        allowed[count] = cursor.quantile(index);
        values[count++] = cursor.quantileValue(index);
      }
    }
    return count;
  }

  @Override
  void writeStale(LiveSeries series, long unixMillis) {
    ExtraLabels extras = out.extras();
    for (int i = 0; i < series.extraCount; i++) {
      stale(series, SampleNames.VALUE, extras.of(series.extras[i]), unixMillis);
    }
    stale(series, SampleNames.SUM, null, unixMillis);
    stale(series, SampleNames.COUNT, null, unixMillis);
  }
}

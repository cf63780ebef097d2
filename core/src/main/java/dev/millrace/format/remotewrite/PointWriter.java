package dev.millrace.format.remotewrite;

import dev.millrace.format.translation.Family;
import dev.millrace.format.translation.Fault;
import dev.millrace.model.MetricCursor;
import org.jspecify.annotations.Nullable;

/** Writes the series of one kind of point. Not thread-safe; belongs to one encoder. */
abstract class PointWriter {
  private static final byte[][] NO_NAMES = {};

  final Shards out;

  PointWriter(Shards out) {
    this.out = out;
  }

  /** Names of labels that the series of a point get; attributes of that name are left out. */
  byte[][] reservedNames() {
    return NO_NAMES;
  }

  /** The name of the label that tells the series of a point apart, where it has several. */
  byte[] extraName() {
    return ExtraLabel.LE;
  }

  /**
   * Tells kinds of series apart that may have the same labels: 1 for native histograms, 0 for all
   * others.
   */
  int kind() {
    return 0;
  }

  /**
   * Looks at the point on which the cursor stands, and prepares to write it.
   *
   * @return what keeps it from being written, or {@code null}
   */
  abstract @Nullable Fault check(MetricCursor cursor, Family.Member member);

  /**
   * Writes the point that was just checked.
   *
   * @param startUnixMillis when it began, or 0 where that is not known
   */
  abstract void write(
      MetricCursor cursor, LiveSeries series, long unixMillis, long startUnixMillis);

  /** Writes stale markers for all that was written of a series. */
  abstract void writeStale(LiveSeries series, long unixMillis);

  /** Writes a stale marker. */
  final void stale(LiveSeries series, int part, @Nullable ExtraLabel extra, long unixMillis) {
    out.at(series, part, extra, OpenRequest.MAX_SAMPLE_BYTES)
        .sample(WriteSchema.STALE_NAN_BITS, unixMillis, 0);
  }
}

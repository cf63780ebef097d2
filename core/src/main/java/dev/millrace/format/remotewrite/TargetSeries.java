package dev.millrace.format.remotewrite;

import dev.millrace.model.Labels;
import dev.millrace.model.Series;

/** A series of the family {@code target_info}, whose labels come from a resource. */
final class TargetSeries extends Series {
  /**
   * How often a source is told of that is read in parts, many times a second: well below the 5
   * minutes after which Prometheus takes a series for gone.
   */
  private static final long PARTS_INTERVAL_MILLIS = 60_000;

  private static final long NEVER = -1;

  /** Its labels, as {@link dev.millrace.format.translation.LabelEncoder} makes them. */
  final byte[] block;

  private long lastUnixMillis = NEVER;

  TargetSeries(byte[] block) {
    super(Labels.EMPTY);
    this.block = block;
  }

  /** Whether a collection at a time is to have it; if so, that is its last time. */
  boolean isDue(long nowUnixMillis, boolean complete) {
    if (!complete
        && lastUnixMillis != NEVER
        && Math.abs(nowUnixMillis - lastUnixMillis) < PARTS_INTERVAL_MILLIS) {
      return false;
    }
    lastUnixMillis = nowUnixMillis;
    return true;
  }
}

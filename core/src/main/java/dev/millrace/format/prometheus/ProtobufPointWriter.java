package dev.millrace.format.prometheus;

import dev.millrace.model.MetricCursor;

/**
 * Writes one point's value as a field of a protobuf {@code Metric}; its labels are written
 * elsewhere. Not thread-safe; belongs to one encoder.
 *
 * <p>The start time is always written where it is known and the schema has a place for it, as
 * Prometheus' own client does: it is a part of the sample, and no series of its own.
 */
abstract class ProtobufPointWriter implements PointRules {
  private static final byte[][] NO_NAMES = {};
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  @Override
  public byte[][] reservedNames() {
    return NO_NAMES;
  }

  /** Writes the point that was just checked. */
  abstract void write(MetricCursor cursor, ProtobufBuffer out);

  /** Writes the start time, if it is known. */
  static void writeCreated(int tag, MetricCursor cursor, ProtobufBuffer out) {
    if (cursor.startTimeUnixNanos() > 0) {
      writeTimestamp(tag, cursor.startTimeUnixNanos(), out);
    }
  }

  /** Writes a {@code google.protobuf.Timestamp}, which is proto3: zeros are left out. */
  static void writeTimestamp(int tag, long unixNanos, ProtobufBuffer out) {
    int timestamp = out.begin(tag);
    long seconds = Math.floorDiv(unixNanos, NANOS_PER_SECOND);
    long nanos = unixNanos - seconds * NANOS_PER_SECOND;
    if (seconds != 0) {
      out.writeVarint(ProtobufSchema.TIMESTAMP_SECONDS, seconds);
    }
    if (nanos != 0) {
      out.writeVarint(ProtobufSchema.TIMESTAMP_NANOS, nanos);
    }
    out.end(timestamp);
  }
}

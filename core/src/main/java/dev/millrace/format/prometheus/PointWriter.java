package dev.millrace.format.prometheus;

import dev.millrace.bytes.ChunkWriter;
import dev.millrace.format.translation.Family;
import dev.millrace.model.MetricCursor;

/** Writes the samples of one point of a family. Not thread-safe; belongs to one encoder. */
abstract class PointWriter implements PointRules {
  private static final byte[][] NO_NAMES = {};

  private final boolean createdTimestamps;

  /**
   * A writer.
   *
   * @param createdTimestamps whether a sample with the start time follows where that is known
   */
  PointWriter(boolean createdTimestamps) {
    this.createdTimestamps = createdTimestamps;
  }

  @Override
  public byte[][] reservedNames() {
    return NO_NAMES;
  }

  /**
   * Writes the point that was just checked.
   *
   * @param block the point's labels, which end in a space
   * @param blockLengthBytes how many bytes of {@code block} are filled
   */
  abstract void write(
      MetricCursor cursor, Family family, byte[] block, int blockLengthBytes, ChunkWriter out);

  final void writeCreated(
      MetricCursor cursor, Family family, byte[] block, int blockLengthBytes, ChunkWriter out) {
    if (createdTimestamps && cursor.startTimeUnixNanos() > 0) {
      SampleWriter.writeSeries(out, family.createdName, block, blockLengthBytes);
      SampleWriter.writeTime(out, cursor.startTimeUnixNanos());
    }
  }
}

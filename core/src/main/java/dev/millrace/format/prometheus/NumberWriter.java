package dev.millrace.format.prometheus;

import dev.millrace.bytes.ChunkWriter;
import dev.millrace.format.translation.BucketExemplars;
import dev.millrace.format.translation.Family;
import dev.millrace.format.translation.FamilyType;
import dev.millrace.format.translation.Fault;
import dev.millrace.model.MetricCursor;
import org.jspecify.annotations.Nullable;

/** Writes points with one value: counters, gauges, unknowns, infos and the states of state sets. */
final class NumberWriter extends PointWriter {
  private final FamilyType type;
  private final boolean strict;
  private final @Nullable ExemplarWriter exemplars;

  /**
   * A writer.
   *
   * @param strict whether values must be what OpenMetrics allows for the type
   * @param exemplars writes those of counters, or {@code null} where the format has none
   */
  NumberWriter(
      FamilyType type,
      boolean strict,
      boolean createdTimestamps,
      @Nullable ExemplarWriter exemplars) {
    super(createdTimestamps && type == FamilyType.COUNTER);
    this.type = type;
    this.strict = strict;
    this.exemplars = type == FamilyType.COUNTER ? exemplars : null;
  }

  @Override
  public @Nullable Fault check(MetricCursor cursor, Family family, Family.Member member) {
    if (!strict) {
      return null;
    }
    return switch (type) {
      case COUNTER -> isCount(cursor) ? null : Fault.VALUE;
      case INFO -> isOne(cursor) ? null : Fault.VALUE;
      case GAUGE, UNKNOWN, STATESET, HISTOGRAM, EXPONENTIAL_HISTOGRAM, SUMMARY -> null;
    };
  }

  /** A counter is never NaN and never below zero (OpenMetrics 1.0.0, "Counter"). */
  private static boolean isCount(MetricCursor cursor) {
    return cursor.isLong() ? cursor.longValue() >= 0 : cursor.doubleValue() >= 0;
  }

  private static boolean isOne(MetricCursor cursor) {
    return cursor.isLong() ? cursor.longValue() == 1 : cursor.doubleValue() == 1;
  }

  @Override
  void write(
      MetricCursor cursor, Family family, byte[] block, int blockLengthBytes, ChunkWriter out) {
    SampleWriter.writeSeries(out, family.valueName, block, blockLengthBytes);
    ExemplarWriter exemplarWriter = exemplars;
    int exemplar = exemplarWriter == null ? BucketExemplars.NONE : BucketExemplars.newest(cursor);
    if (exemplarWriter != null && exemplar != BucketExemplars.NONE) {
      if (cursor.isLong()) {
        out.writeLong(cursor.longValue());
      } else {
        out.writeDouble(cursor.doubleValue());
      }
      exemplarWriter.write(cursor, exemplar, out);
    } else if (cursor.isLong()) {
      SampleWriter.writeLong(out, cursor.longValue());
    } else {
      SampleWriter.writeDouble(out, cursor.doubleValue());
    }
    writeCreated(cursor, family, block, blockLengthBytes, out);
  }
}

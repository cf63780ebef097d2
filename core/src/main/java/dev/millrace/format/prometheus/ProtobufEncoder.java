package dev.millrace.format.prometheus;

import dev.millrace.bytes.ChunkWriter;
import dev.millrace.bytes.Varint;
import dev.millrace.format.MetricEncoder;
import dev.millrace.format.translation.Family;
import dev.millrace.format.translation.FamilyType;
import dev.millrace.format.translation.Fault;
import dev.millrace.format.translation.Faults;
import dev.millrace.format.translation.LabelNames;
import dev.millrace.format.translation.Plan;
import dev.millrace.format.translation.Plans;
import dev.millrace.model.MetricCursor;
import dev.millrace.model.Problems;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/**
 * Writes delimited protobuf: one {@code MetricFamily} after another, each with its length before
 * it.
 *
 * <p>That length has to be known before the family's first byte goes out. A family of up to {@link
 * #MAX_BUFFERED_BYTES} is put together in memory, in one walk over its points. Of a larger one the
 * first walk only counts, and a second one writes, so that memory is bounded however many points
 * there are. A source whose points may change between two walks ({@link MetricCursor#isStable})
 * cannot be counted first: from it, a large family is written as several of one name.
 */
final class ProtobufEncoder implements MetricEncoder {
  /**
   * The most that is put together in memory for one family: with a thousand histograms of 15
   * bounds, or with four thousand counters, a family is smaller.
   */
  static final int MAX_BUFFERED_BYTES = 512 * 1024;

  /** More than that no reader of protobuf takes as one message. */
  private static final long MAX_FAMILY_BYTES = Integer.MAX_VALUE;

  private final String contentType;
  private final Plans plans;
  private final Faults faults;
  private final FamilyPoints points;
  private final Map<FamilyType, ProtobufPointWriter> writers = new EnumMap<>(FamilyType.class);

  /** The value of one point. */
  private final ProtobufBuffer value = new ProtobufBuffer();

  /** The points of one family. */
  private final ProtobufBuffer buffer = new ProtobufBuffer();

  /** The most that the buffer held since the last exposition began. */
  private int mostBufferedBytes;

  ProtobufEncoder(
      String contentType,
      PrometheusOptions options,
      LabelNames labelNames,
      LabelNames exemplarNames,
      Problems problems) {
    this.contentType = contentType;
    plans = new Plans(new ProtobufSyntax(), options.translation(), labelNames);
    faults = new Faults(problems);
    ProtobufExemplars exemplars = new ProtobufExemplars(exemplarNames, faults);
    for (FamilyType type : FamilyType.values()) {
      writers.put(
          type,
          switch (type) {
            case COUNTER, GAUGE, UNKNOWN, INFO, STATESET ->
                new ProtobufNumberWriter(type, exemplars);
            case HISTOGRAM -> new ProtobufHistogramWriter(exemplars);
            case EXPONENTIAL_HISTOGRAM -> new ProtobufNativeHistogramWriter(exemplars);
            case SUMMARY -> new ProtobufSummaryWriter(faults);
          });
    }
    points =
        new FamilyPoints(
            writers,
            false,
            LabelBlocks.ofProtobuf(labelNames),
            SeenBlocks.ofProtobuf(options.targetLabels()),
            new StateSets(options.targetLabels()),
            faults);
  }

  @Override
  public String contentType() {
    return contentType;
  }

  @Override
  public void encode(MetricCursor cursor, ChunkWriter out) {
    Plan plan = plans.of(cursor, faults);
    out.write(plan.targetInfo());
    mostBufferedBytes = 0;
    for (int i = 0; i < plan.families().size(); i++) {
      Family family = plan.families().get(i);
      encodeFamily(family, cursor, out);
      faults.count(Fault.RESERVED_LABEL, points.labels().takeReservedLabels());
      faults.report(family.details);
    }
    points.trim();
    if (mostBufferedBytes < buffer.capacityBytes() / 8) {
      buffer.release();
    }
  }

  private void encodeFamily(Family family, MetricCursor cursor, ChunkWriter out) {
    if (!cursor.isStable()) {
      writeParts(family, cursor, out);
      return;
    }
    long pointsBytes = count(family, cursor);
    if (pointsBytes == buffer.lengthBytes()) {
      flush(family, out);
      return;
    }
    // What is wrong was counted with the points.
    faults.setMuted(true);
    try {
      if (pointsBytes <= MAX_FAMILY_BYTES) {
        writeCounted(family, cursor, pointsBytes, out);
      } else {
        writeParts(family, cursor, out);
      }
    } finally {
      faults.setMuted(false);
    }
  }

  /**
   * Finds out how many bytes all points of a family take, and puts them into the buffer as long as
   * all of them fit.
   */
  private long count(Family family, MetricCursor cursor) {
    long pointsBytes = 0;
    buffer.clear();
    points.begin(family, cursor);
    while (points.next()) {
      int pointBytes = encodeValue(cursor);
      long before = pointsBytes;
      pointsBytes += pointBytes;
      if (before == buffer.lengthBytes() && pointsBytes <= MAX_BUFFERED_BYTES) {
        bufferPoint();
      }
    }
    return pointsBytes;
  }

  private void writeCounted(Family family, MetricCursor cursor, long pointsBytes, ChunkWriter out) {
    openFamily(family, pointsBytes, out);
    long left = pointsBytes;
    points.begin(family, cursor);
    while (points.next()) {
      left -= encodeValue(cursor);
      LabelBlocks labels = points.labels();
      out.writeByte(ProtobufSchema.FAMILY_METRIC);
      writeVarint(labels.lengthBytes() + value.lengthBytes(), out);
      out.write(labels.bytes(), 0, labels.lengthBytes());
      out.write(value.bytes(), 0, value.lengthBytes());
    }
    if (left != 0) {
      throw new IllegalStateException(
          "expected the points of family "
              + family.name
              + " to stay what they were when they were counted, found "
              + -left
              + " bytes more; the cursor must not say that it is stable");
    }
    out.write(family.trailer);
  }

  /** Writes a family, or where it does not fit into the buffer, several of the same name. */
  private void writeParts(Family family, MetricCursor cursor, ChunkWriter out) {
    buffer.clear();
    points.begin(family, cursor);
    while (points.next()) {
      if (buffer.lengthBytes() + encodeValue(cursor) > MAX_BUFFERED_BYTES) {
        flush(family, out);
      }
      bufferPoint();
    }
    flush(family, out);
  }

  /** Encodes the value of the point, and says how many bytes the point takes with its labels. */
  private int encodeValue(MetricCursor cursor) {
    value.clear();
    Objects.requireNonNull(writers.get(points.type())).write(cursor, value);
    int metricBytes = points.labels().lengthBytes() + value.lengthBytes();
    return 1 + Varint.sizeOf(metricBytes) + metricBytes;
  }

  private void bufferPoint() {
    LabelBlocks labels = points.labels();
    buffer.appendVarint(ProtobufSchema.FAMILY_METRIC);
    buffer.appendVarint(labels.lengthBytes() + value.lengthBytes());
    buffer.append(labels.bytes(), 0, labels.lengthBytes());
    buffer.append(value.bytes(), 0, value.lengthBytes());
    mostBufferedBytes = Math.max(mostBufferedBytes, buffer.lengthBytes());
  }

  /** Writes a family of what the buffer holds, and empties it. */
  private void flush(Family family, ChunkWriter out) {
    if (buffer.lengthBytes() > 0) {
      openFamily(family, buffer.lengthBytes(), out);
      out.write(buffer.bytes(), 0, buffer.lengthBytes());
      out.write(family.trailer);
      buffer.clear();
    }
  }

  private static void openFamily(Family family, long pointsBytes, ChunkWriter out) {
    writeVarint(family.header.length + pointsBytes + family.trailer.length, out);
    out.write(family.header);
  }

  private static void writeVarint(long number, ChunkWriter out) {
    int at = out.reserve(Varint.MAX_BYTES);
    out.advanceTo(Varint.put(number, out.reservedBytes(), at));
  }
}

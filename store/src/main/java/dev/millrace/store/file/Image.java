package dev.millrace.store.file;

import dev.millrace.bytes.ByteArray;
import dev.millrace.bytes.Utf8;
import dev.millrace.model.LabelType;
import dev.millrace.model.Labels;
import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * What one reader knows of one file: its segments, its declarations, and a copy of its cells.
 * Records are parsed when they are first seen; after that a read copies the header's two lengths
 * and the cells.
 *
 * <p>Nothing in a file is believed unchecked. At the first contradiction the rest of the records is
 * given up for good, and told once; what was read before stays. One thread at a time.
 */
final class Image implements AutoCloseable {
  /** Takes what a file says. */
  interface Sink {
    /** A declaration; gives {@code null} where its series are to be skipped. */
    @Nullable MergedMetric declare(Image image, Declaration declaration);

    /** A series, whose values are {@code part} of this image. */
    void addSeries(
        Image image, MergedMetric metric, Labels labels, long createdUnixNanos, int part);

    /** Damage; called once an image. */
    void damaged(Image image, String reason);
  }

  /** Where an exponential histogram's cells are. */
  record ShapedPart(int cell, Shape shape) {}

  /** A series of a metric that another program declared differently. */
  private record Skipped(int declaration, Labels labels, long createdUnixNanos, int part) {}

  private static final byte[] NO_BYTES = {};

  private final StoreBytes bytes;
  private final FileHeader header;
  private final String processName;
  private final String fileName;

  private final SegmentTable segments = new SegmentTable();
  private final long[] ends = new long[2];
  private final CRC32C crc = new CRC32C();
  private final Labels.Builder labels = new Labels.Builder();
  private byte[] buffer = NO_BYTES;
  private long recordsSeen;

  private final List<@Nullable MergedMetric> metrics = new ArrayList<>();
  private final List<Declaration> declarations = new ArrayList<>();
  private final List<ShapedPart> shapedParts = new ArrayList<>();
  private final List<Skipped> skipped = new ArrayList<>();
  private final List<InstanceId> retired = new ArrayList<>();
  private long[] cells = {};

  private boolean damaged;
  private boolean live = true;
  private boolean finished;
  private int slot = -1;

  /**
   * An image of a file.
   *
   * @param bytes owned from here on
   * @param processName the value of the label {@code pid}
   * @param fileName for messages
   */
  Image(StoreBytes bytes, FileHeader header, String processName, String fileName) {
    this.bytes = bytes;
    this.header = header;
    this.processName = processName;
    this.fileName = fileName;
  }

  FileHeader header() {
    return header;
  }

  String processName() {
    return processName;
  }

  String fileName() {
    return fileName;
  }

  boolean isTotals() {
    return header.role() == FileLayout.ROLE_TOTALS;
  }

  boolean isLive() {
    return live;
  }

  /** The writer is dead: one more read takes its last values, and then the file is done. */
  void markDead() {
    live = false;
  }

  /** Whether a part of the file is missing from what was read. */
  boolean isDamaged() {
    return damaged;
  }

  /** The image's number in its view, which parts name it by; -1 where it is in none. */
  int slot() {
    return slot;
  }

  void setSlot(int slot) {
    this.slot = slot;
  }

  /** The instances whose values a totals file holds. */
  List<InstanceId> retired() {
    return retired;
  }

  /** Whether the file declares a metric, with series or without. */
  boolean declares(MergedMetric metric) {
    return metrics.contains(metric);
  }

  /** The copy of all cells, by the numbers that parts have. */
  long[] cells() {
    return cells;
  }

  ShapedPart shapedPart(int part) {
    return shapedParts.get(part);
  }

  /**
   * Where the exemplar slots of a part begin in the cells; -1 where this file keeps none. Totals
   * keep none, and neither does a program that declared the metric without.
   */
  int exemplarCells(int part, MergedMetric metric) {
    int number = metrics.indexOf(metric);
    if (number < 0 || !declarations.get(number).exemplars()) {
      return -1;
    }
    Declaration own = declarations.get(number);
    if (own.kind() == InstrumentKind.EXPONENTIAL_HISTOGRAM) {
      ShapedPart shaped = shapedParts.get(part);
      return shaped.cell() + CellLayout.cells(own, shaped.shape());
    }
    return part + CellLayout.cells(own, Shape.NONE);
  }

  /** Reads what is new, and all values. */
  void read(Sink sink) throws IOException {
    if (finished) {
      return;
    }
    boolean last = !live || isTotals();
    if (!damaged) {
      String trouble = readRecords(sink);
      buffer = NO_BYTES;
      if (trouble != null) {
        damage(sink, trouble);
      }
    }
    int needed = segments.cellNumbers();
    if (needed > cells.length) {
      cells = Arrays.copyOf(cells, Math.max(needed, cells.length + cells.length / 2));
    }
    if (!segments.readCells(bytes, cells)) {
      damage(sink, "expected the cells of all series, found a file that was cut inside them");
    }
    finished = last;
    if (finished) {
      bytes.close();
    }
  }

  private void damage(Sink sink, String reason) {
    if (!damaged) {
      damaged = true;
      sink.damaged(this, reason);
    }
  }

  private @Nullable String readRecords(Sink sink) throws IOException {
    if (bytes.readCells(FileLayout.SEGMENTS_END_OFFSET, ends, 0, 2) < 2) {
      return "expected a header, found a file that was cut inside it";
    }
    long recordsEnd = ends[1];
    if (recordsEnd == recordsSeen) {
      return null;
    }
    if (recordsEnd < recordsSeen) {
      return "expected at least "
          + recordsSeen
          + " bytes of records, found the length "
          + recordsEnd;
    }
    // The segments that hold these records were published before them, so they are there now.
    VarHandle.acquireFence();
    if (bytes.readCells(FileLayout.SEGMENTS_END_OFFSET, ends, 0, 1) < 1) {
      return "expected a header, found a file that was cut inside it";
    }
    String trouble = segments.walk(bytes, ends[0]);
    long limit = Math.min(recordsEnd, segments.recordSpaceBytes());
    while (recordsSeen < limit) {
      String worse = readRecordsOfSegment(limit, sink);
      if (worse != null) {
        return trouble == null ? worse : trouble;
      }
    }
    if (trouble == null && recordsEnd > limit) {
      return "expected records within their segments of "
          + limit
          + " bytes, found the length "
          + recordsEnd;
    }
    return trouble;
  }

  private @Nullable String readRecordsOfSegment(long limit, Sink sink) throws IOException {
    int left = segments.recordBytesLeft(recordsSeen);
    int wanted = (int) Math.min(left, limit - recordsSeen);
    if (buffer.length < wanted) {
      buffer = new byte[wanted];
    }
    long position = segments.recordPosition(recordsSeen);
    int read = bytes.read(position, buffer, 0, wanted);
    long fileBytes = bytes.sizeBytes();
    int at = 0;
    while (at < wanted) {
      if (wanted - at < RecordLayout.RECORD_HEADER_BYTES && wanted == left) {
        // Less than a record's beginning is left of the segment: nothing stands there.
        recordsSeen += wanted - at;
        break;
      }
      String trouble = readRecord(at, read - at, fileBytes, sink);
      if (trouble != null) {
        return trouble + ", in the record at byte " + (position + at);
      }
      int length = (int) RecordLayout.INTS.get(buffer, at + RecordLayout.LENGTH_OFFSET);
      at += length;
      recordsSeen += length;
    }
    return null;
  }

  private @Nullable String readRecord(int at, int available, long fileBytes, Sink sink) {
    if (available < RecordLayout.RECORD_HEADER_BYTES) {
      return "expected a record, found the end of the file";
    }
    int length = number(at + RecordLayout.LENGTH_OFFSET);
    if (length < RecordLayout.RECORD_HEADER_BYTES || length % 8 != 0 || length > available) {
      return "expected a length of "
          + RecordLayout.RECORD_HEADER_BYTES
          + " to "
          + available
          + " bytes, found "
          + length;
    }
    crc.reset();
    crc.update(buffer, at + RecordLayout.TYPE_OFFSET, length - RecordLayout.TYPE_OFFSET);
    if ((int) crc.getValue() != number(at + RecordLayout.CRC_OFFSET)) {
      return "expected the checksum "
          + Integer.toHexString(number(at + RecordLayout.CRC_OFFSET))
          + ", found "
          + Long.toHexString(crc.getValue());
    }
    return switch (number(at + RecordLayout.TYPE_OFFSET)) {
      case RecordLayout.TYPE_FILLER -> null;
      case RecordLayout.TYPE_DECLARATION -> readDeclaration(at, length, sink);
      case RecordLayout.TYPE_SERIES -> readSeries(at, length, fileBytes, sink);
      case RecordLayout.TYPE_RETIRED -> readRetired(at, length);
      default -> "expected a type from 0 to 3, found " + number(at + RecordLayout.TYPE_OFFSET);
    };
  }

  private @Nullable String readDeclaration(int at, int length, Sink sink) {
    Declaration declaration = Declaration.parse(buffer, at, length);
    if (declaration == null
        || number(at + RecordLayout.DECLARATION_OFFSET) != declarations.size()) {
      return "expected declaration " + declarations.size() + ", found one that contradicts itself";
    }
    declarations.add(declaration);
    metrics.add(sink.declare(this, declaration));
    return null;
  }

  private @Nullable String readRetired(int at, int length) {
    if (length < RecordLayout.RECORD_HEADER_BYTES + RecordLayout.INSTANCE_BYTES) {
      return "expected an instance id, found too few bytes";
    }
    int start = at + RecordLayout.RECORD_HEADER_BYTES;
    retired.add(
        new InstanceId(
            (long) RecordLayout.LONGS.get(buffer, start),
            (long) RecordLayout.LONGS.get(buffer, start + Long.BYTES)));
    return null;
  }

  private @Nullable String readSeries(int at, int length, long fileBytes, Sink sink) {
    int declarationNumber = number(at + RecordLayout.DECLARATION_OFFSET);
    if (length < RecordLayout.SHAPE_OFFSET
        || declarationNumber < 0
        || declarationNumber >= declarations.size()) {
      return "expected the number of a declaration, found " + declarationNumber;
    }
    Declaration declaration = declarations.get(declarationNumber);
    boolean shaped = declaration.kind() == InstrumentKind.EXPONENTIAL_HISTOGRAM;
    int labelsAt = RecordLayout.SHAPE_OFFSET + (shaped ? RecordLayout.SHAPE_BYTES : 0);
    Shape shape = shaped && length >= labelsAt ? shape(at) : Shape.NONE;
    int cellCount = number(at + RecordLayout.CELL_COUNT_OFFSET);
    int slots = number(at + RecordLayout.EXEMPLAR_SLOTS_OFFSET);
    if (!shape.isValid()
        || cellCount != CellLayout.cells(declaration, shape)
        || slots != CellLayout.exemplarSlots(declaration)) {
      return "expected the cells of a " + declaration.kind() + ", found " + cellCount;
    }
    if (!readLabels(at, labelsAt, length)) {
      return "expected labels in UTF-8, found something else";
    }
    int allCells = cellCount + slots * CellLayout.EXEMPLAR_CELLS;
    long cellPosition =
        (long) RecordLayout.LONGS.get(buffer, at + RecordLayout.CELL_POSITION_OFFSET);
    if (cellPosition > fileBytes - (long) allCells * Long.BYTES) {
      return "expected " + allCells + " cells within the file, found its end";
    }
    int first = segments.useCells(cellPosition, allCells);
    if (first < 0) {
      return "expected cells within a segment, found byte " + cellPosition;
    }
    int part = first;
    if (shaped) {
      part = shapedParts.size();
      shapedParts.add(new ShapedPart(first, shape));
    }
    if (declaration.mode() == MergeMode.EACH && !isTotals() && !processName.isEmpty()) {
      labels.put(PROCESS_LABEL, processName);
    }
    long created = (long) RecordLayout.LONGS.get(buffer, at + RecordLayout.CREATED_OFFSET);
    MergedMetric metric = metrics.get(declarationNumber);
    if (metric != null) {
      sink.addSeries(this, metric, labels.build(), created, part);
    } else {
      skipped.add(new Skipped(declarationNumber, labels.build(), created, part));
    }
    return null;
  }

  /** Declares again what another declaration kept out, and adds its series if it is let in. */
  void offerSkipped(Sink sink) {
    for (int i = 0; i < metrics.size(); i++) {
      if (metrics.get(i) == null) {
        metrics.set(i, sink.declare(this, declarations.get(i)));
      }
    }
    Iterator<Skipped> each = skipped.iterator();
    while (each.hasNext()) {
      Skipped one = each.next();
      MergedMetric metric = metrics.get(one.declaration);
      if (metric != null) {
        sink.addSeries(this, metric, one.labels, one.createdUnixNanos, one.part);
        each.remove();
      }
    }
  }

  /** The label that tells processes apart where each has its own series. */
  static final String PROCESS_LABEL = "pid";

  private Shape shape(int at) {
    int start = at + RecordLayout.SHAPE_OFFSET;
    return new Shape(
        number(start),
        number(start + 4),
        number(start + 8),
        number(start + 12),
        number(start + 16));
  }

  private boolean readLabels(int at, int labelsAt, int length) {
    labels.clear();
    int count = number(at + RecordLayout.LABEL_COUNT_OFFSET);
    int labelsLength = number(at + RecordLayout.LABELS_LENGTH_OFFSET);
    if (count < 0
        || count > RecordLayout.MAX_LABELS
        || labelsLength < 0
        || labelsLength > length - labelsAt) {
      return false;
    }
    int from = at + labelsAt;
    int end = from + labelsLength;
    for (int i = 0; i < count; i++) {
      if (end - from < 2 * Short.BYTES) {
        return false;
      }
      int keyLength = (short) RecordLayout.SHORTS.get(buffer, from) & 0xffff;
      int valueLength = (short) RecordLayout.SHORTS.get(buffer, from + Short.BYTES) & 0xffff;
      from += 2 * Short.BYTES;
      if (keyLength + valueLength > end - from
          || !Utf8.isValid(buffer, from, keyLength)
          || !Utf8.isValid(buffer, from + keyLength, valueLength)) {
        return false;
      }
      ByteArray value = labels.beginValue(buffer, from, keyLength);
      value.append(buffer, from + keyLength, valueLength);
      labels.endValue(LabelType.STRING);
      from += keyLength + valueLength;
    }
    return true;
  }

  private int number(int offset) {
    return (int) RecordLayout.INTS.get(buffer, offset);
  }

  @Override
  public void close() {
    bytes.close();
  }
}

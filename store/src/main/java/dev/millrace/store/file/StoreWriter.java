package dev.millrace.store.file;

import dev.millrace.model.Labels;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Appends declarations and series to one file, whose only writer it is. The layout is {@link
 * FileLayout}'s and {@link RecordLayout}'s.
 *
 * <p>One thread at a time appends; recording into the {@link Cells} that it hands out needs no
 * lock, and any number of processes may read meanwhile. Where there is no space, the call fails and
 * what was there before goes on.
 */
public final class StoreWriter {
  private final SegmentSpace space;
  private final ByteBuffer header;
  private final CRC32C crc = new CRC32C();

  private long segmentsEnd;
  private int segmentCount;
  private @Nullable ByteBuffer records;
  private int recordsAt;
  private long recordsEnd;
  private int nextRecordsBytes = FileLayout.FIRST_SEGMENT_BYTES;
  private @Nullable ByteBuffer cells;
  private int cellsAt;
  private long cellsPosition;
  private int nextCellsBytes = FileLayout.FIRST_SEGMENT_BYTES;
  private int declarations;

  /**
   * Begins a file.
   *
   * @param space empty
   * @throws IOException if there is no space for the header
   */
  StoreWriter(SegmentSpace space, FileHeader fields) throws IOException {
    this.space = space;
    header = space.extend(0, FileLayout.HEADER_BYTES);
    segmentsEnd = FileLayout.HEADER_BYTES;
    header.putInt(FileLayout.VERSION_OFFSET, FileLayout.VERSION);
    header.putInt(FileLayout.BYTE_ORDER_OFFSET, FileLayout.BYTE_ORDER_MARK);
    header.putLong(FileLayout.INSTANCE_HIGH_OFFSET, fields.instance().high());
    header.putLong(FileLayout.INSTANCE_LOW_OFFSET, fields.instance().low());
    header.putLong(FileLayout.PID_OFFSET, fields.pid());
    header.putLong(FileLayout.START_TIME_OFFSET, fields.startTimeUnixNanos());
    header.putInt(FileLayout.ROLE_OFFSET, fields.role());
    header.putLong(FileLayout.MAGIC_OFFSET, FileLayout.MAGIC);
    crc.update(header.slice(0, FileLayout.HEADER_CRC_OFFSET));
    header.putInt(FileLayout.HEADER_CRC_OFFSET, (int) crc.getValue());
    FileLayout.LONGS.setRelease(header, FileLayout.SEGMENTS_END_OFFSET, segmentsEnd);
  }

  /**
   * Appends a declaration.
   *
   * @return its number, for {@link #addSeries}
   */
  public int declare(Declaration declaration) throws IOException {
    append(declaration.toRecord(declarations));
    return declarations++;
  }

  /**
   * Appends a series and publishes it.
   *
   * @param number of its declaration
   * @param shape of an exponential histogram; {@link Shape#NONE} for others
   * @param initial what the cells hold at first; {@code null} for a new series
   */
  public Cells addSeries(
      int number,
      Declaration declaration,
      Labels labels,
      long createdUnixNanos,
      Shape shape,
      long @Nullable [] initial)
      throws IOException {
    int valueCells = CellLayout.cells(declaration, shape);
    int slots = CellLayout.exemplarSlots(declaration);
    int lengthBytes = (valueCells + slots * CellLayout.EXEMPLAR_CELLS) * Long.BYTES;
    ByteBuffer segment = cellSpace(lengthBytes);
    int start = cellsAt;
    byte[] record =
        seriesRecord(number, declaration, labels, createdUnixNanos, shape, valueCells, slots);
    RecordLayout.LONGS.set(record, RecordLayout.CELL_POSITION_OFFSET, cellsPosition + start);
    if (initial != null) {
      for (int i = 0; i < valueCells; i++) {
        segment.putLong(start + i * Long.BYTES, initial[i]);
      }
    } else if (declaration.isGauge()) {
      segment.putLong(start, declaration.unset());
    }
    append(record);
    cellsAt += lengthBytes;
    return new Cells(segment, start, valueCells, slots);
  }

  /** Appends the ids of instances whose values this file holds. */
  void addRetired(Iterable<InstanceId> instances) throws IOException {
    for (InstanceId instance : instances) {
      byte[] record = new byte[RecordLayout.RECORD_HEADER_BYTES + RecordLayout.INSTANCE_BYTES];
      RecordLayout.INTS.set(record, RecordLayout.TYPE_OFFSET, RecordLayout.TYPE_RETIRED);
      RecordLayout.LONGS.set(record, RecordLayout.RECORD_HEADER_BYTES, instance.high());
      RecordLayout.LONGS.set(record, RecordLayout.RECORD_HEADER_BYTES + Long.BYTES, instance.low());
      append(record);
    }
  }

  private static byte[] seriesRecord(
      int number,
      Declaration declaration,
      Labels labels,
      long createdUnixNanos,
      Shape shape,
      int valueCells,
      int slots) {
    boolean shaped = declaration.kind() == InstrumentKind.EXPONENTIAL_HISTOGRAM;
    int at = RecordLayout.SHAPE_OFFSET + (shaped ? RecordLayout.SHAPE_BYTES : 0);
    int labelsLength = labels.size() * 2 * Short.BYTES + labels.bytes().length;
    byte[] record = new byte[RecordLayout.roundUpTo8(at + labelsLength)];
    RecordLayout.INTS.set(record, RecordLayout.TYPE_OFFSET, RecordLayout.TYPE_SERIES);
    RecordLayout.INTS.set(record, RecordLayout.DECLARATION_OFFSET, number);
    RecordLayout.LONGS.set(record, RecordLayout.CREATED_OFFSET, createdUnixNanos);
    RecordLayout.INTS.set(record, RecordLayout.CELL_COUNT_OFFSET, valueCells);
    RecordLayout.INTS.set(record, RecordLayout.EXEMPLAR_SLOTS_OFFSET, slots);
    RecordLayout.INTS.set(record, RecordLayout.LABEL_COUNT_OFFSET, labels.size());
    RecordLayout.INTS.set(record, RecordLayout.LABELS_LENGTH_OFFSET, labelsLength);
    if (shaped) {
      int shapeAt = RecordLayout.SHAPE_OFFSET;
      RecordLayout.INTS.set(record, shapeAt, shape.scale());
      RecordLayout.INTS.set(record, shapeAt + 4, shape.positiveOffset());
      RecordLayout.INTS.set(record, shapeAt + 8, shape.positiveBuckets());
      RecordLayout.INTS.set(record, shapeAt + 12, shape.negativeOffset());
      RecordLayout.INTS.set(record, shapeAt + 16, shape.negativeBuckets());
    }
    for (int i = 0; i < labels.size(); i++) {
      int keyLength = labels.keyEnd(i) - labels.keyStart(i);
      int valueLength = labels.valueEnd(i) - labels.valueStart(i);
      RecordLayout.SHORTS.set(record, at, (short) keyLength);
      RecordLayout.SHORTS.set(record, at + Short.BYTES, (short) valueLength);
      at += 2 * Short.BYTES;
      System.arraycopy(labels.bytes(), labels.keyStart(i), record, at, keyLength + valueLength);
      at += keyLength + valueLength;
    }
    return record;
  }

  private void append(byte[] record) throws IOException {
    RecordLayout.INTS.set(record, RecordLayout.LENGTH_OFFSET, record.length);
    RecordLayout.INTS.set(record, RecordLayout.CRC_OFFSET, crcOf(record));
    ByteBuffer target = records;
    if (target == null || target.capacity() - recordsAt < record.length) {
      ByteBuffer fresh =
          newSegment(FileLayout.TYPE_RECORDS, Math.max(nextRecordsBytes, needed(record.length)));
      if (target != null) {
        fillUp(target);
      }
      nextRecordsBytes = doubled(nextRecordsBytes);
      records = fresh;
      target = fresh;
      recordsAt = FileLayout.SEGMENT_HEADER_BYTES;
    }
    target.put(recordsAt, record);
    recordsAt += record.length;
    recordsEnd += record.length;
    FileLayout.LONGS.setRelease(header, FileLayout.RECORDS_END_OFFSET, recordsEnd);
  }

  /** Ends a segment that the next record does not fit in. */
  private void fillUp(ByteBuffer segment) {
    int left = segment.capacity() - recordsAt;
    if (left >= RecordLayout.RECORD_HEADER_BYTES) {
      byte[] filler = new byte[left];
      RecordLayout.INTS.set(filler, RecordLayout.LENGTH_OFFSET, left);
      RecordLayout.INTS.set(filler, RecordLayout.CRC_OFFSET, crcOf(filler));
      segment.put(recordsAt, filler);
    }
    recordsEnd += left;
  }

  private ByteBuffer cellSpace(int lengthBytes) throws IOException {
    ByteBuffer segment = cells;
    if (segment == null || segment.capacity() - cellsAt < lengthBytes) {
      long position = segmentsEnd;
      segment = newSegment(FileLayout.TYPE_CELLS, Math.max(nextCellsBytes, needed(lengthBytes)));
      nextCellsBytes = doubled(nextCellsBytes);
      cells = segment;
      cellsPosition = position;
      cellsAt = FileLayout.SEGMENT_HEADER_BYTES;
    }
    return segment;
  }

  private ByteBuffer newSegment(int type, int lengthBytes) throws IOException {
    ByteBuffer segment = space.extend(segmentsEnd, lengthBytes);
    segment.putInt(FileLayout.SEGMENT_MAGIC_OFFSET, FileLayout.SEGMENT_MAGIC);
    segment.putInt(FileLayout.SEGMENT_TYPE_OFFSET, type);
    segment.putLong(FileLayout.SEGMENT_LENGTH_OFFSET, lengthBytes);
    segment.putInt(FileLayout.SEGMENT_NUMBER_OFFSET, segmentCount);
    crc.reset();
    crc.update(segment.slice(0, FileLayout.SEGMENT_CRC_OFFSET));
    segment.putInt(FileLayout.SEGMENT_CRC_OFFSET, (int) crc.getValue());
    segmentCount++;
    segmentsEnd += lengthBytes;
    FileLayout.LONGS.setRelease(header, FileLayout.SEGMENTS_END_OFFSET, segmentsEnd);
    return segment;
  }

  private int crcOf(byte[] record) {
    crc.reset();
    crc.update(record, RecordLayout.TYPE_OFFSET, record.length - RecordLayout.TYPE_OFFSET);
    return (int) crc.getValue();
  }

  private static int needed(int lengthBytes) {
    return FileLayout.roundUpToPage(FileLayout.SEGMENT_HEADER_BYTES + lengthBytes);
  }

  private static int doubled(int lengthBytes) {
    return Math.min(2 * lengthBytes, FileLayout.LARGEST_SEGMENT_BYTES);
  }
}

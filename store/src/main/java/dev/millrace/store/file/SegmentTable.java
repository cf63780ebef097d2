package dev.millrace.store.file;

import java.io.IOException;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The segments of one file that a reader has walked, and the numbers of cells: cells are numbered
 * through all cell segments in turn, so that a copy of them is one array.
 */
final class SegmentTable {
  /** A segment's payload; {@code before} is how many bytes of the same type come before it. */
  private record Segment(long position, int payloadBytes, long before) {}

  private static final Segment[] NONE = {};

  private final CRC32C crc = new CRC32C();
  private final byte[] start = new byte[FileLayout.SEGMENT_HEADER_BYTES];
  private Segment[] records = NONE;
  private Segment[] cells = NONE;
  private int[] usedCells = {};
  private long position = FileLayout.HEADER_BYTES;
  private int count;
  private long recordSpaceBytes;
  private long cellSpaceBytes;

  /** How long the record space is, published or not. */
  long recordSpaceBytes() {
    return recordSpaceBytes;
  }

  /**
   * Walks on.
   *
   * @param end file offset after the last published segment
   * @return what is wrong with the next segment, or {@code null}
   */
  @Nullable String walk(StoreBytes bytes, long end) throws IOException {
    while (position < end) {
      int read = bytes.read(position, start, 0, start.length);
      long length = (long) RecordLayout.LONGS.get(start, FileLayout.SEGMENT_LENGTH_OFFSET);
      if (read < start.length || !isSegment(length)) {
        return "expected segment "
            + count
            + " at byte "
            + position
            + ", found "
            + (read < start.length ? "the end of the file" : "no header of one");
      }
      long payload = position + FileLayout.SEGMENT_HEADER_BYTES;
      int payloadBytes = (int) length - FileLayout.SEGMENT_HEADER_BYTES;
      if (number(FileLayout.SEGMENT_TYPE_OFFSET) == FileLayout.TYPE_RECORDS) {
        records = with(records, new Segment(payload, payloadBytes, recordSpaceBytes));
        recordSpaceBytes += payloadBytes;
      } else {
        cells = with(cells, new Segment(payload, payloadBytes, cellSpaceBytes));
        usedCells = Arrays.copyOf(usedCells, cells.length);
        cellSpaceBytes += payloadBytes;
      }
      position += length;
      count++;
    }
    return null;
  }

  private boolean isSegment(long length) {
    crc.reset();
    crc.update(start, 0, FileLayout.SEGMENT_CRC_OFFSET);
    int type = number(FileLayout.SEGMENT_TYPE_OFFSET);
    return number(FileLayout.SEGMENT_MAGIC_OFFSET) == FileLayout.SEGMENT_MAGIC
        && number(FileLayout.SEGMENT_NUMBER_OFFSET) == count
        && number(FileLayout.SEGMENT_CRC_OFFSET) == (int) crc.getValue()
        && length >= FileLayout.PAGE_BYTES
        && length <= FileLayout.MAX_SEGMENT_BYTES
        && length % FileLayout.PAGE_BYTES == 0
        && (type == FileLayout.TYPE_RECORDS || type == FileLayout.TYPE_CELLS)
        // Cell numbers are ints.
        && cellSpaceBytes + length < Integer.MAX_VALUE;
  }

  private int number(int offset) {
    return (int) RecordLayout.INTS.get(start, offset);
  }

  private static Segment[] with(Segment[] segments, Segment last) {
    Segment[] more = Arrays.copyOf(segments, segments.length + 1);
    more[segments.length] = last;
    return more;
  }

  /** How many bytes there are from a place in the record space to the end of its segment. */
  int recordBytesLeft(long place) {
    Segment segment = recordSegment(place);
    return (int) (segment.before + segment.payloadBytes - place);
  }

  /** The file offset of a place in the record space. */
  long recordPosition(long place) {
    Segment segment = recordSegment(place);
    return segment.position + place - segment.before;
  }

  private Segment recordSegment(long place) {
    int index = records.length - 1;
    while (records[index].before > place) {
      index--;
    }
    return records[index];
  }

  /**
   * The number of the first cell of a series, which from here on is among the cells that are read.
   *
   * @return the number, or -1 where the cells are not within one segment
   */
  int useCells(long cellPosition, int cellCount) {
    for (int i = cells.length - 1; i >= 0; i--) {
      Segment segment = cells[i];
      long within = cellPosition - segment.position;
      if (within >= 0) {
        if (within % Long.BYTES != 0
            || within + (long) cellCount * Long.BYTES > segment.payloadBytes) {
          return -1;
        }
        int first = (int) (within / Long.BYTES);
        usedCells[i] = Math.max(usedCells[i], first + cellCount);
        return (int) (segment.before / Long.BYTES) + first;
      }
    }
    return -1;
  }

  /** How long an array must be that holds all cells in use by their numbers. */
  int cellNumbers() {
    int last = cells.length - 1;
    while (last >= 0 && usedCells[last] == 0) {
      last--;
    }
    return last < 0 ? 0 : (int) (cells[last].before / Long.BYTES) + usedCells[last];
  }

  /**
   * Copies all cells in use.
   *
   * @param target at least {@link #cellNumbers} long; cells that are not there stay as they are
   * @return whether all of them were there
   */
  boolean readCells(StoreBytes bytes, long[] target) throws IOException {
    boolean whole = true;
    for (int i = 0; i < cells.length; i++) {
      Segment segment = cells[i];
      int first = (int) (segment.before / Long.BYTES);
      whole &= bytes.readCells(segment.position, target, first, usedCells[i]) == usedCells[i];
    }
    return whole;
  }
}

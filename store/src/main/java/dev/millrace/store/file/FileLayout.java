package dev.millrace.store.file;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Where everything stands in a store file. All numbers are little-endian.
 *
 * <pre>
 *   file
 *   +--------+-----------+-----------+-----------+----
 *   | header | segment 0 | segment 1 | segment 2 | ...      grows at the end, never moves
 *   +--------+-----------+-----------+-----------+----
 *
 *   header (4,096 bytes)
 *      0   8  magic "MILLRACE"
 *      8   4  version
 *     12   4  byte order mark 0x01020304: written with the file's byte order
 *     16  16  instance id, random
 *     32   8  process id
 *     40   8  start time, nanoseconds since the Unix epoch
 *     48   4  role: 1 = a process, 2 = totals of the dead
 *     52   4  CRC-32C of bytes 0 to 51
 *     64   8  segmentsEnd: file offset after the last published segment   (release store)
 *     72   8  recordsEnd: published length of the record space            (release store, last)
 *
 *   segment: a multiple of 4,096 bytes
 *      0   4  magic "SEGM"
 *      4   4  type: 1 = records, 2 = cells
 *      8   8  length in bytes, these 64 included
 *     16   4  number, from 0
 *     20   4  CRC-32C of bytes 0 to 19
 *     64      payload
 * </pre>
 *
 * <p>The payloads of all record segments in turn are the <em>record space</em>; a record never
 * crosses the end of a segment (see {@link RecordLayout}). The payloads of the cell segments hold
 * the values, eight bytes each (see {@link CellLayout}); a record says by file offset where the
 * cells of its series are. So what never changes lies apart from what always does, and a warm read
 * touches cells only.
 *
 * <p><b>Publication.</b> One process writes a file. It fills a new segment with zeros by writing,
 * maps it, writes the segment's header, and then stores {@code segmentsEnd} with release. It sets a
 * series' cells to their first values, writes its record, and then stores {@code recordsEnd} with
 * release. A reader that sees a length therefore sees all that lies below it. A writer that dies
 * between two steps leaves nothing visible.
 */
public final class FileLayout {
  /** The bytes {@code MILLRACE}, read as a little-endian long. */
  static final long MAGIC = 0x454341524c4c494dL;

  /** The version that this code writes, and the newest that it reads. */
  static final int VERSION = 1;

  static final int BYTE_ORDER_MARK = 0x01020304;

  static final int MAGIC_OFFSET = 0;
  static final int VERSION_OFFSET = MAGIC_OFFSET + Long.BYTES;
  static final int BYTE_ORDER_OFFSET = VERSION_OFFSET + Integer.BYTES;
  static final int INSTANCE_HIGH_OFFSET = BYTE_ORDER_OFFSET + Integer.BYTES;
  static final int INSTANCE_LOW_OFFSET = INSTANCE_HIGH_OFFSET + Long.BYTES;
  static final int PID_OFFSET = INSTANCE_LOW_OFFSET + Long.BYTES;
  static final int START_TIME_OFFSET = PID_OFFSET + Long.BYTES;
  static final int ROLE_OFFSET = START_TIME_OFFSET + Long.BYTES;
  static final int HEADER_CRC_OFFSET = ROLE_OFFSET + Integer.BYTES;

  /** On a cache line of its own: the fields above never change. */
  static final int SEGMENTS_END_OFFSET = 64;

  static final int RECORDS_END_OFFSET = SEGMENTS_END_OFFSET + Long.BYTES;

  /** How much of the header has a meaning; what a reader reads of it. */
  static final int HEADER_USED_BYTES = RECORDS_END_OFFSET + Long.BYTES;

  /** A page, so that every segment begins on a page. */
  static final int HEADER_BYTES = 4096;

  /** Segments are multiples of a page, so that each can be mapped by itself. */
  static final int PAGE_BYTES = 4096;

  static final int ROLE_PROCESS = 1;
  static final int ROLE_TOTALS = 2;

  static final int SEGMENT_MAGIC = 0x4d474553;
  static final int SEGMENT_MAGIC_OFFSET = 0;
  static final int SEGMENT_TYPE_OFFSET = SEGMENT_MAGIC_OFFSET + Integer.BYTES;
  static final int SEGMENT_LENGTH_OFFSET = SEGMENT_TYPE_OFFSET + Integer.BYTES;
  static final int SEGMENT_NUMBER_OFFSET = SEGMENT_LENGTH_OFFSET + Long.BYTES;
  static final int SEGMENT_CRC_OFFSET = SEGMENT_NUMBER_OFFSET + Integer.BYTES;

  /** A cache line, so that the cells after it are aligned to one. */
  static final int SEGMENT_HEADER_BYTES = 64;

  static final int TYPE_RECORDS = 1;
  static final int TYPE_CELLS = 2;

  /**
   * The first segment of each type: small, because a short-lived process with ten series writes two
   * of them in zeros.
   */
  static final int FIRST_SEGMENT_BYTES = 16 * 1024;

  /**
   * Segments double up to this size: a million series need a few dozen, and the zeros of one are
   * written in a few milliseconds.
   */
  static final int LARGEST_SEGMENT_BYTES = 8 * 1024 * 1024;

  /**
   * The longest segment that a reader believes in: a page over what one record of the greatest
   * length needs, or the largest regular one.
   */
  static final int MAX_SEGMENT_BYTES = 64 * 1024 * 1024;

  /** Longs in a direct or mapped buffer. */
  static final VarHandle LONGS =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private FileLayout() {}

  static int roundUpToPage(int lengthBytes) {
    return (lengthBytes + PAGE_BYTES - 1) & -PAGE_BYTES;
  }
}

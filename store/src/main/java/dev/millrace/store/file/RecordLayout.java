package dev.millrace.store.file;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Where everything stands in a record. Records begin at multiples of 8 in the record space.
 *
 * <pre>
 *   every record
 *      0   4  length in bytes, these included; a multiple of 8
 *      4   4  CRC-32C of bytes 8 to the end
 *      8   4  type: 0 = filler, 1 = declaration, 2 = series, 3 = retired instances
 *     12   4  declaration's number, from 0 (types 1 and 2)
 *
 *   declaration
 *     16   4  instrument kind          20   4  merge mode
 *     24   4  flags: 1 = live only, 2 = whole numbers, 4 = exemplars
 *     28   4  greatest scale           32   4  most buckets        (exponential histograms)
 *     36   4  bounds                   40   4  length of name
 *     44   4  length of unit           48   4  length of help
 *     56      bounds, 8 bytes each; name; unit; help, in UTF-8
 *
 *   series
 *     16   8  created, nanoseconds since the Unix epoch
 *     24   8  file offset of the first cell
 *     32   4  cells                    36   4  exemplar slots after the cells
 *     40   4  labels                   44   4  length of the labels' bytes
 *     48  24  shape (exponential histograms only): scale, positive offset, positive buckets,
 *             negative offset, negative buckets, 0
 *     48|72   for each label, sorted by the keys' bytes:
 *             2  length of key | 2  length of value | key | value, in UTF-8
 *
 *   retired instances
 *     16  16  for each: the instance id
 * </pre>
 *
 * <p>Where less than a record's first 16 bytes are left in a segment, the next record begins in the
 * next segment; where more are left, a filler fills them. Several records of one file may name one
 * series: their values add up, which is how an exponential histogram gets wider.
 */
final class RecordLayout {
  static final int LENGTH_OFFSET = 0;
  static final int CRC_OFFSET = LENGTH_OFFSET + Integer.BYTES;
  static final int TYPE_OFFSET = CRC_OFFSET + Integer.BYTES;
  static final int DECLARATION_OFFSET = TYPE_OFFSET + Integer.BYTES;
  static final int RECORD_HEADER_BYTES = DECLARATION_OFFSET + Integer.BYTES;

  static final int TYPE_FILLER = 0;
  static final int TYPE_DECLARATION = 1;
  static final int TYPE_SERIES = 2;
  static final int TYPE_RETIRED = 3;

  static final int KIND_OFFSET = RECORD_HEADER_BYTES;
  static final int MODE_OFFSET = KIND_OFFSET + Integer.BYTES;
  static final int FLAGS_OFFSET = MODE_OFFSET + Integer.BYTES;
  static final int MAX_SCALE_OFFSET = FLAGS_OFFSET + Integer.BYTES;
  static final int MAX_BUCKETS_OFFSET = MAX_SCALE_OFFSET + Integer.BYTES;
  static final int BOUND_COUNT_OFFSET = MAX_BUCKETS_OFFSET + Integer.BYTES;
  static final int NAME_LENGTH_OFFSET = BOUND_COUNT_OFFSET + Integer.BYTES;
  static final int UNIT_LENGTH_OFFSET = NAME_LENGTH_OFFSET + Integer.BYTES;
  static final int HELP_LENGTH_OFFSET = UNIT_LENGTH_OFFSET + Integer.BYTES;
  static final int BOUNDS_OFFSET = HELP_LENGTH_OFFSET + 2 * Integer.BYTES;

  static final int FLAG_LIVE_ONLY = 1;
  static final int FLAG_WHOLE_NUMBERS = 2;
  static final int FLAG_EXEMPLARS = 4;

  static final int CREATED_OFFSET = RECORD_HEADER_BYTES;
  static final int CELL_POSITION_OFFSET = CREATED_OFFSET + Long.BYTES;
  static final int CELL_COUNT_OFFSET = CELL_POSITION_OFFSET + Long.BYTES;
  static final int EXEMPLAR_SLOTS_OFFSET = CELL_COUNT_OFFSET + Integer.BYTES;
  static final int LABEL_COUNT_OFFSET = EXEMPLAR_SLOTS_OFFSET + Integer.BYTES;
  static final int LABELS_LENGTH_OFFSET = LABEL_COUNT_OFFSET + Integer.BYTES;
  static final int SHAPE_OFFSET = LABELS_LENGTH_OFFSET + Integer.BYTES;
  static final int SHAPE_BYTES = 6 * Integer.BYTES;

  static final int INSTANCE_BYTES = 2 * Long.BYTES;

  /** What two bytes can count. */
  static final int MAX_LABEL_BYTES = 65_535;

  /** More labels than any sensible series has; bounds what a reader believes. */
  static final int MAX_LABELS = 256;

  /** The most bytes of one record: the greatest label set and room for what stands before it. */
  static final int MAX_RECORD_BYTES = 2 * MAX_LABELS * (MAX_LABEL_BYTES + 1) + 4096;

  /** Help is for people; bounds the record of a declaration. */
  static final int MAX_HELP_BYTES = 16 * 1024;

  /** The OpenTelemetry specification's bound for instrument names, as for units. */
  static final int MAX_NAME_BYTES = 255;

  /** More bounds than any sensible histogram has; 64 KiB a series. */
  static final int MAX_BOUNDS = 8191;

  /** Whole numbers of 4 bytes in an array. */
  static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  /** Whole numbers of 8 bytes in an array. */
  static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** Whole numbers of 2 bytes in an array. */
  static final VarHandle SHORTS =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);

  private RecordLayout() {}

  static int roundUpTo8(int lengthBytes) {
    return (lengthBytes + 7) & -8;
  }
}

package dev.millrace.store.file;

import java.io.IOException;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * What a file's header says of it.
 *
 * @param instance who wrote the file
 * @param pid the writer's process id in its own pid namespace; for people only
 * @param startTimeUnixNanos when the writer began
 * @param role {@link FileLayout#ROLE_PROCESS} or {@link FileLayout#ROLE_TOTALS}
 */
public record FileHeader(InstanceId instance, long pid, long startTimeUnixNanos, int role) {
  /** A header, or why there is none. */
  record Result(@Nullable FileHeader header, Outcome outcome, String reason) {}

  /** What a reader can say of the beginning of a file. */
  enum Outcome {
    /** A header that this version reads. */
    GOOD,
    /** Nothing but zeros, or nothing at all: the writer never got as far, or the file was cut. */
    EMPTY,
    /** A store file whose header is wrong. */
    DAMAGED,
    /** Not a store file, or one of a newer version. */
    REFUSED
  }

  /** Reads the header of a file. */
  static Result read(StoreBytes bytes) throws IOException {
    byte[] start = new byte[FileLayout.HEADER_USED_BYTES];
    int read = bytes.read(0, start, 0, start.length);
    long magic = (long) RecordLayout.LONGS.get(start, FileLayout.MAGIC_OFFSET);
    if (read < Long.BYTES || magic == 0) {
      return new Result(
          null,
          Outcome.EMPTY,
          "expected a header of " + start.length + " bytes, found " + read + " bytes and no magic");
    }
    if (magic != FileLayout.MAGIC) {
      return new Result(
          null,
          Outcome.REFUSED,
          "expected the magic MILLRACE, found another; move the foreign file elsewhere");
    }
    int version = (int) RecordLayout.INTS.get(start, FileLayout.VERSION_OFFSET);
    int mark = (int) RecordLayout.INTS.get(start, FileLayout.BYTE_ORDER_OFFSET);
    if (read == start.length && version > FileLayout.VERSION) {
      return new Result(
          null,
          Outcome.REFUSED,
          "expected version 1 to "
              + FileLayout.VERSION
              + ", found version "
              + version
              + "; read the directory with the newer Millrace that wrote it");
    }
    if (read == start.length && mark == Integer.reverseBytes(FileLayout.BYTE_ORDER_MARK)) {
      return new Result(
          null,
          Outcome.REFUSED,
          "expected a little-endian file, found a big-endian one; read it where it was written");
    }
    CRC32C crc = new CRC32C();
    crc.update(start, 0, FileLayout.HEADER_CRC_OFFSET);
    int role = (int) RecordLayout.INTS.get(start, FileLayout.ROLE_OFFSET);
    if (read < start.length
        || version < 1
        || mark != FileLayout.BYTE_ORDER_MARK
        || (int) crc.getValue() != (int) RecordLayout.INTS.get(start, FileLayout.HEADER_CRC_OFFSET)
        || (role != FileLayout.ROLE_PROCESS && role != FileLayout.ROLE_TOTALS)) {
      return new Result(
          null, Outcome.DAMAGED, "expected a whole header, found one whose checksum is wrong");
    }
    return new Result(
        new FileHeader(
            new InstanceId(
                (long) RecordLayout.LONGS.get(start, FileLayout.INSTANCE_HIGH_OFFSET),
                (long) RecordLayout.LONGS.get(start, FileLayout.INSTANCE_LOW_OFFSET)),
            (long) RecordLayout.LONGS.get(start, FileLayout.PID_OFFSET),
            (long) RecordLayout.LONGS.get(start, FileLayout.START_TIME_OFFSET),
            role),
        Outcome.GOOD,
        "");
  }
}

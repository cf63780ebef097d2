package dev.millrace.format.prometheus;

import dev.millrace.bytes.ChunkWriter;
import dev.millrace.bytes.DoubleText;
import dev.millrace.format.translation.SampleName;

/** Writes single sample lines. Stateless. */
final class SampleWriter {
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  private SampleWriter() {}

  /** Writes a name and the first bytes of a block of labels, in one piece where it is short. */
  static void writeSeries(ChunkWriter out, SampleName name, byte[] block, int blockLengthBytes) {
    byte[] start = name.before(blockLengthBytes);
    int from = name.skippedBytes(blockLengthBytes);
    int rest = blockLengthBytes - from;
    int length = start.length + rest;
    // With room for the number, so that the line mostly needs no second look for room.
    if (length + DoubleText.MAX_BYTES + 1 <= ChunkWriter.MAX_RESERVE_BYTES) {
      int at = out.reserve(length + DoubleText.MAX_BYTES + 1);
      byte[] target = out.reservedBytes();
      System.arraycopy(start, 0, target, at, start.length);
      System.arraycopy(block, from, target, at + start.length, rest);
      out.advanceTo(at + length);
    } else {
      out.write(start);
      out.write(block, from, rest);
    }
  }

  static void writeLong(ChunkWriter out, long value) {
    out.writeLong(value);
    out.writeByte('\n');
  }

  static void writeDouble(ChunkWriter out, double value) {
    out.writeDouble(value);
    out.writeByte('\n');
  }

  /** Writes an unsigned number and ends the line. */
  static void writeCount(ChunkWriter out, long unsigned) {
    appendCount(out, unsigned);
    out.writeByte('\n');
  }

  /** Writes an unsigned number. */
  static void appendCount(ChunkWriter out, long unsigned) {
    if (unsigned < 0) {
      out.writeLong(Long.divideUnsigned(unsigned, 10));
      out.writeByte('0' + (int) Long.remainderUnsigned(unsigned, 10));
    } else {
      out.writeLong(unsigned);
    }
  }

  /** Writes a time as seconds, exact, without an exponent and without zeros at its end. */
  static void writeTime(ChunkWriter out, long unixNanos) {
    out.writeLong(unixNanos / NANOS_PER_SECOND);
    long fraction = unixNanos % NANOS_PER_SECOND;
    if (fraction != 0) {
      out.writeByte('.');
      for (long digit = NANOS_PER_SECOND / 10; fraction != 0; digit /= 10) {
        out.writeByte('0' + (int) (fraction / digit));
        fraction %= digit;
      }
    }
    out.writeByte('\n');
  }
}

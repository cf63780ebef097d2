package dev.millrace.store.foreign;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;

/**
 * A part of a file in memory that is moved over it, by reads and never by a mapping: a file that
 * somebody cuts short then costs a short read, and not a fault that ends the process. No lock is
 * taken, so a writer never waits.
 *
 * <p>The system copies an aligned value as a whole: it copies in steps of 8 bytes or more on every
 * machine that we know. One thread at a time; used for one file after the other.
 */
final class Window {
  /**
   * Lies in a processor's second-level cache, and makes the cost of a call small against that of
   * copying.
   */
  private static final int CAPACITY_BYTES = 128 * 1024;

  private final ByteBuffer buffer =
      ByteBuffer.allocateDirect(CAPACITY_BYTES).order(ByteOrder.nativeOrder());
  private long start;
  private int length;

  /** Forgets what was read. */
  void reset() {
    start = 0;
    length = 0;
  }

  /** Makes sure that bytes are in memory; {@code false} where the file ends before. */
  boolean has(FileChannel channel, long position, int lengthBytes) throws IOException {
    if (position >= start && position + lengthBytes <= start + length) {
      return true;
    }
    start = position;
    length = 0;
    while (length < lengthBytes) {
      int read = channel.read(buffer.clear().position(length), position + length);
      if (read <= 0) {
        return false;
      }
      length += read;
    }
    return true;
  }

  int getInt(long position) {
    return buffer.getInt((int) (position - start));
  }

  long getLong(long position) {
    return buffer.getLong((int) (position - start));
  }

  double getDouble(long position) {
    return buffer.getDouble((int) (position - start));
  }

  /** Copies bytes; {@code false} where the file ends before. */
  boolean copy(FileChannel channel, long position, byte[] target, int lengthBytes)
      throws IOException {
    for (int done = 0; done < lengthBytes; ) {
      int step = Math.min(lengthBytes - done, CAPACITY_BYTES);
      if (!has(channel, position + done, step)) {
        return false;
      }
      buffer.clear().get((int) (position + done - start), target, done, step);
      done += step;
    }
    return true;
  }
}

package dev.millrace.store.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Reads a file through its channel, never through a mapping: a file that somebody cuts short then
 * costs a short read and not a fault, and a file that is deleted can be read until it is closed.
 *
 * <p>The system copies an aligned cell as a whole: it copies in steps of 8 bytes or more on every
 * machine that we know, and {@code StressTest} looks for the contrary.
 */
final class FileBytes implements StoreBytes {
  /** Large enough that a warm read of a usual process is one or two calls. */
  static final int SCRATCH_BYTES = 256 * 1024;

  private final StoreChannel channel;
  private final ByteBuffer scratch;

  private FileBytes(StoreChannel channel, ByteBuffer scratch) {
    this.channel = channel;
    this.scratch = scratch;
  }

  /**
   * Opens a file for reading.
   *
   * @param scratch from {@link #newScratch}; may be shared by readers of one thread
   */
  static FileBytes open(Path path, ByteBuffer scratch) throws IOException {
    return new FileBytes(StoreChannel.open(path, StandardOpenOption.READ), scratch);
  }

  /** Memory that reads go through. */
  static ByteBuffer newScratch() {
    return ByteBuffer.allocateDirect(SCRATCH_BYTES).order(ByteOrder.LITTLE_ENDIAN);
  }

  @Override
  public int read(long position, byte[] target, int offset, int lengthBytes) throws IOException {
    int done = 0;
    while (done < lengthBytes) {
      int step = fill(position + done, lengthBytes - done);
      if (step <= 0) {
        break;
      }
      scratch.get(0, target, offset + done, step);
      done += step;
    }
    return done;
  }

  @Override
  public int readCells(long position, long[] target, int offset, int count) throws IOException {
    int done = 0;
    while (done < count) {
      int step = fill(position + (long) done * Long.BYTES, (count - done) * Long.BYTES);
      int cells = step / Long.BYTES;
      if (cells <= 0) {
        break;
      }
      for (int i = 0; i < cells; i++) {
        target[offset + done + i] = scratch.getLong(i * Long.BYTES);
      }
      done += cells;
    }
    return done;
  }

  private int fill(long position, int lengthBytes) throws IOException {
    scratch.clear().limit(Math.min(lengthBytes, scratch.capacity()));
    int read = channel.read(scratch, position);
    scratch.clear();
    return read;
  }

  @Override
  public long sizeBytes() throws IOException {
    return channel.size();
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      // Nothing was written, so nothing is lost.
    }
  }
}

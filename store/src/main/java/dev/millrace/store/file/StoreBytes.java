package dev.millrace.store.file;

import java.io.IOException;

/**
 * Reads what a {@link StoreWriter} writes, while it writes. Used by one thread at a time.
 *
 * <p>No method ever reads past the end: what is not there is not counted.
 */
interface StoreBytes extends AutoCloseable {
  /**
   * Copies bytes.
   *
   * @return how many were there, from 0 to {@code lengthBytes}
   */
  int read(long position, byte[] target, int offset, int lengthBytes) throws IOException;

  /**
   * Copies cells, each whole.
   *
   * @param position a multiple of 8
   * @return how many were there, from 0 to {@code count}
   */
  int readCells(long position, long[] target, int offset, int count) throws IOException;

  /** How many bytes there are now. */
  long sizeBytes() throws IOException;

  @Override
  void close();
}

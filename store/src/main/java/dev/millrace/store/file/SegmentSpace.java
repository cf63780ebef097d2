package dev.millrace.store.file;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Where a {@link StoreWriter} gets the memory of its segments. Used by one thread at a time. */
interface SegmentSpace {
  /**
   * Makes the next piece: zeros, directly behind the last piece, at the same place for as long as
   * anybody holds the buffer.
   *
   * @param position offset of the piece, a multiple of a page
   * @param lengthBytes its length, a multiple of a page
   * @return a direct or mapped buffer of that length, aligned to 8 bytes
   * @throws IOException if there is no space; nothing has changed then
   */
  ByteBuffer extend(long position, int lengthBytes) throws IOException;
}

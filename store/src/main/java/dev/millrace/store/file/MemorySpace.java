package dev.millrace.store.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Pieces in the process's own memory, outside of the heap: a store without a directory, or the
 * series that a full disk had no room for. One thread at a time extends it while another reads.
 */
final class MemorySpace implements SegmentSpace, StoreBytes {
  /** Readers take the array as it is; the writer replaces it. */
  private volatile ByteBuffer[] pieces = {};

  @Override
  public ByteBuffer extend(long position, int lengthBytes) throws IOException {
    ByteBuffer piece;
    try {
      piece = ByteBuffer.allocateDirect(lengthBytes).order(ByteOrder.LITTLE_ENDIAN);
    } catch (OutOfMemoryError e) {
      // The JVM's bound on direct memory, which says nothing about the heap.
      throw new IOException(
          "expected "
              + lengthBytes
              + " bytes of direct memory for new series, found none left; raise"
              + " -XX:MaxDirectMemorySize or use fewer label values",
          e);
    }
    ByteBuffer[] more = Arrays.copyOf(pieces, pieces.length + 1);
    more[more.length - 1] = piece;
    pieces = more;
    return piece;
  }

  @Override
  public int read(long position, byte[] target, int offset, int lengthBytes) {
    int done = 0;
    long pieceStart = 0;
    for (ByteBuffer piece : pieces) {
      long from = position + done - pieceStart;
      if (from >= 0 && from < piece.capacity() && done < lengthBytes) {
        int step = (int) Math.min(lengthBytes - done, piece.capacity() - from);
        copyWholeLongs(piece, (int) from, target, offset + done, step);
        done += step;
      }
      pieceStart += piece.capacity();
    }
    return done;
  }

  private static void copyWholeLongs(
      ByteBuffer piece, int from, byte[] target, int offset, int lengthBytes) {
    int at = 0;
    // Lengths in the header are published with release; reading them takes acquire.
    while (at + Long.BYTES <= lengthBytes && (from & 7) == 0) {
      RecordLayout.LONGS.set(
          target, offset + at, (long) FileLayout.LONGS.getAcquire(piece, from + at));
      at += Long.BYTES;
    }
    piece.get(from + at, target, offset + at, lengthBytes - at);
  }

  @Override
  public int readCells(long position, long[] target, int offset, int count) {
    int done = 0;
    long pieceStart = 0;
    for (ByteBuffer piece : pieces) {
      long from = position + (long) done * Long.BYTES - pieceStart;
      if (from >= 0 && from < piece.capacity() && done < count) {
        int step = (int) Math.min(count - done, (piece.capacity() - from) / Long.BYTES);
        for (int i = 0; i < step; i++) {
          target[offset + done + i] =
              (long) FileLayout.LONGS.getAcquire(piece, (int) from + i * Long.BYTES);
        }
        done += step;
      }
      pieceStart += piece.capacity();
    }
    return done;
  }

  @Override
  public long sizeBytes() {
    long size = 0;
    for (ByteBuffer piece : pieces) {
      size += piece.capacity();
    }
    return size;
  }

  /** Nothing to do: the memory goes with its last holder. */
  @Override
  public void close() {}
}

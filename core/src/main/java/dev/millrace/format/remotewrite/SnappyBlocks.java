package dev.millrace.format.remotewrite;

import dev.millrace.bytes.Chunk;
import dev.millrace.bytes.ChunkWriter;
import dev.millrace.bytes.Payload;
import dev.millrace.bytes.Varint;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.xerial.snappy.Snappy;
import org.xerial.snappy.SnappyError;

/**
 * Compresses payloads by the block format of snappy. What is longer than 64 KiB is compressed in
 * pieces there, each of them without a look at those before it, behind one length; so chunks are
 * compressed one by one, without ever lying in one piece.
 *
 * <pre>
 *   | length of all that was compressed (varint) | piece 0 | piece 1 | ...
 * </pre>
 *
 * <p>Not thread-safe; it keeps the memory for one piece.
 */
final class SnappyBlocks {
  private final byte[] piece;

  /**
   * Makes the memory, and loads the library.
   *
   * @throws IllegalStateException if its native part cannot be loaded
   */
  SnappyBlocks() {
    try {
      piece = new byte[Snappy.maxCompressedLength(Chunk.SIZE_BYTES)];
    } catch (LinkageError | SnappyError e) {
      throw new IllegalStateException(
          "expected the native library of snappy-java to load, found that it does not ("
              + e
              + "); let the system property org.xerial.snappy.tempdir name a directory that it can"
              + " be unpacked into and run from",
          e);
    }
  }

  /** Compresses two payloads as one, and closes them. */
  Payload compress(Payload first, Payload second) {
    try (first;
        second;
        ChunkWriter out = new ChunkWriter(first.pool())) {
      int at = out.reserve(Varint.MAX_BYTES);
      long lengthBytes = first.lengthBytes() + second.lengthBytes();
      out.advanceTo(Varint.put(lengthBytes, out.reservedBytes(), at));
      append(first, out);
      append(second, out);
      return out.finish();
    }
  }

  private void append(Payload source, ChunkWriter out) {
    for (Chunk chunk = source.first(); chunk != null; chunk = chunk.next()) {
      int lengthBytes = chunk.lengthBytes();
      if (lengthBytes > 0) {
        int compressedBytes = compress(chunk.bytes(), lengthBytes);
        // The piece has a length of its own, which is written once for all.
        int from = Varint.sizeOf(lengthBytes);
        out.write(piece, from, compressedBytes - from);
      }
    }
  }

  private int compress(byte[] bytes, int lengthBytes) {
    try {
      return Snappy.compress(bytes, 0, lengthBytes, piece, 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

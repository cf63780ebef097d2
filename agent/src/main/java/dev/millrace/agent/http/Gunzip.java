package dev.millrace.agent.http;

import dev.millrace.agent.http.RefusedBodyException.Kind;
import dev.millrace.bytes.Chunk;
import dev.millrace.bytes.ChunkWriter;
import dev.millrace.bytes.Payload;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/**
 * Decompresses gzip (RFC 1952): one member or more, each checked for its header, its checksum and
 * its length, and nothing behind them. Reusable, not thread-safe. The owner closes it, because the
 * JDK's inflater holds about 40 KiB outside the heap.
 *
 * <pre>
 *   member:  1f 8b | 8 | flags | time (4) | hints | system | [extra] [name] [comment] [header crc]
 *            deflate data | crc32 (4) | length mod 2^32 (4)
 * </pre>
 */
final class Gunzip implements AutoCloseable {
  private static final int MAGIC_1 = 0x1f;
  private static final int MAGIC_2 = 0x8b;
  private static final int METHOD_DEFLATE = 8;
  private static final int FLAG_HEADER_CRC = 1 << 1;
  private static final int FLAG_EXTRA = 1 << 2;
  private static final int FLAG_NAME = 1 << 3;
  private static final int FLAG_COMMENT = 1 << 4;
  private static final int RESERVED_FLAGS = 0xe0;

  /** Time, hints and system: nothing that decompression needs. */
  private static final int IGNORED_BYTES = 6;

  /** How much is decompressed before the limits are looked at again. */
  private static final int STEP_BYTES = 16 * 1024;

  private final Inflater inflater = new Inflater(true);
  private final CRC32 crc = new CRC32();
  private final byte[] step = new byte[STEP_BYTES];
  private @Nullable Chunk chunk;
  private int position;

  /**
   * Decompresses a whole body.
   *
   * @param compressed stays the caller's
   * @param out takes the bytes; not finished here
   * @param maxBytes how many bytes may come out
   * @param share the compressed body's; grows by what comes out
   * @throws RefusedBodyException if the body is broken, or more than it may be
   */
  void decompress(Payload compressed, ChunkWriter out, long maxBytes, BodyBudget.Share share)
      throws RefusedBodyException {
    chunk = compressed.first();
    position = 0;
    try {
      do {
        readHeader();
        readData(out, maxBytes, compressed.lengthBytes(), share);
        readTrailer();
      } while (hasMore());
    } finally {
      chunk = null;
      // The inflater must not hold on to a chunk that is about to be somebody else's.
      inflater.reset();
    }
  }

  @Override
  public void close() {
    inflater.end();
  }

  private void readHeader() throws RefusedBodyException {
    crc.reset();
    if (readHeaderByte() != MAGIC_1 || readHeaderByte() != MAGIC_2) {
      throw broken("expected the gzip magic number 1f 8b, found other bytes");
    }
    int method = readHeaderByte();
    if (method != METHOD_DEFLATE) {
      throw broken("expected the gzip method 8, found " + method);
    }
    int flags = readHeaderByte();
    if ((flags & RESERVED_FLAGS) != 0) {
      throw broken("expected no reserved gzip flags, found " + flags);
    }
    skipHeader(IGNORED_BYTES);
    if ((flags & FLAG_EXTRA) != 0) {
      int low = readHeaderByte();
      skipHeader(low | readHeaderByte() << 8);
    }
    if ((flags & FLAG_NAME) != 0) {
      skipHeaderText();
    }
    if ((flags & FLAG_COMMENT) != 0) {
      skipHeaderText();
    }
    if ((flags & FLAG_HEADER_CRC) != 0) {
      int expected = (int) crc.getValue() & 0xffff;
      int found = readByte() | readByte() << 8;
      if (found != expected) {
        throw broken("expected the gzip header's checksum, found another");
      }
    }
  }

  private void readData(
      ChunkWriter out, long maxBytes, long compressedBytes, BodyBudget.Share share)
      throws RefusedBodyException {
    crc.reset();
    inflater.reset();
    while (!inflater.finished()) {
      if (inflater.needsInput()) {
        feed();
      }
      int lengthBytes = inflate();
      if (lengthBytes > maxBytes - out.lengthBytes()) {
        throw new RefusedBodyException(
            Kind.TOO_LARGE,
            "expected a body of at most " + maxBytes + " bytes after decompression, found more");
      }
      long heldBytes = BodyBudget.wholeChunks(compressedBytes) + out.lengthBytes() + lengthBytes;
      if (!share.growTo(heldBytes)) {
        throw new RefusedBodyException(
            share.couldGrowTo(heldBytes) ? Kind.NO_ROOM : Kind.TOO_LARGE,
            "expected room for the request body, found none");
      }
      crc.update(step, 0, lengthBytes);
      out.write(step, 0, lengthBytes);
    }
    position -= inflater.getRemaining();
  }

  /** Gives the inflater the rest of the current chunk. */
  private void feed() throws RefusedBodyException {
    if (!hasMore()) {
      throw truncated();
    }
    Chunk current = chunk;
    if (current != null) {
      inflater.setInput(current.bytes(), position, current.lengthBytes() - position);
      position = current.lengthBytes();
    }
  }

  private int inflate() throws RefusedBodyException {
    try {
      return inflater.inflate(step);
    } catch (DataFormatException e) {
      throw broken("expected deflate data, found something else: " + e.getMessage());
    }
  }

  private void readTrailer() throws RefusedBodyException {
    if (readInt() != (int) crc.getValue()) {
      throw broken("expected the gzip checksum of the data, found another");
    }
    if (readInt() != (int) inflater.getBytesWritten()) {
      throw broken("expected the gzip length of the data, found another");
    }
  }

  private int readInt() throws RefusedBodyException {
    return readByte() | readByte() << 8 | readByte() << 16 | readByte() << 24;
  }

  private int readHeaderByte() throws RefusedBodyException {
    int value = readByte();
    crc.update(value);
    return value;
  }

  private void skipHeader(int lengthBytes) throws RefusedBodyException {
    for (int i = 0; i < lengthBytes; i++) {
      readHeaderByte();
    }
  }

  private void skipHeaderText() throws RefusedBodyException {
    while (readHeaderByte() != 0) {
      // A name or a comment that ends with a zero.
    }
  }

  private int readByte() throws RefusedBodyException {
    if (!hasMore()) {
      throw truncated();
    }
    Chunk current = chunk;
    return current == null ? 0 : current.bytes()[position++] & 0xff;
  }

  /** Whether there is another byte; goes to its chunk. */
  private boolean hasMore() {
    Chunk current = chunk;
    while (current != null && position == current.lengthBytes()) {
      current = current.next();
      chunk = current;
      position = 0;
    }
    return current != null;
  }

  private static RefusedBodyException truncated() {
    return broken("expected more gzip data, found the end of the body");
  }

  private static RefusedBodyException broken(String message) {
    return new RefusedBodyException(Kind.BROKEN, message);
  }
}

package dev.millrace.export.disk;

import dev.millrace.bytes.Chunk;
import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.ChunkWriter;
import dev.millrace.bytes.Payload;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/**
 * The format of one file: a header and a payload's bytes, all numbers big-endian.
 *
 * <pre>
 * offset  bytes
 *  0       8    magic, "MILLRACE" in ASCII
 *  8       4    version, 1
 * 12       4    how many items are in the payload, 1 or more
 * 16       8    the payload's length L in bytes
 * 24      32    content kind in ASCII, filled up with zeros
 * 56       4    CRC32C of bytes 0 to 55 and of the payload
 * 60       L    the payload; the file ends here
 * </pre>
 */
final class SpoolFile {
  /** Room for names such as {@code otlp/profiles}. */
  static final int MAX_KIND_BYTES = 32;

  /** Bytes before the payload. */
  static final int HEADER_BYTES = 60;

  private static final int ITEMS_OFFSET = 12;
  private static final int LENGTH_OFFSET = 16;
  private static final int KIND_OFFSET = 24;
  private static final int CRC_OFFSET = 56;
  private static final long MAGIC = 0x4d494c4c52414345L;
  private static final int VERSION = 1;

  private SpoolFile() {}

  /** A file that is not one of ours, or not whole any more. */
  static final class CorruptException extends Exception {
    private static final long serialVersionUID = 1;

    CorruptException(String message) {
      super(message);
    }
  }

  /** What was read; the payload is the reader's. */
  record Content(Payload payload, int items) {}

  /** Takes what a file is made of. */
  interface Output {
    /** Writes all that remains. */
    void write(ByteBuffer bytes) throws IOException;
  }

  static void write(Output out, String kind, Payload payload, int items) throws IOException {
    ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES);
    header.putLong(MAGIC).putInt(VERSION).putInt(items).putLong(payload.lengthBytes());
    header.put(kind.getBytes(StandardCharsets.US_ASCII));
    CRC32C crc = new CRC32C();
    crc.update(header.array(), 0, CRC_OFFSET);
    for (Chunk chunk = payload.first(); chunk != null; chunk = chunk.next()) {
      crc.update(chunk.bytes(), 0, chunk.lengthBytes());
    }
    header.putInt(CRC_OFFSET, (int) crc.getValue());
    header.rewind();
    out.write(header);
    for (Chunk chunk = payload.first(); chunk != null; chunk = chunk.next()) {
      out.write(ByteBuffer.wrap(chunk.bytes(), 0, chunk.lengthBytes()));
    }
  }

  /**
   * Reads a file and checks all of it.
   *
   * @throws CorruptException if the file is another than {@link #write} makes of this kind
   */
  static Content read(Path file, String kind, ChunkPool pool) throws IOException, CorruptException {
    try (FileChannel in = FileChannel.open(file, StandardOpenOption.READ);
        ChunkWriter out = new ChunkWriter(pool)) {
      ByteBuffer header = header(in);
      long lengthBytes = header.getLong(LENGTH_OFFSET);
      if (lengthBytes != in.size() - HEADER_BYTES) {
        throw new CorruptException(
            "expected a payload of "
                + lengthBytes
                + " bytes after the header, found "
                + (in.size() - HEADER_BYTES));
      }
      if (!kind.equals(kind(header))) {
        throw new CorruptException(
            "expected content of the kind " + kind + ", found another; give each kind a directory");
      }
      CRC32C crc = new CRC32C();
      crc.update(header.duplicate().position(0).limit(CRC_OFFSET));
      byte[] bytes = new byte[Chunk.SIZE_BYTES];
      for (long left = lengthBytes; left > 0; ) {
        ByteBuffer part = ByteBuffer.wrap(bytes, 0, (int) Math.min(left, bytes.length));
        fill(in, part);
        crc.update(bytes, 0, part.limit());
        out.write(bytes, 0, part.limit());
        left -= part.limit();
      }
      if (header.getInt(CRC_OFFSET) != (int) crc.getValue()) {
        throw new CorruptException("expected content with the header's CRC32C, found another");
      }
      return new Content(out.finish(), header.getInt(ITEMS_OFFSET));
    }
  }

  /** How many items a file says it has; {@code 1} where it does not say. */
  static int items(Path file) {
    try (FileChannel in = FileChannel.open(file, StandardOpenOption.READ)) {
      return header(in).getInt(ITEMS_OFFSET);
    } catch (IOException | CorruptException e) {
      return 1;
    }
  }

  private static ByteBuffer header(FileChannel in) throws IOException, CorruptException {
    if (in.size() < HEADER_BYTES) {
      throw new CorruptException(
          "expected a header of " + HEADER_BYTES + " bytes, found a file of " + in.size());
    }
    ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES);
    fill(in, header);
    header.rewind();
    if (header.getLong() != MAGIC) {
      throw new CorruptException("expected Millrace's magic number, found another");
    }
    int version = header.getInt();
    if (version != VERSION) {
      throw new CorruptException("expected version " + VERSION + ", found " + version);
    }
    int items = header.getInt(ITEMS_OFFSET);
    if (items < 1) {
      throw new CorruptException("expected 1 or more items, found " + items);
    }
    return header;
  }

  private static String kind(ByteBuffer header) {
    int lengthBytes = 0;
    while (lengthBytes < MAX_KIND_BYTES && header.get(KIND_OFFSET + lengthBytes) != 0) {
      lengthBytes++;
    }
    byte[] kind = new byte[lengthBytes];
    header.get(KIND_OFFSET, kind);
    return new String(kind, StandardCharsets.US_ASCII);
  }

  private static void fill(FileChannel in, ByteBuffer buffer) throws IOException {
    while (buffer.hasRemaining()) {
      if (in.read(buffer) < 0) {
        throw new EOFException("the file became shorter while it was read");
      }
    }
  }
}

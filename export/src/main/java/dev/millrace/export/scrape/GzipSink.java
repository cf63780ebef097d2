package dev.millrace.export.scrape;

import dev.millrace.bytes.Chunk;
import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.ChunkWriter;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import org.jspecify.annotations.Nullable;

/**
 * Compresses with the JDK's zlib. The owner closes it, because the deflater holds about 260 KiB
 * outside the heap.
 */
final class GzipSink implements Compressor {
  /**
   * zlib's fastest level: on exposition text two to three times the throughput of its default,
   * level 6. The bytes that level 6 would save matter less on what is mostly a local network.
   */
  private static final int LEVEL = Deflater.BEST_SPEED;

  /**
   * What one call of the deflater may give: a whole chunk of text comes out as one or two of these,
   * so there are few calls into native code.
   */
  private static final int SCRATCH_BYTES = 8 * 1024;

  /** Magic number, method "deflate", no flags, no time, "fastest", system "unknown". */
  private static final byte[] HEADER = {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 4, (byte) 0xff};

  private final Deflater deflater = new Deflater(LEVEL, true);
  private final CRC32 crc = new CRC32();
  private final byte[] scratch = new byte[SCRATCH_BYTES];
  private @Nullable ChunkWriter out;

  @Override
  public void begin(ChunkWriter out) {
    this.out = out;
    deflater.reset();
    crc.reset();
    out.write(HEADER);
  }

  @Override
  public void accept(Chunk chunk, ChunkPool pool) {
    try {
      crc.update(chunk.bytes(), 0, chunk.lengthBytes());
      deflater.setInput(chunk.bytes(), 0, chunk.lengthBytes());
      while (!deflater.needsInput()) {
        writeDeflated();
      }
    } finally {
      pool.giveBack(chunk);
    }
  }

  @Override
  public void finish() {
    deflater.finish();
    while (!deflater.finished()) {
      writeDeflated();
    }
    writeIntLittleEndian((int) crc.getValue());
    writeIntLittleEndian((int) deflater.getBytesRead());
    out = null;
  }

  @Override
  public void close() {
    deflater.end();
  }

  private void writeDeflated() {
    int lengthBytes = deflater.deflate(scratch, 0, scratch.length);
    writer().write(scratch, 0, lengthBytes);
  }

  private void writeIntLittleEndian(int value) {
    ChunkWriter to = writer();
    to.writeByte(value);
    to.writeByte(value >>> 8);
    to.writeByte(value >>> 16);
    to.writeByte(value >>> 24);
  }

  private ChunkWriter writer() {
    ChunkWriter to = out;
    if (to == null) {
      throw new IllegalStateException("expected begin before chunks and finish, found none");
    }
    return to;
  }
}

package dev.millrace.benchmarks.scrape;

import dev.millrace.bytes.Chunk;
import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.ChunkWriter;
import dev.millrace.deflate.GzipEncoder;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/** Who compresses a text that is there already, in chunks. */
final class GzipContestants {
  static final String ZLIB_1 = "zlib-1";
  static final String ZLIB_6 = "zlib-6";

  private GzipContestants() {}

  /** Makes a contestant; the caller closes it. */
  static Contestant create(String name, byte[] text) {
    return switch (name) {
      case Contestants.MILLRACE -> new Millrace(text);
      case ZLIB_1 -> new Zlib(text, 1);
      case ZLIB_6 -> new Zlib(text, 6);
      default ->
          throw new IllegalArgumentException(
              "contestant: expected millrace, zlib-1 or zlib-6, found " + name);
    };
  }

  /** Millrace's encoder. */
  private static final class Millrace implements Contestant {
    private final byte[] text;
    private final ChunkPool pool = new ChunkPool(2);
    private final ChunkWriter writer = new ChunkWriter(pool, this::write);
    private final GzipEncoder encoder = new GzipEncoder();
    private OutputStream out = OutputStream.nullOutputStream();

    Millrace(byte[] text) {
      this.text = text;
    }

    @Override
    public void scrape(OutputStream out) {
      this.out = out;
      encoder.begin(writer);
      for (int from = 0; from < text.length; from += Chunk.SIZE_BYTES) {
        encoder.write(text, from, Math.min(Chunk.SIZE_BYTES, text.length - from));
      }
      encoder.finish();
      writer.flush();
    }

    private void write(Chunk chunk, ChunkPool from) {
      try {
        out.write(chunk.bytes(), 0, chunk.lengthBytes());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } finally {
        from.giveBack(chunk);
      }
    }

    @Override
    public void renewTenth() {
      throw new UnsupportedOperationException("expected bytes to stay as they are");
    }

    @Override
    public void close() {
      writer.close();
    }
  }

  /** The JDK's zlib, with as few calls into native code as chunks allow, and CRC-32 beside it. */
  private static final class Zlib implements Contestant {
    private final byte[] text;
    private final Deflater deflater;
    private final CRC32 crc = new CRC32();
    private final byte[] chunk = new byte[Chunk.SIZE_BYTES];

    Zlib(byte[] text, int level) {
      this.text = text;
      deflater = new Deflater(level, true);
    }

    @Override
    public void scrape(OutputStream out) throws IOException {
      deflater.reset();
      crc.reset();
      for (int from = 0; from < text.length; from += Chunk.SIZE_BYTES) {
        int step = Math.min(Chunk.SIZE_BYTES, text.length - from);
        crc.update(text, from, step);
        deflater.setInput(text, from, step);
        while (!deflater.needsInput()) {
          out.write(chunk, 0, deflater.deflate(chunk));
        }
      }
      deflater.finish();
      while (!deflater.finished()) {
        out.write(chunk, 0, deflater.deflate(chunk));
      }
    }

    @Override
    public void renewTenth() {
      throw new UnsupportedOperationException("expected bytes to stay as they are");
    }

    @Override
    public void close() {
      deflater.end();
    }
  }
}

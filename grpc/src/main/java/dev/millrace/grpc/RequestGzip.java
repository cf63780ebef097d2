package dev.millrace.grpc;

import dev.millrace.bytes.Chunk;
import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.ChunkWriter;
import dev.millrace.bytes.Payload;
import java.util.concurrent.atomic.AtomicReference;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/**
 * Compresses requests by gzip (RFC 1952) into pooled chunks. Thread-safe: a thread that finds the
 * kept compressor in use makes another for that request.
 */
final class RequestGzip {
  private static final byte[] HEADER = {0x1f, (byte) 0x8b, Deflater.DEFLATED, 0, 0, 0, 0, 0, 0, -1};

  /** The fastest: protobuf of telemetry is half as large by it, and the best saves little more. */
  private static final int LEVEL = Deflater.BEST_SPEED;

  private final ChunkPool pool;
  private final AtomicReference<Compressor> idle = new AtomicReference<>(new Compressor());

  RequestGzip(ChunkPool pool) {
    this.pool = pool;
  }

  /**
   * Compresses a whole payload.
   *
   * @return what the caller owns
   */
  Payload compress(Payload payload) {
    Compressor kept = idle.getAndSet(null);
    Compressor compressor = kept == null ? new Compressor() : kept;
    try (ChunkWriter out = new ChunkWriter(pool)) {
      compressor.compress(payload, out);
      return out.finish();
    } finally {
      if (!idle.compareAndSet(null, compressor)) {
        compressor.end();
      }
    }
  }

  /** Holds about 270 KiB outside the heap, which the JDK frees with the object. */
  private static final class Compressor {
    private final Deflater deflater = new Deflater(LEVEL, true);
    private final CRC32 crc = new CRC32();

    void compress(Payload payload, ChunkWriter out) {
      deflater.reset();
      crc.reset();
      out.write(HEADER);
      for (Chunk chunk = payload.first(); chunk != null; chunk = chunk.next()) {
        crc.update(chunk.bytes(), 0, chunk.lengthBytes());
        deflater.setInput(chunk.bytes(), 0, chunk.lengthBytes());
        while (!deflater.needsInput()) {
          deflate(out);
        }
      }
      deflater.finish();
      while (!deflater.finished()) {
        deflate(out);
      }
      writeInt(out, (int) crc.getValue());
      writeInt(out, (int) payload.lengthBytes());
      // The deflater must not hold on to a chunk that is about to be somebody else's.
      deflater.reset();
    }

    private void deflate(ChunkWriter out) {
      int at = out.reserve(ChunkWriter.MAX_RESERVE_BYTES);
      byte[] bytes = out.reservedBytes();
      out.advanceTo(at + deflater.deflate(bytes, at, bytes.length - at));
    }

    void end() {
      deflater.end();
    }

    private static void writeInt(ChunkWriter out, int value) {
      for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
        out.writeByte(value >>> shift);
      }
    }
  }
}

package dev.millrace.export.scrape;

import dev.millrace.bytes.Chunk;
import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.ChunkWriter;
import dev.millrace.deflate.GzipEncoder;
import org.jspecify.annotations.Nullable;

/**
 * Compresses with zlib at first, and then with Millrace's own encoder.
 *
 * <p>Code in Java is slow until the JVM has compiled it, and compiling takes time too: some tenths
 * of a second in all for the encoder. zlib is fast at once. A process that ends soon, or is scraped
 * for a small text now and then, would not earn that back for hours.
 */
final class FastGzip implements Compressor {
  /**
   * How much goes through zlib at first; that takes it about a tenth of a second. No body is
   * divided.
   */
  private static final long FIRST_BYTES = 32L * 1024 * 1024;

  private final long firstBytes;
  private @Nullable GzipSink zlib = new GzipSink();
  private @Nullable GzipEncoder encoder;
  private long acceptedBytes;

  FastGzip() {
    this(FIRST_BYTES);
  }

  /** With another amount that goes through zlib at first. */
  FastGzip(long firstBytes) {
    this.firstBytes = firstBytes;
  }

  @Override
  public void begin(ChunkWriter out) {
    GzipSink first = zlib;
    if (first != null && acceptedBytes < firstBytes) {
      first.begin(out);
      return;
    }
    close();
    GzipEncoder begun = encoder;
    if (begun == null) {
      begun = new GzipEncoder();
      encoder = begun;
    }
    begun.reset();
    begun.begin(out);
  }

  @Override
  public void accept(Chunk chunk, ChunkPool pool) {
    GzipSink first = zlib;
    if (first != null) {
      acceptedBytes += chunk.lengthBytes();
      first.accept(chunk, pool);
      return;
    }
    try {
      encoder().write(chunk.bytes(), 0, chunk.lengthBytes());
    } finally {
      pool.giveBack(chunk);
    }
  }

  @Override
  public void finish() {
    GzipSink first = zlib;
    if (first != null) {
      first.finish();
    } else {
      encoder().finish();
    }
  }

  /** Lets go of zlib's memory; the encoder's is in the heap, about 230 KiB. */
  @Override
  public void close() {
    GzipSink first = zlib;
    zlib = null;
    if (first != null) {
      first.close();
    }
  }

  private GzipEncoder encoder() {
    GzipEncoder begun = encoder;
    if (begun == null) {
      throw new IllegalStateException("expected begin before chunks and finish, found none");
    }
    return begun;
  }
}

package dev.millrace.export.scrape;

import dev.millrace.bytes.Chunk;
import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.ChunkSink;
import dev.millrace.bytes.ChunkWriter;

/**
 * Compresses chunks into one gzip member (RFC 1952). Reusable, also after a body that was not
 * finished: {@link #begin}, chunks, {@link #finish}, and again. Not thread-safe. The owner closes
 * it.
 */
interface Compressor extends ChunkSink, AutoCloseable {
  /** A new compressor of a kind. */
  static Compressor create(Compression compression) {
    return switch (compression) {
      case FAST -> new FastGzip();
      case ZLIB -> new GzipSink();
    };
  }

  /** Begins a member. */
  void begin(ChunkWriter out);

  /** Compresses one chunk, and gives it back also when it throws. */
  @Override
  void accept(Chunk chunk, ChunkPool pool);

  /** Ends the member; the writer is not flushed. */
  void finish();

  /** Lets go of memory outside the heap. */
  @Override
  void close();
}

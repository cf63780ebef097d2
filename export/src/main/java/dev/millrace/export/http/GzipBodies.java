package dev.millrace.export.http;

import dev.millrace.bytes.Chunk;
import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.ChunkWriter;
import dev.millrace.bytes.Payload;
import dev.millrace.deflate.GzipEncoder;
import java.util.ArrayDeque;

/** Compresses payloads with Millrace's own encoder, and keeps encoders. Thread-safe. */
final class GzipBodies {
  /** An encoder holds about 230 KiB; more than two sends at once are rare. */
  private static final int MAX_IDLE = 2;

  private final ChunkPool pool;
  private final ArrayDeque<GzipEncoder> idle = new ArrayDeque<>(MAX_IDLE);

  GzipBodies(ChunkPool pool) {
    this.pool = pool;
  }

  /** A compressed copy, which the caller owns; the original stays as it is. */
  Payload compressed(Payload payload) {
    GzipEncoder encoder = take();
    try (ChunkWriter out = new ChunkWriter(pool)) {
      encoder.reset();
      encoder.begin(out);
      for (Chunk chunk = payload.first(); chunk != null; chunk = chunk.next()) {
        encoder.write(chunk.bytes(), 0, chunk.lengthBytes());
      }
      encoder.finish();
      return out.finish();
    } finally {
      giveBack(encoder);
    }
  }

  private GzipEncoder take() {
    GzipEncoder found;
    synchronized (idle) {
      found = idle.poll();
    }
    return found == null ? new GzipEncoder() : found;
  }

  private void giveBack(GzipEncoder encoder) {
    synchronized (idle) {
      if (idle.size() < MAX_IDLE) {
        idle.push(encoder);
      }
    }
  }
}

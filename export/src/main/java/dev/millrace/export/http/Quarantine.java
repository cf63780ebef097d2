package dev.millrace.export.http;

import dev.millrace.bytes.Chunk;
import dev.millrace.bytes.ChunkPool;
import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps chunks from their pool for as long as the JDK's client could still write them to a socket.
 *
 * <p>The client does not say when it has let go of a buffer of a request that was aborted: it
 * completes the request's future and closes the connection side by side. A chunk that went back to
 * the pool by then could be filled for another request, and its new bytes sent to the old peer. So
 * such a chunk goes back only when the buffer around it is unreachable, which the garbage collector
 * finds out. Thread-safe; its thread is a daemon, and starts with the first chunk.
 */
final class Quarantine {
  private @Nullable Cleaner cleaner;

  /** Gives the chunk back once nobody holds the buffer any more. */
  void keep(ByteBuffer buffer, Chunk chunk, ChunkPool pool) {
    started().register(buffer, () -> pool.giveBack(chunk));
  }

  private synchronized Cleaner started() {
    Cleaner running = cleaner;
    if (running == null) {
      running = Cleaner.create();
      cleaner = running;
    }
    return running;
  }
}

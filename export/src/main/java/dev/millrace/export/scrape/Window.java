package dev.millrace.export.scrape;

import dev.millrace.bytes.Chunk;
import dev.millrace.bytes.ChunkPool;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The chunks of one body that were encoded and that not everybody has taken yet: what the fastest
 * reader may be ahead of the slowest. Positions count chunks from the start of the body.
 *
 * <p>The window owns a share of each chunk in it. Not thread-safe.
 */
final class Window {
  /**
   * How many chunks there are at most: 512 KiB. So many hand-overs are in one change of threads
   * when all peers are fast, and each slow scrape can hold so much back.
   */
  static final int CHUNKS = 8;

  private final @Nullable Chunk[] ring = new @Nullable Chunk[CHUNKS];
  private final ChunkPool pool;
  private long first;
  private long end;

  Window(ChunkPool pool) {
    this.pool = pool;
  }

  /** The position of the oldest chunk in the window. */
  long first() {
    return first;
  }

  /** The position of the chunk that comes next. */
  long end() {
    return end;
  }

  boolean isFull() {
    return end - first == CHUNKS;
  }

  /** Adds a chunk, which is shared with whoever gave it. */
  void add(Chunk chunk) {
    pool.share(chunk);
    ring[slot(end)] = chunk;
    end++;
  }

  /** The chunk at a position, shared with the caller, who gives it back. */
  Chunk get(long position) {
    Chunk chunk = Objects.requireNonNull(ring[slot(position)]);
    pool.share(chunk);
    return chunk;
  }

  /** Lets go of the chunks before a position; {@code true} if there were any. */
  boolean releaseBefore(long position) {
    boolean released = first < position;
    while (first < position) {
      int slot = slot(first);
      pool.giveBack(Objects.requireNonNull(ring[slot]));
      ring[slot] = null;
      first++;
    }
    return released;
  }

  private static int slot(long position) {
    return (int) (position % CHUNKS);
  }
}

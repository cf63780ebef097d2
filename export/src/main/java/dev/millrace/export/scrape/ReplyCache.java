package dev.millrace.export.scrape;

import dev.millrace.bytes.Chunk;
import dev.millrace.bytes.ChunkPool;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Whole replies that answer later scrapes like them for a while.
 *
 * <p>What is bounded is the memory in chunks, that of drafts and of replies that are still being
 * sent included: a peer that takes an old reply slowly may keep new ones out, and never makes the
 * memory grow. Not thread-safe.
 */
final class ReplyCache {
  /** A reply, whole or being written. Its chunks are shared with whoever sends them. */
  static final class Entry {
    private final ScrapeKey key;
    private final long readNanos;
    private final List<Chunk> chunks = new ArrayList<>();
    private String contentType = "";
    private long bodyBytes;
    private int users = 1;

    private Entry(ScrapeKey key, long readNanos) {
      this.key = key;
      this.readNanos = readNanos;
    }

    String contentType() {
      return contentType;
    }

    long bodyBytes() {
      return bodyBytes;
    }

    int chunkCount() {
      return chunks.size();
    }

    Chunk chunk(int index) {
      return chunks.get(index);
    }
  }

  private final ChunkPool pool;
  private final long lifeNanos;
  private final long maxChunks;
  private final Map<ScrapeKey, Entry> entries = new HashMap<>();
  private long heldChunks;

  /**
   * An empty cache.
   *
   * @param lifeNanos how long a reply is good, 0 for a cache that keeps nothing
   * @param maxBytes how much memory is held at most
   */
  ReplyCache(ChunkPool pool, long lifeNanos, long maxBytes) {
    this.pool = pool;
    this.lifeNanos = lifeNanos;
    this.maxChunks = maxBytes / Chunk.SIZE_BYTES;
  }

  /** The reply for a key if it is still good; the caller releases it. */
  @Nullable Entry take(ScrapeKey key, long nowNanos) {
    if (entries.isEmpty()) {
      return null;
    }
    trim(nowNanos);
    Entry entry = entries.get(key);
    if (entry != null) {
      entry.users++;
    }
    return entry;
  }

  /**
   * Begins a reply, or gives {@code null} where none is kept. The caller adds all chunks and {@link
   * #keep}s it, or releases it.
   *
   * @param readNanos when its source was read
   */
  @Nullable Entry draft(ScrapeKey key, long readNanos) {
    return lifeNanos == 0 || maxChunks == 0 ? null : new Entry(key, readNanos);
  }

  /**
   * Adds a chunk to a draft; {@code false} if there is no room, and the draft was released. Replies
   * that are still good do not make room for it: one too large to be kept would empty the cache.
   */
  boolean add(Entry draft, Chunk chunk) {
    if (heldChunks >= maxChunks) {
      release(draft);
      return false;
    }
    pool.share(chunk);
    heldChunks++;
    draft.chunks.add(chunk);
    return true;
  }

  /** Takes over a draft that is whole. */
  void keep(Entry draft, String contentType, long bodyBytes) {
    draft.contentType = contentType;
    draft.bodyBytes = bodyBytes;
    Entry before = entries.put(draft.key, draft);
    if (before != null) {
      release(before);
    }
  }

  /** Ends one use of an entry or a draft. The last one gives its chunks back. */
  void release(Entry entry) {
    entry.users--;
    if (entry.users == 0) {
      entry.chunks.forEach(pool::giveBack);
      heldChunks -= entry.chunks.size();
      entry.chunks.clear();
    }
  }

  /** Lets go of what is no longer good. */
  void trim(long nowNanos) {
    for (Iterator<Entry> i = entries.values().iterator(); i.hasNext(); ) {
      Entry entry = i.next();
      if (nowNanos - entry.readNanos >= lifeNanos) {
        i.remove();
        release(entry);
      }
    }
  }

  /** Lets go of everything. */
  void clear() {
    entries.values().forEach(this::release);
    entries.clear();
  }

  /** Chunks that are held, those of drafts and of replies being sent included. */
  long heldChunks() {
    return heldChunks;
  }
}

package dev.millrace.bytes;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A fixed-size piece of memory from a {@link ChunkPool}, and a link in the list of such pieces that
 * a writer fills and a {@link Payload} holds.
 *
 * <p><b>Ownership.</b> A chunk has exactly one owner at a time: the pool, a writer, a payload, or a
 * {@link ChunkSink} that it was handed to. Only the owner may touch it. It is not thread-safe;
 * handing it on must publish it safely. A filled chunk can be shared ({@link ChunkPool#share}):
 * from then on it has several owners, who only read it, and each of them gives it back once.
 */
public final class Chunk {
  /**
   * Bytes in each chunk: 64 KiB, large enough that a scrape of 100 MB is 1,600 hand-overs and small
   * enough that a pool of many threads' unfinished chunks stays small.
   */
  public static final int SIZE_BYTES = 64 * 1024;

  private final byte[] bytes = new byte[SIZE_BYTES];
  private final AtomicInteger owners = new AtomicInteger();
  private int lengthBytes;
  private @Nullable Chunk next;

  Chunk() {}

  /** The memory itself; the first {@link #lengthBytes()} bytes are filled. */
  public byte[] bytes() {
    return bytes;
  }

  /** How many bytes are filled, from 0 to {@link #SIZE_BYTES}. */
  public int lengthBytes() {
    return lengthBytes;
  }

  /** The chunk after this one in its payload, or {@code null} at the end. */
  public @Nullable Chunk next() {
    return next;
  }

  void setLengthBytes(int lengthBytes) {
    this.lengthBytes = lengthBytes;
  }

  void setNext(@Nullable Chunk next) {
    this.next = next;
  }

  /** Marks the chunk as taken from its pool. */
  void leave() {
    owners.set(1);
    lengthBytes = 0;
    next = null;
  }

  /** Adds an owner beside the one who calls. */
  void share() {
    if (owners.getAndIncrement() < 1) {
      owners.decrementAndGet();
      throw new IllegalStateException(
          "expected to share a chunk that its owner has not given back, found one in its pool; share before giving back");
    }
  }

  /**
   * Takes one owner away; {@code true} if that was the last, and the chunk is in the pool again.
   */
  boolean comeBack() {
    int left = owners.decrementAndGet();
    if (left < 0) {
      owners.incrementAndGet();
      throw new IllegalStateException(
          "chunk given back twice: expected one owner that gives it back once; find the second close or release");
    }
    if (left > 0) {
      return false;
    }
    next = null;
    return true;
  }
}

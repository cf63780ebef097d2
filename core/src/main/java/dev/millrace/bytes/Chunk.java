package dev.millrace.bytes;

import org.jspecify.annotations.Nullable;

/**
 * A fixed-size piece of memory from a {@link ChunkPool}, and a link in the list of such pieces that
 * a writer fills and a {@link Payload} holds.
 *
 * <p><b>Ownership.</b> A chunk has exactly one owner at a time: the pool, a writer, a payload, or a
 * {@link ChunkSink} that it was handed to. Only the owner may touch it. It is not thread-safe;
 * handing it on must publish it safely.
 */
public final class Chunk {
  /**
   * Bytes in each chunk: 64 KiB, large enough that a scrape of 100 MB is 1,600 hand-overs and small
   * enough that a pool of many threads' unfinished chunks stays small.
   */
  public static final int SIZE_BYTES = 64 * 1024;

  private final byte[] bytes = new byte[SIZE_BYTES];
  private int lengthBytes;
  private @Nullable Chunk next;
  private boolean out;

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
    out = true;
    lengthBytes = 0;
    next = null;
  }

  /** Marks the chunk as back in its pool. */
  void comeBack() {
    if (!out) {
      throw new IllegalStateException(
          "chunk given back twice: expected one owner that gives it back once; find the second close or release");
    }
    out = false;
    next = null;
  }
}

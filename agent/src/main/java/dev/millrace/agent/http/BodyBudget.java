package dev.millrace.agent.http;

import dev.millrace.bytes.Chunk;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bounds the memory of all request bodies in flight together. Nobody waits for it: a request that
 * it has no room for is told to come back, so requests that came first can finish. Thread-safe.
 */
public final class BodyBudget {
  private final long limitBytes;
  private final AtomicLong usedBytes = new AtomicLong();

  /**
   * A budget.
   *
   * @param limitBytes 1 or more; of a body that is compressed both forms count
   */
  public BodyBudget(long limitBytes) {
    if (limitBytes < 1) {
      throw new IllegalArgumentException("limitBytes: expected 1 or more, found " + limitBytes);
    }
    this.limitBytes = limitBytes;
  }

  /** The most bytes that may be in use. */
  public long limitBytes() {
    return limitBytes;
  }

  /** Bytes in use. */
  public long usedBytes() {
    return usedBytes.get();
  }

  /** A share of one body, which has nothing yet. */
  Share share() {
    return new Share();
  }

  /** The bytes of the chunks that a length takes. */
  static long wholeChunks(long lengthBytes) {
    return (lengthBytes + Chunk.SIZE_BYTES - 1) / Chunk.SIZE_BYTES * Chunk.SIZE_BYTES;
  }

  /** What one body uses. One thread at a time. */
  final class Share {
    private long heldBytes;

    private Share() {}

    /**
     * Makes sure of room for a length in all, in whole chunks, as that is what it takes.
     *
     * @return whether there is room; if not, nothing has changed
     */
    boolean growTo(long lengthBytes) {
      if (lengthBytes <= heldBytes) {
        return true;
      }
      long more = wholeChunks(lengthBytes) - heldBytes;
      if (usedBytes.addAndGet(more) > limitBytes) {
        usedBytes.addAndGet(-more);
        return false;
      }
      heldBytes += more;
      return true;
    }

    /** Whether there would be room for a length if this body were the only one. */
    boolean couldGrowTo(long lengthBytes) {
      return wholeChunks(lengthBytes) <= limitBytes;
    }

    /** Gives everything back; more than once does no harm. */
    void release() {
      usedBytes.addAndGet(-heldBytes);
      heldBytes = 0;
    }
  }
}

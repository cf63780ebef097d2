package dev.millrace.bytes;

import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Finished, read-only bytes in chunks.
 *
 * <p><b>Ownership.</b> A payload has exactly one owner, who closes it exactly once; closing gives
 * the chunks back to their pool, and nothing of the payload may be used afterwards. Any thread may
 * read it, one at a time or together, as long as the owner published it safely.
 */
public final class Payload implements AutoCloseable {
  private final ChunkPool pool;
  private final long lengthBytes;
  private @Nullable Chunk first;
  private boolean closed;

  Payload(ChunkPool pool, @Nullable Chunk first, long lengthBytes) {
    this.pool = pool;
    this.first = first;
    this.lengthBytes = lengthBytes;
  }

  /** How many bytes there are in all. */
  public long lengthBytes() {
    return lengthBytes;
  }

  /**
   * The first chunk, or {@code null} where there are no bytes; {@link Chunk#next()} leads on.
   *
   * @throws IllegalStateException after {@link #close}
   */
  public @Nullable Chunk first() {
    if (closed) {
      throw new IllegalStateException(
          "payload used after close: its chunks may already hold other bytes");
    }
    return first;
  }

  /**
   * Where the chunks come from and go back to. Whoever cannot tell when somebody else is done with
   * a chunk {@linkplain ChunkPool#share shares} it before the payload is closed.
   */
  public ChunkPool pool() {
    return pool;
  }

  /** Writes all bytes to a stream; the payload stays as it is. */
  public void writeTo(OutputStream out) throws IOException {
    for (Chunk chunk = first(); chunk != null; chunk = chunk.next()) {
      out.write(chunk.bytes(), 0, chunk.lengthBytes());
    }
  }

  /**
   * A copy of all bytes.
   *
   * @throws IllegalStateException if there are more bytes than an array can hold
   */
  public byte[] toByteArray() {
    if (lengthBytes > Integer.MAX_VALUE - 8) {
      throw new IllegalStateException(
          "expected at most "
              + (Integer.MAX_VALUE - 8)
              + " bytes for an array, found "
              + lengthBytes
              + "; use writeTo");
    }
    byte[] all = new byte[(int) lengthBytes];
    int offset = 0;
    for (Chunk chunk = first(); chunk != null; chunk = chunk.next()) {
      System.arraycopy(chunk.bytes(), 0, all, offset, chunk.lengthBytes());
      offset += chunk.lengthBytes();
    }
    return all;
  }

  /**
   * Gives the chunks back.
   *
   * @throws IllegalStateException if the payload was closed before, which means that it has two
   *     owners
   */
  @Override
  public void close() {
    Chunk chunk = first();
    closed = true;
    first = null;
    pool.giveBackAll(chunk);
  }
}

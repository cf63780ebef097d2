package dev.millrace.export.server;

import dev.millrace.bytes.Chunk;
import dev.millrace.bytes.ChunkPool;
import dev.millrace.export.scrape.ScrapeReply;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * A reply that holds its first chunk back: if it stays the only one the reply's length is known,
 * and if encoding fails before there is a second one the client can still be told.
 *
 * <p>The owner closes it.
 */
abstract class HeldReply implements ScrapeReply, AutoCloseable {
  /** The length of a reply that is streamed. */
  static final long UNKNOWN_LENGTH = -1;

  private String contentType = "";
  private @Nullable String contentEncoding;
  private @Nullable Chunk held;
  private @Nullable ChunkPool heldFrom;
  private boolean sent;

  /** Whether anything was sent, so that no other reply can be. */
  final boolean isSent() {
    return sent;
  }

  @Override
  public final void start(String contentType, @Nullable String contentEncoding) {
    this.contentType = contentType;
    this.contentEncoding = contentEncoding;
  }

  @Override
  public final void accept(Chunk chunk, ChunkPool pool) {
    if (!sent && held == null) {
      held = chunk;
      heldFrom = pool;
      return;
    }
    try {
      if (!sent) {
        sendHead(UNKNOWN_LENGTH);
        writeHeld();
      }
      write(chunk.bytes(), chunk.lengthBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      pool.giveBack(chunk);
    }
  }

  @Override
  public final void end() {
    try {
      if (!sent) {
        Chunk only = held;
        sendHead(only == null ? 0 : only.lengthBytes());
        writeHeld();
      }
      finish();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Gives back what is held. */
  @Override
  public final void close() {
    Chunk chunk = held;
    ChunkPool pool = heldFrom;
    held = null;
    heldFrom = null;
    if (chunk != null && pool != null) {
      pool.giveBack(chunk);
    }
  }

  private void sendHead(long lengthBytes) throws IOException {
    sent = true;
    head(contentType, contentEncoding, lengthBytes);
  }

  private void writeHeld() throws IOException {
    Chunk chunk = held;
    if (chunk != null) {
      write(chunk.bytes(), chunk.lengthBytes());
    }
    close();
  }

  /**
   * Sends or prepares status and headers.
   *
   * @param lengthBytes the body's, 0 where there is none, or {@link #UNKNOWN_LENGTH}
   */
  abstract void head(String contentType, @Nullable String contentEncoding, long lengthBytes)
      throws IOException;

  /** Sends bytes of the body. */
  abstract void write(byte[] bytes, int lengthBytes) throws IOException;

  /** Ends the body: it was given in full. */
  abstract void finish() throws IOException;
}

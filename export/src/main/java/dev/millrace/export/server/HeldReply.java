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
 * <p>The owner closes it. If it was sent in part the owner must cut it off.
 */
abstract class HeldReply implements ScrapeReply, AutoCloseable {
  /** The length of a reply that is streamed. */
  static final long UNKNOWN_LENGTH = -1;

  private final PeerWatchdog.Watch watch;
  private String contentType = "";
  private @Nullable String contentEncoding;
  private @Nullable Chunk held;
  private @Nullable ChunkPool heldFrom;
  private boolean sent;
  private boolean closed;

  HeldReply(PeerWatchdog.Watch watch) {
    this.watch = watch;
  }

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
      }
      waitForPeer(() -> write(chunk.bytes(), chunk.lengthBytes()));
    } finally {
      pool.giveBack(chunk);
    }
  }

  @Override
  public final void end() {
    if (!sent) {
      Chunk only = held;
      sendHead(only == null ? 0 : only.lengthBytes());
    }
    waitForPeer(this::finish);
  }

  @Override
  public final void abort() {
    synchronized (watch) {
      if (!closed) {
        watch.abort();
      }
    }
  }

  /** Gives back what is held, and is done: no abort touches what comes next. */
  @Override
  public final void close() {
    synchronized (watch) {
      closed = true;
      watch.forgetAbort();
    }
    giveBackHeld();
  }

  private void giveBackHeld() {
    Chunk chunk = held;
    ChunkPool pool = heldFrom;
    held = null;
    heldFrom = null;
    if (chunk != null && pool != null) {
      pool.giveBack(chunk);
    }
  }

  private void sendHead(long lengthBytes) {
    sent = true;
    waitForPeer(() -> head(contentType, contentEncoding, lengthBytes));
    Chunk chunk = held;
    if (chunk != null) {
      waitForPeer(() -> write(chunk.bytes(), chunk.lengthBytes()));
      giveBackHeld();
    }
  }

  private interface PeerAction {
    void run() throws IOException;
  }

  private void waitForPeer(PeerAction action) {
    boolean ended = false;
    try {
      watch.arm();
      try {
        action.run();
      } finally {
        ended = watch.disarm();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(
          ended ? new IOException("the scraper took its reply too slowly", e) : e);
    }
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

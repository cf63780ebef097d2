package dev.millrace.export.server;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import dev.millrace.bytes.Chunk;
import dev.millrace.bytes.ChunkPool;
import dev.millrace.export.scrape.ScrapeReply;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * One reply through the JDK's server. The first chunk is held back: if it stays the only one the
 * reply has a {@code Content-Length}, and if encoding fails before there is a second one the client
 * can still be told. More than one chunk is streamed with chunked transfer coding.
 *
 * <p>The owner closes it; a reply that was sent in part is then to be cut off, by an exception out
 * of the exchange's handler.
 */
final class HttpScrapeReply implements ScrapeReply, AutoCloseable {
  private final HttpExchange exchange;
  private final boolean headOnly;
  private final PeerWatchdog.Watch watch;
  private @Nullable Chunk held;
  private @Nullable ChunkPool heldFrom;
  private @Nullable OutputStream body;
  private boolean sent;

  HttpScrapeReply(HttpExchange exchange, boolean headOnly, PeerWatchdog.Watch watch) {
    this.exchange = exchange;
    this.headOnly = headOnly;
    this.watch = watch;
  }

  /** Whether anything was sent, so that no other reply can be. */
  boolean isSent() {
    return sent;
  }

  @Override
  public void start(String contentType, @Nullable String contentEncoding) {
    Headers headers = exchange.getResponseHeaders();
    headers.set("Content-Type", contentType);
    headers.set("Vary", "Accept, Accept-Encoding");
    if (contentEncoding != null) {
      headers.set("Content-Encoding", contentEncoding);
    }
  }

  @Override
  public void accept(Chunk chunk, ChunkPool pool) {
    if (body == null && held == null) {
      held = chunk;
      heldFrom = pool;
      return;
    }
    try {
      if (body == null) {
        send(0);
        writeHeld();
      }
      write(chunk);
    } finally {
      pool.giveBack(chunk);
    }
  }

  @Override
  public void end() {
    if (body == null) {
      Chunk only = held;
      int lengthBytes = only == null ? 0 : only.lengthBytes();
      // What the JDK calls -1 is no body: Content-Length 0, or nothing at all for HEAD.
      send(headOnly || lengthBytes == 0 ? -1 : lengthBytes);
      writeHeld();
    }
    waitForPeer(this::closeBody);
  }

  /** Gives back what is held. */
  @Override
  public void close() {
    Chunk chunk = held;
    ChunkPool pool = heldFrom;
    held = null;
    heldFrom = null;
    if (chunk != null && pool != null) {
      pool.giveBack(chunk);
    }
  }

  private void send(long lengthBytes) {
    sent = true;
    waitForPeer(() -> exchange.sendResponseHeaders(200, lengthBytes));
    body = exchange.getResponseBody();
  }

  private void writeHeld() {
    Chunk chunk = held;
    if (chunk != null) {
      write(chunk);
    }
    close();
  }

  private void write(Chunk chunk) {
    waitForPeer(
        () -> {
          OutputStream to = body;
          if (to != null) {
            to.write(chunk.bytes(), 0, chunk.lengthBytes());
          }
        });
  }

  private void closeBody() throws IOException {
    OutputStream to = body;
    if (to != null) {
      to.close();
    }
  }

  private interface PeerAction {
    void run() throws IOException;
  }

  private void waitForPeer(PeerAction action) {
    boolean tooSlow = false;
    try {
      watch.arm();
      try {
        action.run();
      } finally {
        tooSlow = watch.disarm();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(
          tooSlow ? new IOException("the scraper took nothing for too long", e) : e);
    }
  }
}

package dev.millrace.agent.http;

import dev.millrace.bytes.Chunk;
import dev.millrace.bytes.ChunkPool;
import dev.millrace.export.scrape.ScrapeReply;
import io.netty.handler.codec.http.DefaultHttpContent;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * A reply that one thread streams while the event loop writes it. The thread runs ahead of the peer
 * by a bounded number of chunks and then waits; the connection's own timer closes a connection
 * whose peer takes nothing, and that ends the wait.
 */
final class StreamedReply implements ScrapeReply {
  /**
   * How many chunks wait for the peer at most: 1 MiB. Most scrapes fit, so that they free their
   * source at once however slow the scraper is.
   */
  static final int MAX_UNWRITTEN_CHUNKS = 16;

  private final HttpConnection connection;
  private final HttpExchange exchange;
  private final Semaphore room = new Semaphore(MAX_UNWRITTEN_CHUNKS);
  private final Runnable onReleased = this::released;
  private boolean started;
  private volatile boolean closed;

  StreamedReply(HttpConnection connection, HttpExchange exchange) {
    this.connection = connection;
    this.exchange = exchange;
  }

  /** Whether anything was sent, so that no other reply can be. */
  boolean isStarted() {
    return started;
  }

  @Override
  public void start(String contentType, @Nullable String contentEncoding) {
    started = true;
    connection.beginStream(exchange, this, contentType, contentEncoding);
  }

  @Override
  public void accept(Chunk chunk, ChunkPool pool) {
    try {
      room.acquire();
    } catch (InterruptedException e) {
      pool.giveBack(chunk);
      Thread.currentThread().interrupt();
      throw new UncheckedIOException(new InterruptedIOException("the agent stops"));
    }
    if (closed) {
      pool.giveBack(chunk);
      throw new UncheckedIOException(new IOException("the peer closed the connection"));
    }
    ChunkBuf bytes = new ChunkBuf(connection.allocator(), chunk, pool, onReleased);
    connection.writeStream(new DefaultHttpContent(bytes));
  }

  @Override
  public void end() {
    if (closed) {
      throw new UncheckedIOException(new IOException("the peer closed the connection"));
    }
    connection.endStream(exchange);
  }

  @Override
  public void abort() {
    onClosed();
    connection.cutOff(exchange);
  }

  /** The connection is closed: nothing more can be written. Any thread. */
  void onClosed() {
    closed = true;
    room.release(MAX_UNWRITTEN_CHUNKS);
  }

  private void released() {
    connection.progressed();
    room.release();
  }
}

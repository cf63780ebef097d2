package dev.millrace.export.scrape;

import dev.millrace.bytes.Chunk;
import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.ChunkSink;
import org.jspecify.annotations.Nullable;

/**
 * The transport's side of one reply: {@link #start} once, then any number of chunks, then {@link
 * #end} once. All calls come from the thread that runs {@link ScrapeHandler#handle}.
 *
 * <p>If the handler throws before it called {@link #start}, nothing was sent and the transport may
 * answer with an error of its own; if it throws later, the transport must cut the reply off so that
 * the client cannot take it for a whole one.
 */
public interface ScrapeReply extends ChunkSink {
  /**
   * Begins a successful reply.
   *
   * @param contentType the media type with its parameters
   * @param contentEncoding the content coding, or {@code null} for none
   */
  void start(String contentType, @Nullable String contentEncoding);

  /**
   * Takes the next chunk, and owns it from here on, also when it throws. A transport that cannot
   * take more at the moment blocks here, which is the back-pressure that keeps a scrape's memory
   * bounded.
   *
   * @throws java.io.UncheckedIOException if the peer is gone or too slow
   */
  @Override
  void accept(Chunk chunk, ChunkPool pool);

  /** Ends the reply: all its chunks were given. */
  void end();
}

package dev.millrace.export.scrape;

import dev.millrace.bytes.Chunk;
import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.ChunkSink;
import org.jspecify.annotations.Nullable;

/**
 * The transport's side of one reply: {@link #start} once, then any number of chunks, then {@link
 * #end} once. All calls come from the thread that runs {@link ScrapeHandler#handle}, those of
 * {@link #abort} aside.
 *
 * <p>If the handler throws before it called {@link #start}, nothing was sent and the transport may
 * answer with an error of its own; if it throws later, the transport must cut the reply off so that
 * the client cannot take it for a whole one.
 */
public interface ScrapeReply extends ChunkSink {
  /** What a reply depends on beside its path, as the {@code Vary} header has it. */
  String VARY = "Accept, Accept-Encoding";

  /**
   * Begins a successful reply.
   *
   * @param contentType the media type with its parameters
   * @param contentEncoding the content coding, or {@code null} for none
   */
  void start(String contentType, @Nullable String contentEncoding);

  /**
   * Takes the next chunk, and owns it from here on, also when it throws. The chunk may be shared
   * with other replies ({@link ChunkPool#share}): it is only read. A transport that cannot take
   * more at the moment blocks here, which is the back-pressure that keeps a scrape's memory
   * bounded.
   *
   * @throws java.io.UncheckedIOException if the peer is gone or too slow
   */
  @Override
  void accept(Chunk chunk, ChunkPool pool);

  /** Ends the reply: all its chunks were given. */
  void end();

  /**
   * Cuts the reply off because others wait for its peer: a call of this reply that is in progress
   * in another thread throws soon, and {@link ScrapeHandler#handle} throws there as well.
   *
   * <p>Called by any thread, at any time and maybe more than once: before {@link #start}, after
   * {@link #end}, and even after {@link ScrapeHandler#handle} has thrown or returned, when it must
   * not touch what comes next on the same connection. Neither waits nor throws.
   */
  void abort();
}

package dev.millrace.opentelemetry;

import dev.millrace.bytes.Chunk;
import dev.millrace.bytes.ChunkPool;
import dev.millrace.export.scrape.ScrapeReply;
import org.jspecify.annotations.Nullable;

/** A transport that takes a reply and keeps only its length. */
final class DiscardingReply implements ScrapeReply {
  private long lengthBytes;

  long lengthBytes() {
    return lengthBytes;
  }

  @Override
  public void start(String contentType, @Nullable String contentEncoding) {
    lengthBytes = 0;
  }

  @Override
  public void accept(Chunk chunk, ChunkPool pool) {
    lengthBytes += chunk.lengthBytes();
    pool.giveBack(chunk);
  }

  @Override
  public void end() {}

  @Override
  public void abort() {
    throw new AssertionError("expected nobody to wait for a reply that is taken at once");
  }
}

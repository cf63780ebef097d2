package dev.millrace.agent;

import dev.millrace.agent.http.MetricsRequestHandler;
import dev.millrace.agent.otlp.OtlpEncoding;
import dev.millrace.agent.otlp.OtlpReply;
import dev.millrace.bytes.Chunk;
import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.ChunkWriter;
import dev.millrace.bytes.Payload;
import java.util.List;

/**
 * Gives each request to several handlers, one after the other, and all but the last a copy of the
 * body. The reply is the one that has most to say: the highest status, then the longest body, which
 * a partial success has beside a full one.
 */
final class FanOut implements MetricsRequestHandler {
  private final List<MetricsRequestHandler> handlers;
  private final ChunkPool chunks;

  private FanOut(List<MetricsRequestHandler> handlers, ChunkPool chunks) {
    this.handlers = List.copyOf(handlers);
    this.chunks = chunks;
  }

  /** A handler for all of these, of which there is at least one. */
  static MetricsRequestHandler to(List<MetricsRequestHandler> handlers, ChunkPool chunks) {
    return handlers.size() == 1 ? handlers.get(0) : new FanOut(handlers, chunks);
  }

  @Override
  public OtlpReply receive(OtlpEncoding encoding, Payload body) {
    int last = handlers.size() - 1;
    OtlpReply worst = null;
    try {
      for (int i = 0; i < last; i++) {
        worst = worse(worst, handlers.get(i).receive(encoding, copy(body)));
      }
    } catch (RuntimeException | Error e) {
      body.close();
      throw e;
    }
    return worse(worst, handlers.get(last).receive(encoding, body));
  }

  private Payload copy(Payload body) {
    try (ChunkWriter copy = new ChunkWriter(chunks)) {
      for (Chunk chunk = body.first(); chunk != null; chunk = chunk.next()) {
        copy.write(chunk.bytes(), 0, chunk.lengthBytes());
      }
      return copy.finish();
    }
  }

  private static OtlpReply worse(@org.jspecify.annotations.Nullable OtlpReply a, OtlpReply b) {
    if (a == null || b.httpStatus() > a.httpStatus()) {
      return b;
    }
    return b.httpStatus() == a.httpStatus() && b.body().length > a.body().length ? b : a;
  }
}

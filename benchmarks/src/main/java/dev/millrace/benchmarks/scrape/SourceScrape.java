package dev.millrace.benchmarks.scrape;

import dev.millrace.bytes.Chunk;
import dev.millrace.bytes.ChunkPool;
import dev.millrace.export.scrape.ScrapeHandler;
import dev.millrace.export.scrape.ScrapeHandlerOptions;
import dev.millrace.export.scrape.ScrapeReply;
import dev.millrace.export.scrape.ScrapeRequest;
import dev.millrace.format.prometheus.PrometheusFormats;
import dev.millrace.format.prometheus.PrometheusOptions;
import dev.millrace.model.MetricSource;
import dev.millrace.model.Problems;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/** What Millrace does for a scrape, between the request and the reply. One thread at a time. */
public final class SourceScrape implements AutoCloseable {
  private static final int IDLE_CHUNKS = 4;

  private final ChunkPool pool = new ChunkPool(IDLE_CHUNKS);
  private final ScrapeHandler handler;
  private final ScrapeRequest request;
  private final Reply reply = new Reply();

  /**
   * Scrapes of a source.
   *
   * @param source stays the caller's
   */
  public SourceScrape(MetricSource source, ScrapeFormat format, ScrapeCoding coding) {
    this(source, format, coding, ScrapeHandlerOptions.defaults());
  }

  SourceScrape(
      MetricSource source, ScrapeFormat format, ScrapeCoding coding, ScrapeHandlerOptions options) {
    this(
        source,
        new PrometheusFormats(PrometheusOptions.DEFAULT, new Problems()),
        format,
        coding,
        options);
  }

  SourceScrape(
      MetricSource source,
      PrometheusFormats formats,
      ScrapeFormat format,
      ScrapeCoding coding,
      ScrapeHandlerOptions options) {
    handler = new ScrapeHandler(source, pool, formats::encoder, options);
    request = new ScrapeRequest(format.accept(), coding.acceptEncoding(), false);
  }

  /** Does one scrape. */
  public void run(OutputStream out) {
    reply.out = out;
    handler.handle(request, reply);
  }

  /** Chunks that are in somebody's hands. */
  long outstandingChunks() {
    return pool.outstandingChunks();
  }

  @Override
  public void close() {
    handler.close();
  }

  private static final class Reply implements ScrapeReply {
    private OutputStream out = OutputStream.nullOutputStream();

    @Override
    public void start(String contentType, @Nullable String contentEncoding) {
      // Headers are no part of what is measured.
    }

    @Override
    public void accept(Chunk chunk, ChunkPool from) {
      try {
        out.write(chunk.bytes(), 0, chunk.lengthBytes());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } finally {
        from.giveBack(chunk);
      }
    }

    @Override
    public void end() {
      // Nothing was begun.
    }

    @Override
    public void abort() {
      // Nobody else waits.
    }
  }
}

package dev.millrace.export.scrape;

import dev.millrace.bytes.Chunk;
import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.ChunkSink;
import dev.millrace.bytes.ChunkWriter;
import dev.millrace.format.MetricEncoder;
import dev.millrace.model.MetricCursor;
import dev.millrace.model.MetricSource;
import java.io.UncheckedIOException;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Answers scrapes of one source: negotiates, encodes, streams.
 *
 * <p>Thread-safe: each scrape in progress has an encoder of its own. Encoders keep what they
 * planned for the source between scrapes, and a few of them stay idle here. A scrape of any size
 * needs one or two chunks of memory beside what the transport holds on to. The source's cursor is
 * open while metrics are encoded, and closed before the last chunk is handed over.
 *
 * <p>The owner closes it when no scrape is in progress any more.
 */
public final class ScrapeHandler implements AutoCloseable {
  /** Makes an encoder for a format. Called for the first scrapes, and when scrapes overlap. */
  @FunctionalInterface
  public interface EncoderFactory {
    /** A new encoder. */
    MetricEncoder create(ScrapeFormat format);
  }

  private final MetricSource source;
  private final ChunkPool chunks;
  private final EncoderFactory encoderFactory;
  private final Map<ScrapeFormat, IdleStack<MetricEncoder>> encoders;
  private final IdleStack<GzipSink> gzipSinks;

  /**
   * A handler for one source.
   *
   * @param chunks where the memory of replies comes from
   * @param maxIdleEncoders how many encoders of each format, and how many compressors, are kept
   *     between scrapes, 1 or more: as many as there are scrapers that come at the same time as a
   *     rule
   */
  public ScrapeHandler(
      MetricSource source, ChunkPool chunks, EncoderFactory encoderFactory, int maxIdleEncoders) {
    if (maxIdleEncoders < 1) {
      throw new IllegalArgumentException(
          "maxIdleEncoders: expected 1 or more, found " + maxIdleEncoders);
    }
    this.source = source;
    this.chunks = chunks;
    this.encoderFactory = encoderFactory;
    this.gzipSinks = new IdleStack<>(maxIdleEncoders);
    this.encoders = new EnumMap<>(ScrapeFormat.class);
    for (ScrapeFormat format : ScrapeFormat.values()) {
      encoders.put(format, new IdleStack<>(maxIdleEncoders));
    }
  }

  /**
   * Answers one scrape on the calling thread.
   *
   * @throws UncheckedIOException if the reply threw it: the peer is gone
   */
  public ScrapeResult handle(ScrapeRequest request, ScrapeReply reply) {
    ScrapeFormat format = ScrapeNegotiation.of(request.accept()).format();
    ContentCoding coding = ContentCoding.of(request.acceptEncoding());
    IdleStack<MetricEncoder> idle = encoders.get(format);
    MetricEncoder encoder = idle == null ? null : idle.poll();
    if (encoder == null) {
      encoder = encoderFactory.create(format);
    }
    boolean reusable = false;
    try {
      StartingSink body = new StartingSink(reply, encoder.contentType(), coding);
      long bodyBytes = 0;
      if (!request.headOnly()) {
        bodyBytes = coding == ContentCoding.GZIP ? writeGzip(encoder, body) : write(encoder, body);
      }
      body.start();
      reply.end();
      reusable = true;
      return new ScrapeResult(format, coding, bodyBytes);
    } catch (UncheckedIOException e) {
      // A peer that went away says nothing about the encoder; one that failed for any other reason
      // may hold half a plan and is not used again.
      reusable = true;
      throw e;
    } finally {
      if (reusable && idle != null) {
        idle.offer(encoder);
      }
    }
  }

  /** Lets go of the memory outside the heap that idle compressors hold. */
  @Override
  public void close() {
    gzipSinks.close();
    for (GzipSink sink = gzipSinks.poll(); sink != null; sink = gzipSinks.poll()) {
      sink.close();
    }
  }

  private long write(MetricEncoder encoder, ChunkSink body) {
    try (ChunkWriter out = new ChunkWriter(chunks, body)) {
      try (MetricCursor cursor = source.open()) {
        encoder.encode(cursor, out);
      }
      long bodyBytes = out.lengthBytes();
      out.flush();
      return bodyBytes;
    }
  }

  private long writeGzip(MetricEncoder encoder, ChunkSink body) {
    GzipSink idle = gzipSinks.poll();
    GzipSink gzip = idle == null ? new GzipSink() : idle;
    try (ChunkWriter out = new ChunkWriter(chunks, body)) {
      gzip.begin(out);
      write(encoder, gzip);
      gzip.finish();
      long bodyBytes = out.lengthBytes();
      out.flush();
      return bodyBytes;
    } finally {
      if (!gzipSinks.offer(gzip)) {
        gzip.close();
      }
    }
  }

  /**
   * Starts the reply with its first chunk and not before, so that a scrape that fails early can
   * still be answered with an error.
   */
  private static final class StartingSink implements ChunkSink {
    private final ScrapeReply reply;
    private final String contentType;
    private final @Nullable String contentEncoding;
    private boolean started;

    StartingSink(ScrapeReply reply, String contentType, ContentCoding coding) {
      this.reply = reply;
      this.contentType = contentType;
      this.contentEncoding = coding == ContentCoding.GZIP ? "gzip" : null;
    }

    void start() {
      if (!started) {
        started = true;
        reply.start(contentType, contentEncoding);
      }
    }

    @Override
    public void accept(Chunk chunk, ChunkPool pool) {
      try {
        start();
      } catch (RuntimeException | Error e) {
        pool.giveBack(chunk);
        throw e;
      }
      reply.accept(chunk, pool);
    }
  }
}

package dev.millrace.export.scrape;

import dev.millrace.bytes.Chunk;
import dev.millrace.bytes.ChunkPool;
import dev.millrace.format.MetricEncoder;
import dev.millrace.format.prometheus.EscapingScheme;
import dev.millrace.format.prometheus.PrometheusFormat;
import dev.millrace.model.MetricSource;
import dev.millrace.model.Problem;
import java.io.UncheckedIOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * Answers scrapes of one source: negotiates, encodes, streams.
 *
 * <p><b>Shared work.</b> One scrape at a time reads the source. Scrapes that come while it is being
 * opened get what it reads; those that come later wait, and share the next reading. Of those that
 * share one, each format is encoded once, and the bytes go to all who want them.
 *
 * <p><b>Bounds.</b> A scrape of any size holds a few chunks. A scrape waits {@link
 * ScrapeHandlerOptions#maxWaitMillis} for others at most: when a peer that does not read holds
 * others up, its reply is aborted in time; when the source does not come free, the scrape that
 * waits for it fails with {@link ScrapeUnavailableException}. A slow peer that nobody waits for may
 * take as long as its transport lets it. The scrape that opens the source waits as long as the
 * source takes: nothing else could end that. Recording waits for none of this: the source is open
 * only while it is read.
 *
 * <p><b>Failures</b> stay with the scrapes that they belong to: a peer that goes away costs its own
 * scrape only, a format that cannot be encoded those that asked for it.
 *
 * <p>Thread-safe. The owner closes it when no scrape is in progress any more.
 *
 * <pre>{@code
 * ScrapeHandler handler =
 *     new ScrapeHandler(source, chunks, formats::encoder, ScrapeHandlerOptions.defaults());
 * ScrapeResult result = handler.handle(new ScrapeRequest("text/plain", null, false), reply);
 * assert result.format() == PrometheusFormat.TEXT_0_0_4;
 * }</pre>
 */
public final class ScrapeHandler implements AutoCloseable {
  /** Makes an encoder. Called when one of that kind is not at hand. */
  @FunctionalInterface
  public interface EncoderFactory {
    /** A new encoder. */
    MetricEncoder create(PrometheusFormat format, EscapingScheme escaping);
  }

  private final ChunkPool chunks;
  private final Encoders encoders;
  private final ReplyCache cache;
  private final RoundLock shared;
  private final Turns turns;
  private final Handover handover;
  private final Delivery delivery;
  private final RoundLeader.Tools leaderTools;
  private final int maxScrapes;
  private final Problem unavailable;
  private final AtomicInteger inside = new AtomicInteger();
  private final LongAdder collections = new LongAdder();

  /**
   * A handler for one source.
   *
   * @param chunks where the memory of replies comes from
   */
  public ScrapeHandler(
      MetricSource source,
      ChunkPool chunks,
      EncoderFactory encoderFactory,
      ScrapeHandlerOptions options) {
    this.chunks = chunks;
    this.encoders = new Encoders(encoderFactory, options);
    this.cache =
        new ReplyCache(
            chunks, TimeUnit.MILLISECONDS.toNanos(options.cacheMillis()), options.cacheBytes());
    this.shared = new RoundLock(options);
    this.turns = new Turns(shared, cache);
    this.handover = new Handover(shared, cache);
    this.delivery = new Delivery(shared, chunks);
    this.leaderTools =
        new RoundLeader.Tools(source, chunks, encoders, shared, turns, handover, delivery);
    this.maxScrapes = options.maxScrapes();
    this.unavailable = options.problems().kind("scrape_unavailable");
  }

  /**
   * Answers one scrape on the calling thread. The thread may read the source for other scrapes as
   * well, and return only when they have their bytes.
   *
   * @throws ScrapeUnavailableException if the source or the handler is too busy
   * @throws UncheckedIOException if the reply threw it: the peer is gone; or if the peer was too
   *     slow while others waited, or the thread was interrupted while it waited for others
   * @throws RuntimeException whatever the source, the encoder or the reply threw; the cause of an
   *     {@link IllegalStateException} where another scrape's thread met it, or where the source
   *     threw an {@link UncheckedIOException}
   */
  public ScrapeResult handle(ScrapeRequest request, ScrapeReply reply) {
    ScrapeNegotiation negotiated = ScrapeNegotiation.of(request.accept());
    ScrapeKey key =
        new ScrapeKey(
            negotiated.format(), negotiated.escaping(), ContentCoding.of(request.acceptEncoding()));
    Member member = new Member(key, reply, shared.nanoTime());
    if (request.headOnly()) {
      return result(member, answerHead(member));
    }
    boolean admitted = inside.incrementAndGet() <= maxScrapes;
    try {
      if (!admitted) {
        throw new ScrapeUnavailableException(
            "expected at most "
                + maxScrapes
                + " scrapes at once, found one more; scrape again later, and look for scrapers that"
                + " are slow");
      }
      return result(member, answer(member));
    } catch (ScrapeUnavailableException e) {
      unavailable.add(1, e::getMessage);
      throw e;
    } finally {
      inside.decrementAndGet();
    }
  }

  /** How often the source was read. */
  public long collections() {
    return collections.sum();
  }

  /** How many scrapes were answered from what another scrape's thread read. */
  public long sharedScrapes() {
    return turns.followers();
  }

  /** How many scrapes were answered with a reply that was kept. */
  public long cachedScrapes() {
    return turns.cached();
  }

  /** How many scrapes were aborted because others waited for their peers too long. */
  public long droppedScrapes() {
    return shared.droppedScrapes();
  }

  /** How many scrapes failed because the source or the handler was too busy. */
  public long unavailableScrapes() {
    return unavailable.count();
  }

  /**
   * Lets go of kept replies that are no longer good, and of chunks that nobody needed for a while.
   * Each scrape does this too; an owner with a timer calls it so that a handler that nobody scrapes
   * any more holds no memory.
   */
  public void trim() {
    shared.lock.lock();
    try {
      cache.trim(shared.nanoTime());
    } finally {
      shared.lock.unlock();
    }
    chunks.trim();
  }

  /** Lets go of kept replies, and of the memory outside the heap that an idle compressor holds. */
  @Override
  public void close() {
    shared.lock.lock();
    try {
      cache.clear();
    } finally {
      shared.lock.unlock();
    }
    encoders.close();
  }

  private static ScrapeResult result(Member member, long bodyBytes) {
    ScrapeKey key = member.key;
    return new ScrapeResult(key.format(), key.escaping(), key.coding(), bodyBytes);
  }

  private long answerHead(Member member) {
    MetricEncoder encoder = encoders.take(member.key);
    String contentType = encoder.contentType();
    encoders.giveBack(member.key, encoder);
    delivery.end(null, member, contentType);
    return 0;
  }

  private long answer(Member member) {
    Turns.Arrival arrival = new Turns.Arrival();
    return switch (turns.arrive(member, arrival)) {
      case LEADER -> {
        collections.increment();
        yield new RoundLeader(leaderTools, arrival.round(), member).lead();
      }
      case FOLLOWER -> follow(arrival.round(), member);
      case CACHED -> answerAgain(arrival.kept(), member);
    };
  }

  private long follow(Round round, Member member) {
    try {
      for (Chunk chunk = handover.take(round, member);
          chunk != null;
          chunk = handover.take(round, member)) {
        delivery.deliver(round, member, member.group().contentType, chunk);
      }
      delivery.end(round, member, member.group().contentType);
      return member.group().bodyBytes;
    } finally {
      handover.leave(round, member);
    }
  }

  private long answerAgain(ReplyCache.Entry kept, Member member) {
    try {
      for (int i = 0; i < kept.chunkCount(); i++) {
        Chunk chunk = kept.chunk(i);
        chunks.share(chunk);
        delivery.deliver(null, member, kept.contentType(), chunk);
      }
      delivery.end(null, member, kept.contentType());
      return kept.bodyBytes();
    } finally {
      shared.lock.lock();
      try {
        cache.release(kept);
      } finally {
        shared.lock.unlock();
      }
    }
  }
}

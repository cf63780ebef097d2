package dev.millrace.export.scrape;

import dev.millrace.model.Problems;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * How a {@link ScrapeHandler} treats its scrapers. Immutable; every value is checked when it is
 * given.
 *
 * <pre>{@code
 * ScrapeHandlerOptions options = ScrapeHandlerOptions.defaults().withCacheMillis(1_000);
 * assert options.cacheMillis() == 1_000 && options.maxWaitMillis() == 5_000;
 * }</pre>
 *
 * @param maxIdleEncoders how many encoders, each of another format or escaping, are kept between
 *     scrapes, 1 or more: as many as there are kinds of scrapers
 * @param maxWaitMillis how long a scrape waits for others at most, 1 to {@link #MAX_MILLIS}: for
 *     the source, and for peers that do not read
 * @param maxScrapes how many scrapes may be in the handler at once, 1 or more; more are refused
 *     with {@link ScrapeUnavailableException}
 * @param cacheMillis how long a reply answers later scrapes like it, counted from when its source
 *     was read, 0 to {@link #MAX_MILLIS}; 0 keeps none
 * @param cacheBytes how much memory kept replies may hold in all, 1 or more, in whole chunks of 64
 *     KiB; a reply that does not fit is not kept
 * @param compression what compresses replies for clients that accept gzip
 * @param nanoClock a monotonic clock in nanoseconds
 * @param problems counts scrapes that were refused or dropped, as {@code scrape_unavailable} and
 *     {@code scrape_dropped}
 */
public record ScrapeHandlerOptions(
    int maxIdleEncoders,
    long maxWaitMillis,
    int maxScrapes,
    long cacheMillis,
    long cacheBytes,
    Compression compression,
    LongSupplier nanoClock,
    Problems problems) {
  /** A day: longer waits are mistakes, such as nanoseconds given for milliseconds. */
  public static final long MAX_MILLIS = 86_400_000;

  /** Prometheus of two versions, a browser, and one that wants protobuf. */
  private static final int DEFAULT_IDLE_ENCODERS = 4;

  /** Half of Prometheus' own patience of 10 seconds, so that what waited is still in time. */
  private static final long DEFAULT_WAIT_MILLIS = 5_000;

  /**
   * A pair of Prometheus servers and some people, many times over. Each may hold 512 KiB while its
   * peer is slow: 16 MiB in all.
   */
  private static final int DEFAULT_SCRAPES = 32;

  /** Holds the replies of 100,000 series in two formats, compressed. */
  private static final long DEFAULT_CACHE_BYTES = 16L * 1024 * 1024;

  /** Checks the bounds. */
  public ScrapeHandlerOptions {
    within("maxIdleEncoders", maxIdleEncoders, 1, Integer.MAX_VALUE);
    within("maxWaitMillis", maxWaitMillis, 1, MAX_MILLIS);
    within("maxScrapes", maxScrapes, 1, Integer.MAX_VALUE);
    within("cacheMillis", cacheMillis, 0, MAX_MILLIS);
    within("cacheBytes", cacheBytes, 1, Long.MAX_VALUE);
  }

  /** Waits of 5 seconds at most, no cache, the system's clock, and problems of its own. */
  public static ScrapeHandlerOptions defaults() {
    return new ScrapeHandlerOptions(
        DEFAULT_IDLE_ENCODERS,
        DEFAULT_WAIT_MILLIS,
        DEFAULT_SCRAPES,
        0,
        DEFAULT_CACHE_BYTES,
        Compression.FAST,
        System::nanoTime,
        new Problems());
  }

  /** These options with another {@link #maxIdleEncoders()}. */
  public ScrapeHandlerOptions withMaxIdleEncoders(int maxIdleEncoders) {
    return with(draft -> draft.maxIdleEncoders = maxIdleEncoders);
  }

  /** These options with another {@link #maxWaitMillis()}. */
  public ScrapeHandlerOptions withMaxWaitMillis(long maxWaitMillis) {
    return with(draft -> draft.maxWaitMillis = maxWaitMillis);
  }

  /** These options with another {@link #maxScrapes()}. */
  public ScrapeHandlerOptions withMaxScrapes(int maxScrapes) {
    return with(draft -> draft.maxScrapes = maxScrapes);
  }

  /** These options with another {@link #cacheMillis()}. */
  public ScrapeHandlerOptions withCacheMillis(long cacheMillis) {
    return with(draft -> draft.cacheMillis = cacheMillis);
  }

  /** These options with another {@link #cacheBytes()}. */
  public ScrapeHandlerOptions withCacheBytes(long cacheBytes) {
    return with(draft -> draft.cacheBytes = cacheBytes);
  }

  /** These options with another {@link #compression()}. */
  public ScrapeHandlerOptions withCompression(Compression compression) {
    return with(draft -> draft.compression = compression);
  }

  /** These options with another {@link #nanoClock()}. */
  public ScrapeHandlerOptions withNanoClock(LongSupplier nanoClock) {
    return with(draft -> draft.nanoClock = nanoClock);
  }

  /** These options with another {@link #problems()}. */
  public ScrapeHandlerOptions withProblems(Problems problems) {
    return with(draft -> draft.problems = problems);
  }

  /** These options while one of them changes. */
  private static final class Draft {
    int maxIdleEncoders;
    long maxWaitMillis;
    int maxScrapes;
    long cacheMillis;
    long cacheBytes;
    Compression compression;
    LongSupplier nanoClock;
    Problems problems;

    Draft(ScrapeHandlerOptions from) {
      maxIdleEncoders = from.maxIdleEncoders;
      maxWaitMillis = from.maxWaitMillis;
      maxScrapes = from.maxScrapes;
      cacheMillis = from.cacheMillis;
      cacheBytes = from.cacheBytes;
      compression = from.compression;
      nanoClock = from.nanoClock;
      problems = from.problems;
    }

    ScrapeHandlerOptions finished() {
      return new ScrapeHandlerOptions(
          maxIdleEncoders,
          maxWaitMillis,
          maxScrapes,
          cacheMillis,
          cacheBytes,
          compression,
          nanoClock,
          problems);
    }
  }

  private ScrapeHandlerOptions with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.finished();
  }

  private static void within(String name, long value, long least, long most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          name
              + ": expected "
              + least
              + (most >= Integer.MAX_VALUE ? " or more" : " to " + most)
              + ", found "
              + value);
    }
  }
}

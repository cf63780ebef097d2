package dev.millrace.agent.config;

import static java.util.Objects.requireNonNull;

import dev.millrace.export.scrape.ScrapeHandlerOptions;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Who may scrape an exporter of type {@code prometheus}, and how scrapes are served. Immutable.
 *
 * @param tls what encrypts connections; null if nothing does
 * @param basicAuth the user and the password that scrapers have to send; null if they need none
 * @param maxWait how long a scrape waits for others, from {@link #MIN_MAX_WAIT} to {@link
 *     #MAX_DURATION}
 * @param responseCache how long a reply answers later scrapes like it, up to {@link #MAX_DURATION};
 *     zero if it does not
 */
public record ScrapeConfig(
    @Nullable TlsConfig tls,
    @Nullable BasicAuthConfig basicAuth,
    Duration maxWait,
    Duration responseCache) {
  /** The shortest wait that there is. */
  public static final Duration MIN_MAX_WAIT = Duration.ofMillis(1);

  /** The longest wait, and the longest that a reply is kept. */
  public static final Duration MAX_DURATION = Duration.ofMillis(ScrapeHandlerOptions.MAX_MILLIS);

  /** No encryption, no password, no cache. */
  public static final ScrapeConfig DEFAULT =
      new ScrapeConfig(
          null,
          null,
          Duration.ofMillis(ScrapeHandlerOptions.defaults().maxWaitMillis()),
          Duration.ofMillis(ScrapeHandlerOptions.defaults().cacheMillis()));

  /**
   * Makes a configuration.
   *
   * @throws IllegalArgumentException if a duration is out of range
   */
  public ScrapeConfig {
    requireNonNull(maxWait, "maxWait");
    requireNonNull(responseCache, "responseCache");
    if (maxWait.compareTo(MIN_MAX_WAIT) < 0 || maxWait.compareTo(MAX_DURATION) > 0) {
      throw new IllegalArgumentException("expected maxWait from 1 ms to a day, found " + maxWait);
    }
    if (responseCache.isNegative() || responseCache.compareTo(MAX_DURATION) > 0) {
      throw new IllegalArgumentException(
          "expected responseCache from 0 to a day, found " + responseCache);
    }
  }

  /** The options of the handler. */
  public ScrapeHandlerOptions handlerOptions() {
    return ScrapeHandlerOptions.defaults()
        .withMaxWaitMillis(maxWait.toMillis())
        .withCacheMillis(responseCache.toMillis());
  }

  /** Reads the keys of an exporter's section. */
  static ScrapeConfig read(Section section) {
    return new ScrapeConfig(
        section.optional("tls", TlsConfig::read),
        section.optional("basic_auth", BasicAuthConfig::read),
        section.duration("max_wait", DEFAULT.maxWait, MIN_MAX_WAIT, MAX_DURATION),
        section.duration("response_cache", DEFAULT.responseCache, Duration.ZERO, MAX_DURATION));
  }
}

package dev.millrace.export.remotewrite;

import dev.millrace.export.push.Retry;

/**
 * When requests go out, and how often. Immutable.
 *
 * <pre>{@code
 * RemoteWriteDelivery delivery = RemoteWriteDelivery.defaults().withTimeoutMillis(5_000);
 * assert delivery.retryTooManyRequests() && delivery.timeoutMillis() == 5_000;
 * }</pre>
 *
 * @param timeoutMillis how long one request may take, 1 to {@link Retry#MAX_MILLIS}
 * @param retry the pauses between the attempts of one request, and how many there are at most;
 *     where the receiver asks for a longer pause it gets it, up to an hour
 * @param retryTooManyRequests whether 429 is answered by another attempt, so that nothing is lost,
 *     or the request is dropped, so that the sender does not fall behind
 * @param flushIntervalMillis how long a request that is not full yet is kept open for more, 0 to
 *     {@link Retry#MAX_MILLIS}; with 0 every write is sent at once
 * @param endSeriesAtShutdown whether the shutdown sends stale markers for all series that live
 */
public record RemoteWriteDelivery(
    long timeoutMillis,
    Retry retry,
    boolean retryTooManyRequests,
    long flushIntervalMillis,
    boolean endSeriesAtShutdown) {
  /** Prometheus' {@code remote_timeout}. */
  private static final long DEFAULT_TIMEOUT_MILLIS = 30_000;

  /** Prometheus' {@code min_backoff}: most failures are over at once. */
  private static final long DEFAULT_INITIAL_BACKOFF_MILLIS = 30;

  /** Prometheus' {@code max_backoff}. */
  private static final long DEFAULT_MAX_BACKOFF_MILLIS = 5_000;

  /** Long beside the time of a request, and short beside the pauses between scrapes. */
  private static final long DEFAULT_FLUSH_INTERVAL_MILLIS = 1_000;

  /** Checks the bounds. */
  public RemoteWriteDelivery {
    if (timeoutMillis < 1 || timeoutMillis > Retry.MAX_MILLIS) {
      throw new IllegalArgumentException(
          "timeoutMillis: expected 1 to " + Retry.MAX_MILLIS + ", found " + timeoutMillis);
    }
    if (flushIntervalMillis < 0 || flushIntervalMillis > Retry.MAX_MILLIS) {
      throw new IllegalArgumentException(
          "flushIntervalMillis: expected 0 to "
              + Retry.MAX_MILLIS
              + ", found "
              + flushIntervalMillis);
    }
  }

  /**
   * 30 seconds for a request; attempts without end, with pauses of 30 milliseconds that double up
   * to 5 seconds, each up to a fifth longer or shorter; 429 tried again; open requests sent after a
   * second; stale markers at the end.
   */
  public static RemoteWriteDelivery defaults() {
    return new RemoteWriteDelivery(
        DEFAULT_TIMEOUT_MILLIS,
        new Retry(
            Integer.MAX_VALUE, DEFAULT_INITIAL_BACKOFF_MILLIS, DEFAULT_MAX_BACKOFF_MILLIS, 2, 0.2),
        true,
        DEFAULT_FLUSH_INTERVAL_MILLIS,
        true);
  }

  /** The same with another {@link #timeoutMillis()}. */
  public RemoteWriteDelivery withTimeoutMillis(long timeoutMillis) {
    return new RemoteWriteDelivery(
        timeoutMillis, retry, retryTooManyRequests, flushIntervalMillis, endSeriesAtShutdown);
  }

  /** The same with another {@link #retry()}. */
  public RemoteWriteDelivery withRetry(Retry retry) {
    return new RemoteWriteDelivery(
        timeoutMillis, retry, retryTooManyRequests, flushIntervalMillis, endSeriesAtShutdown);
  }

  /** The same with another {@link #retryTooManyRequests()}. */
  public RemoteWriteDelivery withRetryTooManyRequests(boolean retryTooManyRequests) {
    return new RemoteWriteDelivery(
        timeoutMillis, retry, retryTooManyRequests, flushIntervalMillis, endSeriesAtShutdown);
  }

  /** The same with another {@link #flushIntervalMillis()}. */
  public RemoteWriteDelivery withFlushIntervalMillis(long flushIntervalMillis) {
    return new RemoteWriteDelivery(
        timeoutMillis, retry, retryTooManyRequests, flushIntervalMillis, endSeriesAtShutdown);
  }

  /** The same with another {@link #endSeriesAtShutdown()}. */
  public RemoteWriteDelivery withEndSeriesAtShutdown(boolean endSeriesAtShutdown) {
    return new RemoteWriteDelivery(
        timeoutMillis, retry, retryTooManyRequests, flushIntervalMillis, endSeriesAtShutdown);
  }
}

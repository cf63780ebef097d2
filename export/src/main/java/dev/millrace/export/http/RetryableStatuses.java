package dev.millrace.export.http;

import java.util.BitSet;

/**
 * Which HTTP statuses mean that the same request may be sent again later. Immutable.
 *
 * <pre>{@code
 * assert RetryableStatuses.otlp().contains(503) && !RetryableStatuses.otlp().contains(500);
 * assert RetryableStatuses.remoteWrite(true).contains(429);
 * }</pre>
 */
public final class RetryableStatuses {
  private static final int TOO_MANY_REQUESTS = 429;

  private final BitSet statuses;

  private RetryableStatuses(BitSet statuses) {
    this.statuses = statuses;
  }

  /** OTLP's: 429, 502, 503 and 504. */
  public static RetryableStatuses otlp() {
    BitSet statuses = new BitSet();
    statuses.set(TOO_MANY_REQUESTS);
    statuses.set(502, 505);
    return new RetryableStatuses(statuses);
  }

  /**
   * Prometheus remote write's: all of 500 to 599.
   *
   * @param tooManyRequests whether 429 is one too, which the specification leaves to the sender
   */
  public static RetryableStatuses remoteWrite(boolean tooManyRequests) {
    BitSet statuses = new BitSet();
    statuses.set(500, 600);
    statuses.set(TOO_MANY_REQUESTS, tooManyRequests);
    return new RetryableStatuses(statuses);
  }

  /** Whether a request that was answered so may be sent again. */
  public boolean contains(int status) {
    return status >= 0 && statuses.get(status);
  }

  @Override
  public String toString() {
    return "RetryableStatuses" + statuses;
  }
}

package dev.millrace.export.push;

import org.jspecify.annotations.Nullable;

/**
 * How often and after which pauses a payload is sent again. Immutable. The defaults are those of
 * the OpenTelemetry Java SDK's {@code RetryPolicy}.
 *
 * <pre>{@code
 * Retry retry = Retry.defaults();
 * assert retry.pauseMillis(1, 0.5) == 1_000 && retry.pauseMillis(2, 0.5) == 1_500;
 * assert Retry.none().maxAttempts() == 1;
 * }</pre>
 *
 * @param maxAttempts how often a payload is sent in all, 1 or more
 * @param initialBackoffMillis the pause after the first attempt, 1 or more
 * @param maxBackoffMillis the longest pause, at least the first
 * @param backoffMultiplier how much longer each pause is than the one before, 1 or more
 * @param jitter by which part of it a pause is longer or shorter at random, 0 to 1
 */
public record Retry(
    int maxAttempts,
    long initialBackoffMillis,
    long maxBackoffMillis,
    double backoffMultiplier,
    double jitter) {
  /** A day: longer pauses are mistakes, such as nanoseconds given for milliseconds. */
  public static final long MAX_MILLIS = 86_400_000;

  /** Who wants to be left alone for longer is asked anyway: dates can be wrong by years. */
  public static final long MAX_WISHED_MILLIS = 3_600_000;

  /** Checks the bounds. */
  public Retry {
    if (maxAttempts < 1) {
      throw new IllegalArgumentException("maxAttempts: expected 1 or more, found " + maxAttempts);
    }
    if (initialBackoffMillis < 1
        || maxBackoffMillis < initialBackoffMillis
        || maxBackoffMillis > MAX_MILLIS) {
      throw new IllegalArgumentException(
          "expected 1 <= initialBackoffMillis <= maxBackoffMillis <= "
              + MAX_MILLIS
              + ", found "
              + initialBackoffMillis
              + " and "
              + maxBackoffMillis);
    }
    if (!(backoffMultiplier >= 1) || !(jitter >= 0 && jitter <= 1)) {
      throw new IllegalArgumentException(
          "expected backoffMultiplier 1 or more and jitter 0 to 1, found "
              + backoffMultiplier
              + " and "
              + jitter);
    }
  }

  /**
   * Five attempts, pauses of 1, 1.5, 2.25 and 3.4 seconds, each up to a fifth longer or shorter.
   */
  public static Retry defaults() {
    return new Retry(5, 1_000, 5_000, 1.5, 0.2);
  }

  /** One attempt. */
  public static Retry none() {
    return new Retry(1, 1, 1, 1, 0);
  }

  /**
   * The pause after an attempt, where the receiver asked for none.
   *
   * @param attempt the attempt that failed, from 1
   * @param random 0 to 1, which chooses within the jitter
   * @return milliseconds
   */
  public long pauseMillis(int attempt, double random) {
    double backoff = (double) initialBackoffMillis * Math.pow(backoffMultiplier, attempt - 1.0);
    return (long) (Math.min(backoff, (double) maxBackoffMillis) * (1 + jitter * (2 * random - 1)));
  }

  /**
   * The pause of somebody who sends until it is done: as {@link #pauseMillis(int, double)}, or what
   * the receiver asked for, where that is longer; no more than {@link #MAX_WISHED_MILLIS} of it.
   *
   * @param failure what the receiver said; {@code null} where it said nothing
   * @return milliseconds
   */
  public long pauseMillis(int attempt, double random, @Nullable SendResult failure) {
    long wishedMillis = failure == null ? SendResult.NOT_SAID : failure.retryAfterMillis();
    return Math.max(pauseMillis(attempt, random), Math.min(wishedMillis, MAX_WISHED_MILLIS));
  }
}

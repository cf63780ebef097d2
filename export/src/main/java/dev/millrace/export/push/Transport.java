package dev.millrace.export.push;

import dev.millrace.bytes.Payload;

/**
 * Carries one payload to one place, once: it does not retry, and knows nothing of what is in the
 * payload.
 *
 * <p><b>Ownership.</b> The caller stays the payload's owner. It leaves the payload open until
 * {@code done} was called, and closes it then.
 *
 * <p>Thread-safe; several sends may be under way. No thread of a transport keeps the JVM alive.
 */
public interface Transport extends AutoCloseable {
  /** Takes the outcome of one send. */
  @FunctionalInterface
  interface Completion {
    /**
     * Called exactly once for each send, on any thread, also before {@link Transport#send} returns.
     * The transport does not read the payload any more. It must not block and must not throw.
     */
    void done(SendResult result);
  }

  /**
   * Begins to send. Never throws for what the network or the receiver does, and does not wait for
   * them: that is in the result.
   *
   * @param payload what to send, which the caller owns and leaves open until {@code done}
   * @param deadlineNanos when to give up, by {@link System#nanoTime()}; {@code done} is called soon
   *     after it at the latest, with a {@link SendResult.Kind#RETRYABLE} result of the error type
   *     {@link SendResult#TIMEOUT}
   * @param done takes the outcome
   */
  void send(Payload payload, long deadlineNanos, Completion done);

  /**
   * Where this sends to, for logs and metrics: scheme, host and port. No user information, query or
   * header.
   */
  String name();

  /**
   * Aborts what is under way (its {@code done} is called with a failure) and frees connections and
   * threads. Later sends fail with {@link SendResult.Kind#FATAL}. May be called more than once.
   */
  @Override
  void close();
}

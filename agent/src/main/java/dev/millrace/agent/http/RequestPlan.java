package dev.millrace.agent.http;

/** What an {@link Endpoint} decides about a request when it has seen its head. */
public sealed interface RequestPlan {
  /**
   * The request is refused, whatever its body is.
   *
   * @param reply says why
   */
  record Reject(HttpReply reply) implements RequestPlan {}

  /**
   * The body is wanted.
   *
   * @param consumer takes it
   */
  record Receive(BodyConsumer consumer) implements RequestPlan {}
}

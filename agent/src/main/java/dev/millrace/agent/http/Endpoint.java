package dev.millrace.agent.http;

/** What a server does with requests. Thread-safe; called on event loops, so it never blocks. */
public interface Endpoint {
  /**
   * Decides about a request when its head has arrived and its body has not.
   *
   * @return what to do with the body
   */
  RequestPlan plan(HttpExchange exchange);

  /**
   * The reply to a request that failed before {@link #plan} was asked or while its body arrived.
   *
   * @param status from 400 to 599
   * @param contentType the request's, empty where it has none or it could not be read
   * @param message what was expected, what was found and what to do
   */
  HttpReply failure(int status, String contentType, String message);
}

package dev.millrace.agent.http;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A whole reply whose body is at hand. Immutable. */
public final class HttpReply {
  /**
   * What {@code Retry-After} says where the agent has too much to do: the queues that are full then
   * empty in well under a second.
   */
  static final int RETRY_AFTER_SECONDS = 1;

  /** Media type of replies for people. */
  static final String TEXT = "text/plain; charset=utf-8";

  private record Header(String name, String value) {}

  private final int status;
  private final String contentType;
  private final byte[] body;
  private final List<Header> headers;

  private HttpReply(int status, String contentType, byte[] body, List<Header> headers) {
    this.status = status;
    this.contentType = contentType;
    this.body = body;
    this.headers = headers;
  }

  /**
   * A reply.
   *
   * @param status an HTTP status from 200 to 599
   * @param body sent as it is; nobody may change it afterwards
   */
  public static HttpReply of(int status, String contentType, byte[] body) {
    return new HttpReply(status, contentType, body, List.of());
  }

  /** A reply for people: one line of text. */
  public static HttpReply text(int status, String line) {
    return of(status, TEXT, (line + "\n").getBytes(StandardCharsets.UTF_8));
  }

  /** The same with one more header. */
  public HttpReply with(String name, String value) {
    List<Header> more = new ArrayList<>(headers);
    more.add(new Header(name, value));
    return new HttpReply(status, contentType, body, List.copyOf(more));
  }

  /** The same, telling the client to come back soon. */
  HttpReply withRetryAfter() {
    return with("Retry-After", Integer.toString(RETRY_AFTER_SECONDS));
  }

  int status() {
    return status;
  }

  String contentType() {
    return contentType;
  }

  byte[] body() {
    return body;
  }

  void forEachHeader(java.util.function.BiConsumer<String, String> to) {
    for (Header header : headers) {
      to.accept(header.name, header.value);
    }
  }
}

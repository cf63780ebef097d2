package dev.millrace.agent.http;

import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One request and the way to reply to it. The request may be read on any thread; the reply is given
 * once, on any thread.
 */
public final class HttpExchange {
  private final HttpConnection connection;
  private final HttpRequest request;
  private final String path;

  HttpExchange(HttpConnection connection, HttpRequest request) {
    this.connection = connection;
    this.request = request;
    this.path = path(request.uri());
  }

  /** The method, in the client's spelling. */
  public String method() {
    return request.method().name();
  }

  /** Whether the client wants the reply's headers alone. */
  public boolean isHead() {
    return request.method().equals(HttpMethod.HEAD);
  }

  /** The path, without query and fragment, not decoded: nothing that is served needs decoding. */
  public String path() {
    return path;
  }

  /** All lines of a header joined by commas, or {@code null} where there is none. */
  public @Nullable String header(String name) {
    HttpHeaders headers = request.headers();
    List<String> lines = headers.getAll(name);
    return switch (lines.size()) {
      case 0 -> null;
      case 1 -> lines.get(0);
      default -> String.join(", ", lines);
    };
  }

  /** The lines of a header, none where there are none. */
  public List<String> headers(String name) {
    return request.headers().getAll(name);
  }

  /** Who sent the request, for messages. */
  public Object peer() {
    return connection.peerAddress();
  }

  /** The body's length in bytes as the client announces it, or -1 where it does not. */
  public long contentLengthBytes() {
    return HttpUtil.getContentLength(request, -1L);
  }

  /** Replies. Does nothing where the client has gone. */
  public void reply(HttpReply reply) {
    connection.reply(this, reply);
  }

  /** Begins a reply that is streamed by the thread that asked for it. */
  StreamedReply streamedReply() {
    return new StreamedReply(connection, this);
  }

  /** Closes the connection, so that a reply that was begun cannot be taken for a whole one. */
  void cutOff() {
    connection.cutOff(this);
  }

  HttpRequest request() {
    return request;
  }

  /** The path of a request target in origin form or absolute form (RFC 9112, section 3.2). */
  private static String path(String target) {
    int from = 0;
    if (!target.startsWith("/")) {
      int authority = target.indexOf("://");
      int slash = authority < 0 ? -1 : target.indexOf('/', authority + 3);
      if (slash < 0) {
        return authority < 0 ? target : "/";
      }
      from = slash;
    }
    int to = from;
    while (to < target.length() && target.charAt(to) != '?' && target.charAt(to) != '#') {
      to++;
    }
    return target.substring(from, to);
  }
}

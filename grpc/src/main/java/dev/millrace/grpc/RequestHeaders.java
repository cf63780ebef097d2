package dev.millrace.grpc;

import dev.millrace.export.push.TransportOptions;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.util.AsciiString;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The headers of one method's requests. Made once; between requests only the timeout changes, and
 * what a supplier gives. Event loop only, apart from its making and {@link #check}.
 */
final class RequestHeaders {
  private static final AsciiString TIMEOUT = AsciiString.cached("grpc-timeout");
  private static final AsciiString ENCODING = AsciiString.cached("grpc-encoding");
  private static final AsciiString ACCEPT_ENCODING = AsciiString.cached("grpc-accept-encoding");
  private static final AsciiString TE = AsciiString.cached("te");
  private static final AsciiString CONTENT_TYPE = AsciiString.cached("content-type");
  private static final AsciiString USER_AGENT = AsciiString.cached("user-agent");

  /** What HTTP/2 (RFC 9113 section 8.2.2) or gRPC's own framing give a meaning to. */
  private static final Set<String> RESERVED =
      Set.of(
          "connection",
          "content-length",
          "content-type",
          "host",
          "keep-alive",
          "proxy-connection",
          "te",
          "transfer-encoding",
          "upgrade");

  private static final String RESERVED_PREFIX = "grpc-";
  private static final String BINARY_SUFFIX = "-bin";

  /** Above a second whole ones are sent, so that the value is mostly the one of before. */
  private static final long WHOLE_SECONDS_FROM_MILLIS = 1_000;

  /** What eight digits can say, the most that gRPC allows. */
  private static final long MAX_TIMEOUT_SECONDS = 99_999_999;

  private final Http2Headers fixed;
  private Http2Headers current;
  private Map<String, String> currentMore = Map.of();
  private long timeoutValue = -1;
  private boolean timeoutInSeconds;

  RequestHeaders(TransportOptions options, String method) {
    int slash = method.indexOf('/', 1);
    if (!method.startsWith("/") || slash < 2 || slash == method.length() - 1) {
      throw new IllegalArgumentException(
          "method: expected /package.Service/Method, found " + method);
    }
    Endpoint endpoint = Endpoint.of(options.endpoint());
    String userAgent = options.userAgent();
    requireText("userAgent", userAgent);
    check(options.headers());
    Http2Headers headers =
        new DefaultHttp2Headers()
            .method(AsciiString.cached("POST"))
            .scheme(AsciiString.of(endpoint.scheme()))
            .path(AsciiString.of(method))
            .authority(AsciiString.of(endpoint.authority()));
    headers.set(TE, AsciiString.cached("trailers"));
    headers.set(CONTENT_TYPE, AsciiString.cached("application/grpc"));
    headers.set(
        USER_AGENT, AsciiString.of((userAgent + " millrace-grpc/" + Version.text()).strip()));
    headers.set(ACCEPT_ENCODING, AsciiString.cached("identity,gzip"));
    if (options.gzip()) {
      headers.set(ENCODING, AsciiString.cached("gzip"));
    }
    setAll(headers, options.headers());
    fixed = headers;
    current = headers;
  }

  /**
   * Checks headers that are to be sent.
   *
   * @throws IllegalArgumentException if one cannot be sent; says which, and not its value
   */
  static void check(Map<String, String> headers) {
    for (Map.Entry<String, String> header : headers.entrySet()) {
      String name = header.getKey().toLowerCase(Locale.ROOT);
      if (!isName(name)) {
        throw new IllegalArgumentException(
            "header: expected a name of letters, digits, '-', '_' and '.', found " + name);
      }
      if (RESERVED.contains(name) || name.startsWith(RESERVED_PREFIX)) {
        throw new IllegalArgumentException(
            "header: expected a name that gRPC does not set itself, found " + name);
      }
      requireText("header " + name, header.getValue());
      if (name.endsWith(BINARY_SUFFIX)) {
        try {
          Base64.getDecoder().decode(header.getValue().strip());
        } catch (IllegalArgumentException e) {
          throw new IllegalArgumentException(
              "header " + name + ": expected base64, because its name ends in -bin", e);
        }
      }
    }
  }

  /**
   * The headers of the next request, until the one after it.
   *
   * @param more what the supplier gave
   * @param timeoutNanos how long the receiver may take, above 0
   */
  Http2Headers forRequest(Map<String, String> more, long timeoutNanos) {
    if (!more.equals(currentMore)) {
      current = fixed;
      if (!more.isEmpty()) {
        Http2Headers headers = new DefaultHttp2Headers();
        headers.setAll(fixed);
        setAll(headers, more);
        current = headers;
      }
      currentMore = Map.copyOf(more);
      timeoutValue = -1;
    }
    setTimeout(timeoutNanos);
    return current;
  }

  private void setTimeout(long timeoutNanos) {
    long millis = TimeUnit.NANOSECONDS.toMillis(timeoutNanos) + 1;
    boolean inSeconds = millis > WHOLE_SECONDS_FROM_MILLIS;
    long value = millis;
    if (inSeconds) {
      // Rounded up: giving up in time is our own clock's task, the receiver's is a help.
      value = Math.min(TimeUnit.MILLISECONDS.toSeconds(millis - 1) + 1, MAX_TIMEOUT_SECONDS);
    }
    if (value != timeoutValue || inSeconds != timeoutInSeconds) {
      timeoutValue = value;
      timeoutInSeconds = inSeconds;
      current.set(TIMEOUT, AsciiString.of(value + (inSeconds ? "S" : "m")));
    }
  }

  private static void setAll(Http2Headers headers, Map<String, String> more) {
    for (Map.Entry<String, String> header : more.entrySet()) {
      headers.set(
          AsciiString.of(header.getKey().toLowerCase(Locale.ROOT)),
          AsciiString.of(header.getValue().strip()));
    }
  }

  private static boolean isName(String name) {
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      boolean plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
      if (!plain && c != '-' && c != '_' && c != '.') {
        return false;
      }
    }
    return !name.isEmpty();
  }

  private static void requireText(String what, String value) {
    for (int i = 0; i < value.length(); i++) {
      if (value.charAt(i) < ' ' || value.charAt(i) > '~') {
        throw new IllegalArgumentException(
            what + ": expected printable ASCII, found another character at index " + i);
      }
    }
  }
}

package dev.millrace.agent.http;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is wrong with a request's head as HTTP, whatever it asks for.
 *
 * @param status the HTTP status that says so
 * @param message what was expected, what was found and what to do
 */
record RequestFault(int status, String message) {
  /** What of a message that quotes the request is kept: enough to see what it was. */
  private static final int MAX_QUOTE_CHARS = 120;

  /** The fault of a request, or {@code null} where it has none. */
  static @Nullable RequestFault of(HttpRequest request) {
    Throwable cause = request.decoderResult().cause();
    if (cause != null) {
      return unreadable(cause);
    }
    HttpVersion version = request.protocolVersion();
    if (!version.protocolName().equals("HTTP") || version.majorVersion() != 1) {
      return new RequestFault(505, "expected HTTP/1.1 or HTTP/1.0, found " + quote(version.text()));
    }
    boolean old = version.minorVersion() == 0;
    int hosts = request.headers().getAll(HttpHeaderNames.HOST).size();
    if (hosts > 1 || (hosts == 0 && !old)) {
      return new RequestFault(400, "expected one Host header, found " + hosts);
    }
    List<String> codings = request.headers().getAll(HttpHeaderNames.TRANSFER_ENCODING);
    if (!codings.isEmpty()) {
      if (old) {
        return new RequestFault(
            400, "expected no Transfer-Encoding in HTTP/1.0, found one; send Content-Length");
      }
      if (codings.size() > 1 || !codings.get(0).strip().equalsIgnoreCase("chunked")) {
        return new RequestFault(
            501,
            "expected the Transfer-Encoding chunked alone, found "
                + quote(String.join(", ", codings)));
      }
    }
    String expectation = request.headers().get(HttpHeaderNames.EXPECT);
    if (expectation != null && !old && !HttpUtil.is100ContinueExpected(request)) {
      return new RequestFault(417, "expected 100-continue in Expect, found " + quote(expectation));
    }
    return null;
  }

  /** The fault that a decoder found. */
  static RequestFault unreadable(Throwable cause) {
    if (cause instanceof TooLongHttpLineException) {
      return new RequestFault(
          414,
          "expected a request line of at most "
              + RequestDecoder.MAX_LINE_BYTES
              + " bytes, found more");
    }
    if (cause instanceof TooLongHttpHeaderException) {
      return new RequestFault(
          431,
          "expected headers of at most " + RequestDecoder.MAX_HEADER_BYTES + " bytes, found more");
    }
    String reason = cause.getMessage();
    return new RequestFault(
        400,
        "expected an HTTP/1.1 request, found one that cannot be read: "
            + quote(reason == null ? cause.getClass().getSimpleName() : reason));
  }

  /** A peer's text for a message: printable, and not long. */
  static String quote(String text) {
    StringBuilder quote = new StringBuilder();
    for (int i = 0; i < Math.min(text.length(), MAX_QUOTE_CHARS); i++) {
      char c = text.charAt(i);
      quote.append(c < ' ' || c > '~' ? '?' : c);
    }
    return quote.append(text.length() > MAX_QUOTE_CHARS ? "..." : "").toString();
  }
}

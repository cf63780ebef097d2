package dev.millrace.export.server;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A short reply for people, such as an error. Immutable.
 *
 * @param status the HTTP status
 * @param message one or more lines
 */
record TextReply(int status, String message) {
  /** 404. */
  static TextReply unknownPath(String expected, @Nullable String found, ServerProblems problems) {
    String message = "expected " + expected + ", found " + ServerProblems.quote("" + found);
    problems.unknownPath.add(1, () -> message);
    return new TextReply(404, message);
  }

  /** 405; the header {@code Allow} is set in the exchange. */
  static TextReply wrongMethod(HttpExchange exchange, ServerProblems problems) {
    String message =
        "expected GET or HEAD, found " + ServerProblems.quote(exchange.getRequestMethod());
    problems.wrongMethod.add(1, () -> message);
    exchange.getResponseHeaders().set("Allow", ServedHeaders.ALLOWED_METHODS);
    return new TextReply(405, message);
  }

  /** The body's bytes. */
  byte[] body() {
    return (message + "\n").getBytes(StandardCharsets.UTF_8);
  }

  /** Sends this reply; headers that the exchange has already go with it. */
  void send(HttpExchange exchange, PeerWatchdog.Watch watch) throws IOException {
    watch.arm();
    try {
      exchange.getResponseHeaders().set("Content-Type", ServedHeaders.TEXT);
      if (exchange.getRequestMethod().equals("HEAD")) {
        exchange.sendResponseHeaders(status, -1);
        return;
      }
      byte[] body = body();
      exchange.sendResponseHeaders(status, body.length);
      try (OutputStream out = exchange.getResponseBody()) {
        out.write(body);
      }
    } finally {
      watch.disarm();
    }
  }
}

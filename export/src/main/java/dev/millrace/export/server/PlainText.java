package dev.millrace.export.server;

import com.sun.net.httpserver.HttpExchange;
import dev.millrace.export.scrape.ScrapeRefusal;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Short replies for people through the JDK's server. */
final class PlainText {
  private PlainText() {}

  /** The bytes of a message. */
  static byte[] bytes(String message) {
    return (message + "\n").getBytes(StandardCharsets.UTF_8);
  }

  /** Sends a refusal. */
  static void send(HttpExchange exchange, PeerWatchdog.Watch watch, ScrapeRefusal refusal)
      throws IOException {
    if (!refusal.headerName().isEmpty()) {
      exchange.getResponseHeaders().set(refusal.headerName(), refusal.headerValue());
    }
    send(exchange, watch, refusal.status(), refusal.message());
  }

  /** Sends a message; headers that the exchange has already go with it. */
  static void send(HttpExchange exchange, PeerWatchdog.Watch watch, int status, String message)
      throws IOException {
    watch.arm();
    try {
      exchange.getResponseHeaders().set("Content-Type", ScrapeRefusal.CONTENT_TYPE);
      if (exchange.getRequestMethod().equals("HEAD")) {
        exchange.sendResponseHeaders(status, -1);
        return;
      }
      byte[] body = bytes(message);
      exchange.sendResponseHeaders(status, body.length);
      // Not the exchange: that waits for the request's body before it sends the reply.
      try (OutputStream out = exchange.getResponseBody()) {
        out.write(body);
      }
    } finally {
      watch.disarm();
    }
  }
}

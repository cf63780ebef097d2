package dev.millrace.export.server;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * One reply through the JDK's server. One that was sent in part is to be cut off by an exception
 * out of the exchange's handler: closing the exchange would end the reply as if it were whole.
 */
final class HttpScrapeReply extends HeldReply {
  private final HttpExchange exchange;
  private final boolean headOnly;

  HttpScrapeReply(HttpExchange exchange, boolean headOnly, PeerWatchdog.Watch watch) {
    super(watch);
    this.exchange = exchange;
    this.headOnly = headOnly;
  }

  @Override
  void head(String contentType, @Nullable String contentEncoding, long lengthBytes)
      throws IOException {
    Headers headers = exchange.getResponseHeaders();
    headers.set("Content-Type", contentType);
    headers.set("Vary", VARY);
    if (contentEncoding != null) {
      headers.set("Content-Encoding", contentEncoding);
    }
    exchange.sendResponseHeaders(200, jdkLength(lengthBytes));
  }

  /** The JDK says -1 for no body and 0 for one of unknown length. */
  private long jdkLength(long lengthBytes) {
    if (headOnly || lengthBytes == 0) {
      return -1;
    }
    return lengthBytes == UNKNOWN_LENGTH ? 0 : lengthBytes;
  }

  @Override
  void write(byte[] bytes, int lengthBytes) throws IOException {
    exchange.getResponseBody().write(bytes, 0, lengthBytes);
  }

  @Override
  void finish() throws IOException {
    exchange.getResponseBody().close();
  }
}

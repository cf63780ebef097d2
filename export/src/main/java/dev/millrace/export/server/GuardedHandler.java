package dev.millrace.export.server;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.millrace.export.scrape.ScrapeRefusal;
import java.io.IOException;

/** Lets requests with the right user and password through to another handler. */
final class GuardedHandler implements HttpHandler {
  private final HttpHandler guarded;
  private final BasicCheck check;
  private final PeerWatchdog watchdog;

  GuardedHandler(HttpHandler guarded, BasicCheck check, PeerWatchdog watchdog) {
    this.guarded = guarded;
    this.check = check;
    this.watchdog = watchdog;
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    // First of all: a password's supplier is the application's code, which nobody may interrupt.
    PeerWatchdog.Watch watch = watchdog.enter();
    try {
      if (check.passes(
          exchange.getRequestHeaders().get("Authorization"), exchange.getRemoteAddress())) {
        guarded.handle(exchange);
      } else {
        PlainText.send(exchange, watch, ScrapeRefusal.ofCredentials(BasicCheck.REALM));
      }
    } finally {
      watch.leave();
    }
  }
}

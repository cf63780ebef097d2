package dev.millrace.export.server;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.millrace.export.scrape.ScrapeRefusal;
import java.io.IOException;

/** Lets requests with the right user and password through to another handler. */
final class GuardedHandler implements HttpHandler {
  private static final String REALM = "metrics";

  private final HttpHandler guarded;
  private final BasicCheck check;
  private final ServerProblems problems;
  private final PeerWatchdog watchdog;

  GuardedHandler(
      HttpHandler guarded, BasicCheck check, ServerProblems problems, PeerWatchdog watchdog) {
    this.guarded = guarded;
    this.check = check;
    this.problems = problems;
    this.watchdog = watchdog;
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    // First of all: a password's supplier is the application's code, which nobody may interrupt.
    PeerWatchdog.Watch watch = watchdog.enter();
    try {
      if (passes(exchange)) {
        guarded.handle(exchange);
      } else {
        PlainText.send(exchange, watch, ScrapeRefusal.ofCredentials(REALM));
      }
    } finally {
      watch.leave();
    }
  }

  private boolean passes(HttpExchange exchange) {
    try {
      if (check.passes(exchange.getRequestHeaders().get("Authorization"))) {
        return true;
      }
      problems.unauthorized.add(
          1,
          () ->
              "expected the user and the password of this server, found others or none, from "
                  + exchange.getRemoteAddress());
    } catch (RuntimeException e) {
      // Its message may be made of the secret.
      problems.unauthorized.add(
          1, () -> "expected a password from its supplier, found " + e.getClass().getName());
    }
    return false;
  }
}

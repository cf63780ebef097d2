package dev.millrace.export.server;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.millrace.export.scrape.ScrapeRefusal;
import java.io.IOException;

/** Tells people who look at {@code /} where the metrics are; every other path is unknown. */
final class IndexHandler implements HttpHandler {
  private final String metricsPath;
  private final ServerProblems problems;
  private final PeerWatchdog watchdog;

  IndexHandler(String metricsPath, ServerProblems problems, PeerWatchdog watchdog) {
    this.metricsPath = metricsPath;
    this.problems = problems;
    this.watchdog = watchdog;
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    PeerWatchdog.Watch watch = watchdog.enter();
    try {
      String path = String.valueOf(exchange.getRequestURI().getPath());
      ScrapeRefusal refusal =
          path.equals("/")
              ? problems.wrongMethod(exchange.getRequestMethod())
              : problems.unknownPath(path, metricsPath);
      if (refusal == null) {
        PlainText.send(
            exchange, watch, 200, "Millrace\n  " + metricsPath + "  metrics, for Prometheus");
      } else {
        PlainText.send(exchange, watch, refusal);
      }
    } finally {
      watch.leave();
    }
  }
}

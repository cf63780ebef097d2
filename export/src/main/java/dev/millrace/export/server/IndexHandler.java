package dev.millrace.export.server;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
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
      reply(exchange).send(exchange, watch);
    } finally {
      watch.leave();
    }
  }

  private TextReply reply(HttpExchange exchange) {
    String path = exchange.getRequestURI().getPath();
    if (!"/".equals(path)) {
      return TextReply.unknownPath(metricsPath, path, problems);
    }
    return ServedHeaders.isRead(exchange.getRequestMethod())
        ? new TextReply(200, "Millrace\n  " + metricsPath + "  metrics, for Prometheus")
        : TextReply.wrongMethod(exchange, problems);
  }
}

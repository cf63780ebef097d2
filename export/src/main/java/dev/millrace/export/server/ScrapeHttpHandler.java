package dev.millrace.export.server;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.millrace.export.scrape.ScrapeHandler;
import dev.millrace.export.scrape.ScrapeRequest;
import dev.millrace.model.Problems;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Answers scrapes in an application's own {@link com.sun.net.httpserver.HttpServer}, at exactly the
 * path of the context that it is mounted at.
 *
 * <pre>{@code
 * HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 9464), 0);
 * server.createContext("/metrics", new ScrapeHttpHandler(handler, problems));
 * assert server.getExecutor() == null; // set one: without it, one scrape runs at a time
 * }</pre>
 *
 * <p>GET and HEAD are scrapes; other methods get 405, other paths 404, and scrapes beyond {@value
 * ScrapeGate#MAX_CONCURRENT_SCRAPES} at once 503 with {@code Retry-After}. A peer that takes none
 * of its reply for {@value #PEER_LIMIT_MILLIS} ms is cut off: the thread that writes to it is
 * interrupted in the write, and nowhere else.
 *
 * <p>The JDK's server stalls each reply on a kept-alive connection for about 40 ms unless the
 * system property {@code sun.net.httpserver.nodelay} is {@code true} before the application's first
 * use of that server: start the application with it. {@link PrometheusServer} sees to it by itself.
 *
 * <p>Thread-safe. The caller owns the {@link ScrapeHandler} and closes it after the server.
 */
public final class ScrapeHttpHandler implements HttpHandler {
  /**
   * How long one wait for a peer may take: longer than Prometheus' default scrape timeout of 10 s,
   * after which it is gone anyway, and longer than a connection needs to recover from lost packets.
   */
  static final long PEER_LIMIT_MILLIS = 20_000;

  private final ScrapeGate gate;
  private final ServerProblems problems;
  private final PeerWatchdog watchdog;

  /**
   * A handler.
   *
   * @param problems takes what goes wrong with requests, under kinds that begin with {@code
   *     scrape_}
   */
  public ScrapeHttpHandler(ScrapeHandler handler, Problems problems) {
    this(handler, new ServerProblems(problems), new PeerWatchdog(PEER_LIMIT_MILLIS));
  }

  ScrapeHttpHandler(ScrapeHandler handler, ServerProblems problems, PeerWatchdog watchdog) {
    this.gate = new ScrapeGate(handler, problems);
    this.problems = problems;
    this.watchdog = watchdog;
  }

  /** Answers one request on the calling thread. */
  @Override
  public void handle(HttpExchange exchange) throws IOException {
    PeerWatchdog.Watch watch = watchdog.enter();
    try {
      TextReply refusal = refusal(exchange);
      if (refusal != null) {
        refusal.send(exchange, watch);
      } else {
        scrape(exchange, watch);
      }
    } finally {
      watch.leave();
    }
  }

  /** Who lets scrapes in. */
  ScrapeGate gate() {
    return gate;
  }

  private @Nullable TextReply refusal(HttpExchange exchange) {
    String path = exchange.getRequestURI().getPath();
    String expected = exchange.getHttpContext().getPath();
    if (!expected.equals(path)) {
      return TextReply.unknownPath(expected, path, problems);
    }
    if (!ServedHeaders.isRead(exchange.getRequestMethod())) {
      return TextReply.wrongMethod(exchange, problems);
    }
    return null;
  }

  private void scrape(HttpExchange exchange, PeerWatchdog.Watch watch) throws IOException {
    boolean headOnly = exchange.getRequestMethod().equals("HEAD");
    Headers headers = exchange.getRequestHeaders();
    ScrapeRequest request =
        new ScrapeRequest(
            joined(headers.get("Accept")), joined(headers.get("Accept-Encoding")), headOnly);
    try (HttpScrapeReply reply = new HttpScrapeReply(exchange, headOnly, watch)) {
      ScrapeGate.Outcome outcome = gate.scrape(request, reply);
      if (outcome == ScrapeGate.Outcome.DONE) {
        return;
      }
      if (outcome == ScrapeGate.Outcome.ABORTED || reply.isSent()) {
        // Leaving the exchange like this is the only way to close its connection without an end
        // that the client could take for the reply's own.
        throw new IOException("the scrape was cut off");
      }
      if (outcome == ScrapeGate.Outcome.REFUSED) {
        exchange.getResponseHeaders().set("Retry-After", ServedHeaders.RETRY_AFTER_SECONDS);
        new TextReply(503, gate.refusal()).send(exchange, watch);
      } else {
        new TextReply(500, ScrapeGate.FAILURE).send(exchange, watch);
      }
    }
  }

  private static @Nullable String joined(@Nullable List<String> lines) {
    if (lines == null) {
      return null;
    }
    return lines.size() == 1 ? lines.get(0) : String.join(",", lines);
  }
}

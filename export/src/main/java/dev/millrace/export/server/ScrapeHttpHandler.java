package dev.millrace.export.server;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.millrace.export.scrape.ScrapeHandler;
import dev.millrace.export.scrape.ScrapeRefusal;
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
 * <p>GET and HEAD are scrapes; other methods get 405, other paths 404, and scrapes that the handler
 * has no room for 503 with {@code Retry-After}. A peer that takes none of its reply for {@value
 * #PEER_LIMIT_MILLIS} ms, or holds others up for longer than the handler allows, is cut off: the
 * thread that writes to it is interrupted in the write, and nowhere else.
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
    this(handler, new ServerProblems(problems), new PeerWatchdog(PEER_LIMIT_MILLIS, handler::trim));
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
      ScrapeRefusal refusal = refusal(exchange);
      if (refusal != null) {
        PlainText.send(exchange, watch, refusal);
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

  private @Nullable ScrapeRefusal refusal(HttpExchange exchange) {
    String path = String.valueOf(exchange.getRequestURI().getPath());
    String expected = exchange.getHttpContext().getPath();
    if (!path.equals(expected)) {
      return problems.unknownPath(path, expected);
    }
    return problems.wrongMethod(exchange.getRequestMethod());
  }

  private void scrape(HttpExchange exchange, PeerWatchdog.Watch watch) throws IOException {
    boolean headOnly = exchange.getRequestMethod().equals("HEAD");
    Headers headers = exchange.getRequestHeaders();
    ScrapeRequest request =
        new ScrapeRequest(
            joined(headers.get("Accept")), joined(headers.get("Accept-Encoding")), headOnly);
    Throwable failure;
    try (HttpScrapeReply reply = new HttpScrapeReply(exchange, headOnly, watch)) {
      failure = gate.scrape(request, reply);
      if (failure != null && reply.isSent()) {
        // Leaving the exchange like this is the only way to close its connection without an end
        // that the client could take for the reply's own.
        throw new IOException("the scrape was cut off", failure);
      }
    }
    if (failure != null) {
      PlainText.send(exchange, watch, ScrapeRefusal.ofFailure(failure));
    }
  }

  private static @Nullable String joined(@Nullable List<String> lines) {
    if (lines == null) {
      return null;
    }
    return lines.size() == 1 ? lines.get(0) : String.join(",", lines);
  }
}

package dev.millrace.export.server;

import dev.millrace.export.scrape.ScrapeHandler;
import dev.millrace.export.scrape.ScrapeRefusal;
import dev.millrace.export.scrape.ScrapeRequest;
import dev.millrace.model.Problems;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Collections;
import java.util.Enumeration;
import org.jspecify.annotations.Nullable;

/**
 * Answers scrapes in a servlet container (Jakarta Servlet 5 or newer), at whatever path it is
 * mapped to. Jakarta's API is the application's: nothing else of Millrace needs it.
 *
 * <pre>{@code
 * ServletContextHandler context = new ServletContextHandler(); // Jetty's
 * context.addServlet(new ServletHolder(new ScrapeServlet(handler, problems)), "/metrics");
 * assert context.getServletHandler().getServlets().length == 1;
 * }</pre>
 *
 * <p>GET and HEAD are scrapes; other methods get 405, and scrapes that the handler has no room for
 * 503 with {@code Retry-After}. A scrape runs on the container's thread. A peer that takes none of
 * its reply for {@value ScrapeHttpHandler#PEER_LIMIT_MILLIS} ms, or holds others up for longer than
 * the handler allows, is cut off as far as the container lets it: the thread is interrupted in its
 * write, and nowhere else. Who may scrape is the container's matter.
 *
 * <p>Thread-safe. The caller owns the {@link ScrapeHandler} and closes it after the container.
 */
public final class ScrapeServlet implements Servlet {
  private final ScrapeGate gate;
  private final ServerProblems problems;
  private final PeerWatchdog watchdog;
  private @Nullable ServletConfig config;

  /**
   * A servlet.
   *
   * @param problems takes what goes wrong with requests, under kinds that begin with {@code
   *     scrape_}
   */
  public ScrapeServlet(ScrapeHandler handler, Problems problems) {
    this.problems = new ServerProblems(problems);
    this.gate = new ScrapeGate(handler, this.problems);
    this.watchdog = new PeerWatchdog(ScrapeHttpHandler.PEER_LIMIT_MILLIS, handler::trim);
  }

  @Override
  public void init(ServletConfig config) {
    this.config = config;
  }

  @Override
  public @Nullable ServletConfig getServletConfig() {
    return config;
  }

  @Override
  public String getServletInfo() {
    return "Millrace scrapes";
  }

  /** Does nothing: scrapes that run end by themselves or with their connections. */
  @Override
  public void destroy() {}

  /**
   * Answers one request on the calling thread.
   *
   * @throws IOException if the peer is gone, or the scrape failed when a part of its reply was sent
   *     already: the container cuts the reply off
   */
  @Override
  public void service(ServletRequest request, ServletResponse response)
      throws ServletException, IOException {
    if (!(request instanceof HttpServletRequest httpRequest)
        || !(response instanceof HttpServletResponse httpResponse)) {
      throw new ServletException("expected HTTP, found " + request.getProtocol());
    }
    String method = httpRequest.getMethod();
    ScrapeRefusal refusal = problems.wrongMethod(method);
    if (refusal != null) {
      send(httpResponse, refusal);
      return;
    }
    PeerWatchdog.Watch watch = watchdog.enter();
    try {
      scrape(httpRequest, httpResponse, method.equals("HEAD"), watch);
    } finally {
      watch.leave();
    }
  }

  private void scrape(
      HttpServletRequest request,
      HttpServletResponse response,
      boolean headOnly,
      PeerWatchdog.Watch watch)
      throws IOException {
    ScrapeRequest scrape =
        new ScrapeRequest(
            joined(request.getHeaders("Accept")),
            joined(request.getHeaders("Accept-Encoding")),
            headOnly);
    Throwable failure;
    try (ServletScrapeReply reply = new ServletScrapeReply(response, headOnly, watch)) {
      failure = gate.scrape(scrape, reply);
      if (failure != null && reply.isSent()) {
        throw new IOException("the scrape was cut off", failure);
      }
    }
    if (failure != null) {
      send(response, ScrapeRefusal.ofFailure(failure));
    }
  }

  private static void send(HttpServletResponse response, ScrapeRefusal refusal) throws IOException {
    byte[] body = PlainText.bytes(refusal.message());
    response.setStatus(refusal.status());
    if (!refusal.headerName().isEmpty()) {
      response.setHeader(refusal.headerName(), refusal.headerValue());
    }
    response.setContentType(ScrapeRefusal.CONTENT_TYPE);
    response.setContentLength(body.length);
    response.getOutputStream().write(body);
  }

  private static @Nullable String joined(@Nullable Enumeration<String> lines) {
    return lines == null || !lines.hasMoreElements()
        ? null
        : String.join(",", Collections.list(lines));
  }

  /** One reply through a container. */
  private static final class ServletScrapeReply extends HeldReply {
    private final HttpServletResponse response;
    private final boolean headOnly;

    ServletScrapeReply(HttpServletResponse response, boolean headOnly, PeerWatchdog.Watch watch) {
      super(watch);
      this.response = response;
      this.headOnly = headOnly;
    }

    @Override
    void head(String contentType, @Nullable String contentEncoding, long lengthBytes) {
      response.setStatus(200);
      response.setContentType(contentType);
      response.setHeader("Vary", VARY);
      if (contentEncoding != null) {
        response.setHeader("Content-Encoding", contentEncoding);
      }
      if (!headOnly && lengthBytes != UNKNOWN_LENGTH) {
        response.setContentLengthLong(lengthBytes);
      }
    }

    @Override
    void write(byte[] bytes, int lengthBytes) throws IOException {
      response.getOutputStream().write(bytes, 0, lengthBytes);
    }

    @Override
    void finish() throws IOException {
      // Whoever waits for the peer is to be the scrape, which counts what goes wrong, and not the
      // container behind it.
      response.flushBuffer();
    }
  }
}

package dev.millrace.export.server;

import dev.millrace.export.scrape.ScrapeHandler;
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
import java.nio.charset.StandardCharsets;
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
 * <p>GET and HEAD are scrapes; other methods get 405, and scrapes beyond {@value
 * ScrapeGate#MAX_CONCURRENT_SCRAPES} at once 503 with {@code Retry-After}. A scrape runs on the
 * container's thread and waits there for its peer, no longer than the container's own time-out for
 * idle connections; who may scrape is the container's matter too.
 *
 * <p>Thread-safe. The caller owns the {@link ScrapeHandler} and closes it after the container.
 */
public final class ScrapeServlet implements Servlet {
  private final ScrapeGate gate;
  private final ServerProblems problems;
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
    if (!ServedHeaders.isRead(method)) {
      String message = "expected GET or HEAD, found " + ServerProblems.quote(method);
      problems.wrongMethod.add(1, () -> message);
      httpResponse.setHeader("Allow", ServedHeaders.ALLOWED_METHODS);
      reply(httpResponse, 405, message);
      return;
    }
    scrape(httpRequest, httpResponse, method.equals("HEAD"));
  }

  private void scrape(HttpServletRequest request, HttpServletResponse response, boolean headOnly)
      throws IOException {
    ScrapeRequest scrape =
        new ScrapeRequest(
            joined(request.getHeaders("Accept")),
            joined(request.getHeaders("Accept-Encoding")),
            headOnly);
    try (ServletScrapeReply reply = new ServletScrapeReply(response, headOnly)) {
      ScrapeGate.Outcome outcome = gate.scrape(scrape, reply);
      if (outcome == ScrapeGate.Outcome.DONE) {
        return;
      }
      if (outcome == ScrapeGate.Outcome.ABORTED || reply.isSent()) {
        throw new IOException("the scrape was cut off");
      }
      if (outcome == ScrapeGate.Outcome.REFUSED) {
        response.setHeader("Retry-After", ServedHeaders.RETRY_AFTER_SECONDS);
        reply(response, 503, gate.refusal());
      } else {
        reply(response, 500, ScrapeGate.FAILURE);
      }
    }
  }

  private static void reply(HttpServletResponse response, int status, String message)
      throws IOException {
    byte[] body = (message + "\n").getBytes(StandardCharsets.UTF_8);
    response.setStatus(status);
    response.setContentType(ServedHeaders.TEXT);
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

    ServletScrapeReply(HttpServletResponse response, boolean headOnly) {
      this.response = response;
      this.headOnly = headOnly;
    }

    @Override
    void head(String contentType, @Nullable String contentEncoding, long lengthBytes) {
      response.setStatus(200);
      response.setContentType(contentType);
      response.setHeader("Vary", ServedHeaders.VARY);
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

package dev.millrace.agent.http;

import dev.millrace.export.scrape.ScrapeHandler;
import dev.millrace.export.scrape.ScrapeRefusal;
import dev.millrace.export.scrape.ScrapeRequest;
import dev.millrace.export.scrape.ScrapeResult;
import dev.millrace.export.scrape.ScrapeUnavailableException;
import dev.millrace.export.server.BasicCheck;
import dev.millrace.model.Problems;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What Prometheus scrapes, and what tells how the agent is: {@code GET /metrics}, {@code
 * /-/healthy}, {@code /-/ready}, and an index at {@code /}. Thread-safe.
 *
 * <p>A scrape runs on a worker and streams; it waits there while its peer is slow, and until others
 * have read what it needs. When all workers have a scrape, or the wait takes too long, the answer
 * is 503 with {@code Retry-After}.
 */
public final class ScrapeEndpoint implements Endpoint {
  /**
   * How many scrapes run at once: two Prometheus servers and some people with curl, four times
   * over. Each may hold a megabyte while its peer is slow.
   */
  public static final int MAX_CONCURRENT_SCRAPES = 8;

  private static final String INDEX =
      """
      Millrace agent
        /metrics     what was received, for Prometheus
        /-/healthy   200 while the agent runs
        /-/ready     200 when it takes requests, 503 while it starts and stops""";

  private final ScrapeHandler handler;
  private final WorkerPool workers;
  private final BooleanSupplier ready;
  private final @Nullable BasicCheck credentials;
  private final ScrapeProblems problems;
  private final LongAdder scrapes = new LongAdder();
  private final LongAdder sentBytes = new LongAdder();

  /**
   * An endpoint.
   *
   * @param workers run scrapes: {@link #MAX_CONCURRENT_SCRAPES} threads, none waiting
   * @param ready whether the agent takes requests
   * @param credentials lets scrapers in; null if all may
   */
  public ScrapeEndpoint(
      ScrapeHandler handler,
      WorkerPool workers,
      BooleanSupplier ready,
      @Nullable BasicCheck credentials,
      Problems problems) {
    this.handler = handler;
    this.workers = workers;
    this.ready = ready;
    this.credentials = credentials;
    this.problems = new ScrapeProblems(problems);
  }

  /** How many scrapes were answered in full. */
  public long scrapes() {
    return scrapes.sum();
  }

  /** Bytes of scrapes' bodies, as they were on the wire. */
  public long sentBytes() {
    return sentBytes.sum();
  }

  @Override
  public RequestPlan plan(HttpExchange exchange) {
    Runnable answer =
        switch (exchange.path()) {
          case "/metrics" -> () -> submit(exchange);
          case "/-/healthy" -> () -> exchange.reply(HttpReply.text(200, "healthy"));
          case "/-/ready" -> () -> exchange.reply(readiness());
          case "/" -> () -> exchange.reply(HttpReply.text(200, INDEX));
          default -> null;
        };
    if (answer == null) {
      ScrapeRefusal unknown =
          ScrapeRefusal.ofPath(exchange.path(), "/metrics, /-/healthy or /-/ready");
      problems.unknownPath.add(1, unknown::message);
      return new RequestPlan.Reject(reply(unknown));
    }
    if (!mayAsk(exchange)) {
      return new RequestPlan.Reject(reply(ScrapeRefusal.ofCredentials(BasicCheck.REALM)));
    }
    ScrapeRefusal refusal = ScrapeRefusal.ofMethod(exchange.method());
    if (refusal != null) {
      problems.wrongMethod.add(1, refusal::message);
      return new RequestPlan.Reject(reply(refusal));
    }
    return new RequestPlan.Receive(new IgnoredBody(answer, problems.body));
  }

  /** Probes have no password; what they are told is no secret. */
  private boolean mayAsk(HttpExchange exchange) {
    return credentials == null
        || exchange.path().startsWith("/-/")
        || credentials.passes(exchange.headers("Authorization"), exchange.peer());
  }

  @Override
  public HttpReply failure(int status, String contentType, String message) {
    return HttpReply.text(status, message);
  }

  private static HttpReply reply(ScrapeRefusal refusal) {
    HttpReply reply = HttpReply.text(refusal.status(), refusal.message());
    return refusal.headerName().isEmpty()
        ? reply
        : reply.with(refusal.headerName(), refusal.headerValue());
  }

  private HttpReply readiness() {
    return ready.getAsBoolean()
        ? HttpReply.text(200, "ready")
        : HttpReply.text(503, "not ready: starting or stopping").withRetryAfter();
  }

  private void submit(HttpExchange exchange) {
    if (!workers.tryExecute(() -> scrape(exchange))) {
      String message =
          "expected at most "
              + MAX_CONCURRENT_SCRAPES
              + " scrapes at once, found one more; scrape again later, and look for scrapers that"
              + " are slow";
      problems.overloaded.add(1, () -> message);
      exchange.reply(reply(ScrapeRefusal.ofOverload(message)));
    }
  }

  private void scrape(HttpExchange exchange) {
    StreamedReply reply = exchange.streamedReply();
    try {
      ScrapeResult result =
          handler.handle(
              new ScrapeRequest(
                  exchange.header("Accept"), exchange.header("Accept-Encoding"), exchange.isHead()),
              reply);
      sentBytes.add(result.bodyBytes());
      scrapes.increment();
    } catch (UncheckedIOException e) {
      problems.aborted.add(
          1, () -> "expected the scraper to take its reply, found: " + e.getMessage());
      exchange.cutOff();
    } catch (ScrapeUnavailableException e) {
      // The handler counts these.
      fail(exchange, reply, e);
    } catch (RuntimeException | Error e) {
      problems.failed.add(1, () -> "expected to encode a scrape, found " + Failures.describe(e));
      fail(exchange, reply, e);
    }
  }

  /** Whatever went wrong, the client must not take the reply for a whole one. */
  private static void fail(HttpExchange exchange, StreamedReply reply, Throwable failure) {
    if (reply.isStarted()) {
      exchange.cutOff();
    } else {
      exchange.reply(reply(ScrapeRefusal.ofFailure(failure)));
    }
  }
}

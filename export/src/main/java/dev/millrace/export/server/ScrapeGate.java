package dev.millrace.export.server;

import dev.millrace.export.scrape.ScrapeHandler;
import dev.millrace.export.scrape.ScrapeReply;
import dev.millrace.export.scrape.ScrapeRequest;
import java.io.UncheckedIOException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Lets a bounded number of scrapes in at once, and counts what goes wrong with them, whatever HTTP
 * server they come from. Thread-safe.
 */
final class ScrapeGate {
  /**
   * How many scrapes run at once: two Prometheus servers and some people with curl, four times
   * over. Each may hold a few chunks of memory and a thread while its peer is slow.
   */
  static final int MAX_CONCURRENT_SCRAPES = 8;

  /** What a client reads where encoding failed. */
  static final String FAILURE = "the scrape failed; the application's log says more";

  private final ScrapeHandler handler;
  private final ServerProblems problems;
  private final Semaphore permits = new Semaphore(MAX_CONCURRENT_SCRAPES);
  private volatile boolean closed;

  /** How an attempt to scrape ended. */
  enum Outcome {
    /** The reply was given in full. */
    DONE,
    /** Nothing was done: too many scrapes, or the server closes. */
    REFUSED,
    /** The peer is gone. */
    ABORTED,
    /** Encoding failed. */
    FAILED
  }

  ScrapeGate(ScrapeHandler handler, ServerProblems problems) {
    this.handler = handler;
    this.problems = problems;
  }

  /** Runs one scrape on the calling thread. Throws nothing that comes from the scrape. */
  Outcome scrape(ScrapeRequest request, ScrapeReply reply) {
    if (closed || !permits.tryAcquire()) {
      problems.overloaded.add(1, this::refusal);
      return Outcome.REFUSED;
    }
    try {
      handler.handle(request, reply);
      return Outcome.DONE;
    } catch (UncheckedIOException e) {
      problems.aborted.add(
          1, () -> "expected the scraper to take its reply, found: " + e.getMessage());
      return Outcome.ABORTED;
    } catch (RuntimeException | Error e) {
      // Whatever went wrong, the client must not take the reply for a whole one, and the servers
      // above this leave a connection open that an Error went through.
      problems.failed.add(1, () -> "expected to encode a scrape, found " + e);
      return Outcome.FAILED;
    } finally {
      permits.release();
    }
  }

  /** Why a scrape was refused, for its sender. */
  String refusal() {
    return closed
        ? "expected to be scraped while the application runs, found that it stops"
        : "expected at most "
            + MAX_CONCURRENT_SCRAPES
            + " scrapes at once, found one more; scrape again later, and look for scrapers that"
            + " are slow";
  }

  /** How many scrapes are in. */
  int running() {
    return MAX_CONCURRENT_SCRAPES - permits.availablePermits();
  }

  /** Whether nobody is let in any more. */
  boolean isClosed() {
    return closed;
  }

  /**
   * Lets nobody in from here on, and waits for those that are in.
   *
   * @return whether all are out
   */
  boolean close(long limitMillis) {
    closed = true;
    try {
      return permits.tryAcquire(MAX_CONCURRENT_SCRAPES, limitMillis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}

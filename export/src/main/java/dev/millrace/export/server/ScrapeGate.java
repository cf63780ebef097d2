package dev.millrace.export.server;

import dev.millrace.export.scrape.ScrapeHandler;
import dev.millrace.export.scrape.ScrapeReply;
import dev.millrace.export.scrape.ScrapeRequest;
import dev.millrace.export.scrape.ScrapeUnavailableException;
import java.io.UncheckedIOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Lets scrapes in until it is closed, and counts what goes wrong with them, whatever HTTP server
 * they come from. Thread-safe.
 */
final class ScrapeGate {
  private final ScrapeHandler handler;
  private final ServerProblems problems;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition left = lock.newCondition();
  private int running;
  private boolean closed;

  ScrapeGate(ScrapeHandler handler, ServerProblems problems) {
    this.handler = handler;
    this.problems = problems;
  }

  /**
   * Runs one scrape on the calling thread. Throws nothing that comes from the scrape: the servers
   * above leave a connection open that an {@link Error} went through.
   *
   * @return why it failed; {@code null} where the reply was given in full
   */
  @Nullable Throwable scrape(ScrapeRequest request, ScrapeReply reply) {
    if (!enter()) {
      return new ScrapeUnavailableException(
          "expected to be scraped while the program runs, found that it stops");
    }
    try {
      handler.handle(request, reply);
      return null;
    } catch (UncheckedIOException e) {
      problems.aborted.add(
          1, () -> "expected the scraper to take its reply, found: " + e.getMessage());
      return e;
    } catch (ScrapeUnavailableException e) {
      // The handler counts these.
      return e;
    } catch (RuntimeException | Error e) {
      problems.failed.add(1, () -> "expected to encode a scrape, found " + e);
      return e;
    } finally {
      leave();
    }
  }

  private boolean enter() {
    lock.lock();
    try {
      if (!closed) {
        running++;
      }
      return !closed;
    } finally {
      lock.unlock();
    }
  }

  private void leave() {
    lock.lock();
    try {
      running--;
      left.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** How many scrapes are in. */
  int running() {
    lock.lock();
    try {
      return running;
    } finally {
      lock.unlock();
    }
  }

  /** Whether nobody is let in any more. */
  boolean isClosed() {
    lock.lock();
    try {
      return closed;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Lets nobody in from here on, and waits for those that are in.
   *
   * @return whether all are out
   */
  boolean close(long limitMillis) {
    lock.lock();
    try {
      closed = true;
      long leftNanos = TimeUnit.MILLISECONDS.toNanos(limitMillis);
      while (running > 0 && leftNanos > 0) {
        leftNanos = left.awaitNanos(leftNanos);
      }
      return running == 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      lock.unlock();
    }
  }
}

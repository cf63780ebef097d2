package dev.millrace.export.scrape;

import dev.millrace.model.Problem;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The lock that guards the rounds of one handler, what says whose turn it is, and how threads wait:
 * whoever waits looks after the peers it waits for, so that no thread of our own has to.
 *
 * <p>The lock is held for bookkeeping, and never while the source is read, bytes are encoded, a
 * reply is in use or the log is written. Fields and methods are for whoever holds it, the clock
 * aside.
 */
final class RoundLock {
  /** Whoever waits looks at the clock at least so often, in case it is no clock of the system's. */
  static final long MAX_PARK_NANOS = 50_000_000;

  final ReentrantLock lock = new ReentrantLock();

  /** Signalled when a round begins or ends, and when the first of one leaves it. */
  final Condition turn = lock.newCondition();

  /** How long a scrape waits for others. */
  final long maxWaitNanos;

  /** The round whose leader has the source. */
  @Nullable Round reading;

  /** The round that further scrapes join; maybe the one whose leader waits for the source. */
  @Nullable Round joinable;

  private final LongSupplier nanoClock;
  private final Problem droppedPeers;
  private final Problem failedAborts;

  RoundLock(ScrapeHandlerOptions options) {
    this.nanoClock = options.nanoClock();
    this.maxWaitNanos = TimeUnit.MILLISECONDS.toNanos(options.maxWaitMillis());
    this.droppedPeers = options.problems().kind("scrape_dropped");
    this.failedAborts = options.problems().kind("scrape_abort_failed");
  }

  long nanoTime() {
    return nanoClock.getAsLong();
  }

  long droppedScrapes() {
    return droppedPeers.count();
  }

  /** Charges slow peers for the time until now; to be called before anything changes. */
  void charge(Round round) {
    round.charge(nanoTime(), isAwaited(round));
  }

  /**
   * Waits for a signal, for a peer that holds a round up too long, or for a while; drops the peer.
   * To be called in a loop.
   */
  @SuppressWarnings("WaitNotInLoop") // The callers look whether what they wait for is there.
  void await(Condition condition, @Nullable Round round, long maxNanos)
      throws InterruptedException {
    long nanos = Math.min(maxNanos, MAX_PARK_NANOS);
    if (round != null) {
      charge(round);
      Member slow = round.overdue();
      if (slow != null) {
        drop(round, slow);
        return;
      }
      nanos = Math.min(nanos, round.patienceNanos(isAwaited(round)));
    }
    if (nanos > 0) {
      condition.awaitNanos(nanos);
    }
  }

  /** Whether scrapes of the next round wait for this one. */
  private boolean isAwaited(Round round) {
    Round next = joinable;
    return reading == round && next != null && next != round;
  }

  private void drop(Round round, Member slow) {
    slow.dropped = true;
    if (slow == round.leader) {
      round.leaderDroppedNanos = nanoTime();
    }
    round.leave(slow);
    lock.unlock();
    try {
      droppedPeers.add(
          1,
          () ->
              "expected peers to take their replies while others wait, found one that held them up;"
                  + " it was cut off. Look for a scraper or a network that is slow");
      slow.reply.abort();
    } catch (RuntimeException e) {
      // The peer is out of the round either way, and who found it slow has nothing to do with it.
      failedAborts.add(1, () -> "expected a reply to be aborted, found " + e);
    } finally {
      lock.lock();
    }
  }

  /** Why a scrape fails whose peer others did not want to wait for any longer. */
  static UncheckedIOException dropped(@Nullable RuntimeException cause) {
    return new UncheckedIOException(
        new IOException(
            "expected the peer to take its reply while others wait, found it too slow", cause));
  }

  /** Why a scrape fails whose thread was interrupted. */
  static UncheckedIOException interruption() {
    return new UncheckedIOException(
        new InterruptedIOException("expected to scrape, found the thread interrupted"));
  }
}

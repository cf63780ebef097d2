package dev.millrace.export.scrape;

import dev.millrace.bytes.ChunkPool;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Who reads the source, and for whom. Thread-safe.
 *
 * <pre>
 *   arrive --> first of a round, source free ----> LEADER: reads, encodes, hands over
 *     |
 *     +------> a reply like it was kept ---------> CACHED
 *     |
 *     +------> the round's source was read ------> FOLLOWER: takes what it is handed
 *     |
 *     +------> another round reads the source ---> waits
 * </pre>
 */
final class Turns {
  /** How a scrape gets its bytes. */
  enum Part {
    /** It reads the source, for itself and for others. */
    LEADER,
    /** It takes what the leader encodes. */
    FOLLOWER,
    /** It takes a reply that was kept. */
    CACHED
  }

  /** Where {@link #arrive} led to. */
  static final class Arrival {
    private @Nullable Round round;
    private ReplyCache.@Nullable Entry kept;

    /** The round that the scrape leads or follows. */
    Round round() {
      return Objects.requireNonNull(round);
    }

    /** The reply that was kept; the caller releases it. */
    ReplyCache.Entry kept() {
      return Objects.requireNonNull(kept);
    }
  }

  private final RoundLock shared;
  private final ReplyCache cache;
  private final LongAdder followers = new LongAdder();
  private final LongAdder cached = new LongAdder();

  Turns(RoundLock shared, ReplyCache cache) {
    this.shared = shared;
    this.cache = cache;
  }

  long followers() {
    return followers.sum();
  }

  long cached() {
    return cached.sum();
  }

  /**
   * Waits until there is something to do for a scrape.
   *
   * @throws ScrapeUnavailableException if the source does not come free in time
   * @throws UncheckedIOException if the thread was interrupted
   */
  Part arrive(Member member, Arrival to) {
    Round round = null;
    shared.lock.lock();
    try {
      long now = shared.nanoTime();
      cache.trim(now);
      Part part = partOf(member, null, now, to);
      if (part != null) {
        return part;
      }
      round = join(member);
      for (part = partOf(member, round, now, to);
          part == null;
          part = partOf(member, round, now, to)) {
        long leftNanos = member.arrivedNanos + shared.maxWaitNanos - now;
        if (leftNanos <= 0) {
          leave(round, member);
          throw tooLate();
        }
        shared.await(shared.turn, shared.reading, leftNanos);
        now = shared.nanoTime();
      }
      return part;
    } catch (InterruptedException e) {
      leave(round, member);
      Thread.currentThread().interrupt();
      throw RoundLock.interruption();
    } finally {
      shared.lock.unlock();
    }
  }

  private @Nullable Part partOf(Member member, @Nullable Round round, long now, Arrival to) {
    if (round != null && round.state != Round.State.OPENING) {
      followers.increment();
      to.round = round;
      return Part.FOLLOWER;
    }
    ReplyCache.Entry kept = cache.take(member.key, now);
    if (kept != null) {
      leave(round, member);
      cached.increment();
      to.kept = kept;
      return Part.CACHED;
    }
    if (round != null && shared.reading == null && round.isFirst(member)) {
      shared.reading = round;
      round.leader = member;
      to.round = round;
      return Part.LEADER;
    }
    return null;
  }

  private Round join(Member member) {
    Round before = shared.reading;
    if (before != null) {
      shared.charge(before);
    }
    Round round = shared.joinable;
    if (round == null) {
      round = new Round(shared.lock);
      shared.joinable = round;
    }
    round.members.add(member);
    return round;
  }

  /** Takes a scrape out of the round that it waits for. */
  private void leave(@Nullable Round round, Member member) {
    if (round == null) {
      return;
    }
    round.leave(member);
    if (round.members.isEmpty() && shared.joinable == round) {
      shared.joinable = null;
    }
    shared.turn.signalAll();
  }

  private ScrapeUnavailableException tooLate() {
    return new ScrapeUnavailableException(
        "expected the source to be free within "
            + TimeUnit.NANOSECONDS.toMillis(shared.maxWaitNanos)
            + " ms, found it busy; scrape again later, and look for a source or scrapers that are"
            + " slow");
  }

  /** The source is open: those who came until now share what is read. */
  void begin(Round round, ChunkPool pool) {
    shared.lock.lock();
    try {
      shared.joinable = null;
      round.begin(shared.nanoTime(), shared.maxWaitNanos, pool);
      shared.turn.signalAll();
    } finally {
      shared.lock.unlock();
    }
  }

  /** The round does not need the source any more: the next one may have it. */
  void freeSource(Round round) {
    shared.lock.lock();
    try {
      if (shared.reading == round) {
        shared.charge(round);
        shared.reading = null;
        shared.turn.signalAll();
      }
    } finally {
      shared.lock.unlock();
    }
  }

  /**
   * Nothing more comes for anybody.
   *
   * @param failure why there was nothing at all, or {@code null}
   */
  void end(Round round, @Nullable Throwable failure) {
    shared.lock.lock();
    try {
      if (shared.joinable == round) {
        shared.joinable = null;
      }
      round.failure = failure;
      round.state = Round.State.ENDED;
      freeSource(round);
      shared.turn.signalAll();
      round.published.signalAll();
    } finally {
      shared.lock.unlock();
    }
  }
}

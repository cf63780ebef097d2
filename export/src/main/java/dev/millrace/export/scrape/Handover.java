package dev.millrace.export.scrape;

import dev.millrace.bytes.Chunk;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * How the chunks of a round get from the leader, who encodes them, to those who follow, each in its
 * own thread. Thread-safe.
 */
final class Handover {
  /** Thrown through an encoder when nobody wants its bytes any more. */
  static final class UnwantedException extends UncheckedIOException {
    private static final long serialVersionUID = 1;

    UnwantedException() {
      super(new IOException("expected somebody to take the scrape, found all peers gone"));
    }
  }

  private final RoundLock shared;
  private final ReplyCache cache;

  Handover(RoundLock shared, ReplyCache cache) {
    this.shared = shared;
    this.cache = cache;
  }

  /**
   * Leader: the next group that somebody wants, or {@code null}.
   *
   * @param openedNanos when the source was opened
   */
  @Nullable Group nextGroup(Round round, long openedNanos) {
    shared.lock.lock();
    try {
      Group group = round.nextGroup();
      if (group != null) {
        group.draft = cache.draft(group.key, openedNanos);
      }
      return group;
    } finally {
      shared.lock.unlock();
    }
  }

  /** Leader: whether nobody wants what comes after a group. */
  boolean isLastWanted(Round round, Group group) {
    shared.lock.lock();
    try {
      return round.isLastWanted(group);
    } finally {
      shared.lock.unlock();
    }
  }

  /**
   * Leader: shows a chunk, which stays its own, to the followers of a group. Waits for room.
   *
   * @param bodyBytes the length of the whole body if this is its last chunk, else -1: followers
   *     must not wait for the leader's own peer to take it before they end
   * @return whether the leader's own reply wants the chunk
   * @throws UnwantedException if nobody wants it
   */
  boolean publish(Round round, Group group, Chunk chunk, long bodyBytes) {
    shared.lock.lock();
    try {
      ReplyCache.Entry draft = group.draft;
      if (draft != null && !cache.add(draft, chunk)) {
        group.draft = null;
      }
      if (group.window.isFull()) {
        awaitRoom(round, group);
      }
      if (!group.isWanted()) {
        throw new UnwantedException();
      }
      if (!group.followers.isEmpty()) {
        shared.charge(round);
        group.window.add(chunk);
        round.published.signalAll();
      }
      if (bodyBytes >= 0) {
        complete(round, group, bodyBytes);
      }
      return group.leaderTakes();
    } finally {
      shared.lock.unlock();
    }
  }

  private void awaitRoom(Round round, Group group) {
    shared.charge(round);
    round.leaderWaits = true;
    while (group.window.isFull()) {
      try {
        shared.await(round.room, round, RoundLock.MAX_PARK_NANOS);
      } catch (InterruptedException e) {
        // The others get their replies all the same; the leader tells its caller at the end.
        round.interrupted = true;
        fail(round, RoundLock.interruption());
      }
    }
    shared.charge(round);
    round.leaderWaits = false;
  }

  /** Leader: its own scrape failed. It goes on for the others, if there are any. */
  void fail(Round round, Throwable failure) {
    shared.lock.lock();
    try {
      Member leader = round.leader;
      if (leader != null && leader.failure == null) {
        leader.failure = failure;
        round.leave(leader);
      }
    } finally {
      shared.lock.unlock();
    }
  }

  /** Leader: a group's body is whole, if that was not known before. */
  void complete(Round round, Group group, long bodyBytes) {
    shared.lock.lock();
    try {
      if (group.complete) {
        return;
      }
      shared.charge(round);
      group.bodyBytes = bodyBytes;
      group.complete = true;
      ReplyCache.Entry draft = group.draft;
      group.draft = null;
      if (draft != null) {
        cache.keep(draft, group.contentType, bodyBytes);
      }
      round.published.signalAll();
    } finally {
      shared.lock.unlock();
    }
  }

  /**
   * Leader: a group's body is not going to be whole, unless it is.
   *
   * @param failure why, or {@code null} where nobody wants it
   */
  void breakOff(Round round, Group group, @Nullable Throwable failure) {
    shared.lock.lock();
    try {
      if (group.complete) {
        return;
      }
      shared.charge(round);
      group.failure = failure;
      group.complete = true;
      ReplyCache.Entry draft = group.draft;
      group.draft = null;
      if (draft != null) {
        cache.release(draft);
      }
      round.published.signalAll();
    } finally {
      shared.lock.unlock();
    }
  }

  /**
   * Follower: takes the next chunk; waits for it.
   *
   * @return a chunk that the caller gives back, or {@code null} at the end of the body
   */
  @Nullable Chunk take(Round round, Member member) {
    shared.lock.lock();
    try {
      while (true) {
        failIfFailed(round, member);
        Group group = member.group();
        if (member.position < group.window.end()) {
          shared.charge(round);
          Chunk chunk = group.window.get(member.position);
          member.position++;
          if (group.release()) {
            round.room.signal();
          }
          return chunk;
        }
        if (group.complete) {
          return null;
        }
        shared.await(round.published, round, RoundLock.MAX_PARK_NANOS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw RoundLock.interruption();
    } finally {
      shared.lock.unlock();
    }
  }

  private void failIfFailed(Round round, Member member) {
    if (member.dropped) {
      throw RoundLock.dropped(null);
    }
    Group group = member.group;
    Throwable failure = group != null && group.complete ? group.failure : round.failure;
    if (failure != null) {
      throw new IllegalStateException(
          "expected to share the collection of another scrape, found that it failed", failure);
    }
    Member leader = round.leader;
    if (leader != null
        && leader.dropped
        && leader.inReply
        && shared.nanoTime() - round.leaderDroppedNanos >= shared.maxWaitNanos) {
      throw new ScrapeUnavailableException(
          "expected a scrape that shares its collection with this one to end when it was aborted,"
              + " found it going on; its transport does not abort");
    }
  }

  /** Whoever it is needs nothing more, or cannot take more. */
  void leave(Round round, Member member) {
    shared.lock.lock();
    try {
      shared.charge(round);
      round.leave(member);
    } finally {
      shared.lock.unlock();
    }
  }
}

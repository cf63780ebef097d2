package dev.millrace.export.scrape;

import dev.millrace.bytes.ChunkPool;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/**
 * Scrapes that share one collection of the source. The thread of one of them, the leader, reads the
 * source and encodes; the others take what it encoded. Guarded by the lock of {@link RoundLock}.
 *
 * <p><b>Patience.</b> While a peer holds the leader up and somebody else waits, time is charged to
 * that peer: first to a part of its own, then to one that all peers of the round have in common.
 * When both are used up, the peer is dropped. All parts together are what the round may take from
 * those who wait, so no number of slow peers makes them wait longer; and a peer that stops for a
 * moment has a part that the slow ones before it could not use up. Time in which nobody waits is
 * not charged.
 */
final class Round {
  /**
   * A round takes at most three quarters and at least a quarter of what a scrape may wait in all:
   * one that waited for a whole round can still get into the next one, and be slow in it for a
   * moment.
   */
  private static final int PARTS_OF_WAIT = 4;

  enum State {
    /** The source is not read yet: further scrapes may join. */
    OPENING,
    /** The leader encodes. */
    RUNNING,
    /** Nothing more comes. */
    ENDED
  }

  final List<Member> members = new ArrayList<>(2);
  final List<Group> groups = new ArrayList<>(2);

  /** Signalled when there are chunks, and when none will come. */
  final Condition published;

  /** Signalled when the leader has room for another chunk. */
  final Condition room;

  State state = State.OPENING;
  @Nullable Member leader;

  /** The group that is being encoded. */
  @Nullable Group current;

  /** Whether the leader waits until followers have taken chunks. */
  boolean leaderWaits;

  /** Whether the leader's thread was interrupted while it waited for others. */
  boolean interrupted;

  /** When the leader was dropped; only then does anybody wait for it with a limit. */
  long leaderDroppedNanos;

  /** Why nobody gets anything. */
  @Nullable Throwable failure;

  private long commonPatienceNanos;
  private long chargedUntilNanos;

  Round(Lock lock) {
    published = lock.newCondition();
    room = lock.newCondition();
  }

  /** Whether the member is the one that leads the round when the source is free. */
  boolean isFirst(Member member) {
    return members.get(0) == member;
  }

  /** Lets nobody join any more, and puts together who gets the same bytes. */
  void begin(long nowNanos, long maxWaitNanos, ChunkPool pool) {
    state = State.RUNNING;
    chargedUntilNanos = nowNanos;
    long longestWaitNanos = 0;
    for (Member member : members) {
      longestWaitNanos = Math.max(longestWaitNanos, nowNanos - member.arrivedNanos);
      join(member, pool);
    }
    putLeaderLast();
    long least = maxWaitNanos / PARTS_OF_WAIT;
    long patienceNanos =
        Math.min(Math.max(maxWaitNanos - longestWaitNanos, least), maxWaitNanos - least);
    commonPatienceNanos = patienceNanos / 2;
    for (Member member : members) {
      member.patienceNanos = (patienceNanos - commonPatienceNanos) / members.size();
    }
  }

  private void join(Member member, ChunkPool pool) {
    Group group = null;
    for (Group known : groups) {
      if (known.key.equals(member.key)) {
        group = known;
      }
    }
    if (group == null) {
      group = new Group(member.key, pool);
      groups.add(group);
    }
    member.group = group;
    if (member == leader) {
      group.leader = member;
    } else {
      group.followers.add(member);
    }
  }

  /**
   * The leader's own reply is the last to end: its scraper may come back at once when it has its
   * reply, and would find the thread still at work for others.
   */
  private void putLeaderLast() {
    Member first = leader;
    if (first != null && groups.size() > 1) {
      Group own = first.group();
      groups.remove(own);
      groups.add(own);
    }
  }

  /** Goes to the next group that somebody wants; {@code null} when there is none. */
  @Nullable Group nextGroup() {
    Group before = current;
    for (int i = before == null ? 0 : groups.indexOf(before) + 1; i < groups.size(); i++) {
      Group group = groups.get(i);
      current = group;
      if (group.isWanted()) {
        return group;
      }
      group.complete = true;
    }
    return null;
  }

  /** Whether nobody wants what comes after a group. */
  boolean isLastWanted(Group group) {
    for (int i = groups.indexOf(group) + 1; i < groups.size(); i++) {
      if (groups.get(i).isWanted()) {
        return false;
      }
    }
    return true;
  }

  /** Takes a member out, whatever it has taken. */
  void leave(Member member) {
    member.gone = true;
    Group group = member.group;
    if (group == null) {
      members.remove(member);
    } else if (group.followers.remove(member) && group.release()) {
      room.signal();
    }
  }

  /**
   * Charges the time since the last call to the peers that held the leader up. To be called before
   * anything changes that decides about it.
   *
   * @param awaited whether scrapes of the next round wait
   */
  void charge(long nowNanos, boolean awaited) {
    long nanos = nowNanos - chargedUntilNanos;
    chargedUntilNanos = nowNanos;
    if (state != State.RUNNING || nanos <= 0 || !isHeldUp(awaited)) {
      return;
    }
    long uncoveredNanos = 0;
    for (int i = 0; i < members.size(); i++) {
      Member member = members.get(i);
      if (holdsUp(member)) {
        uncoveredNanos = Math.max(uncoveredNanos, nanos - member.patienceNanos);
        member.patienceNanos = Math.max(0, member.patienceNanos - nanos);
      }
    }
    commonPatienceNanos -= Math.min(commonPatienceNanos, uncoveredNanos);
  }

  /** A peer whose patience is used up, if there is one. */
  @Nullable Member overdue() {
    if (state == State.RUNNING && commonPatienceNanos == 0) {
      for (int i = 0; i < members.size(); i++) {
        Member member = members.get(i);
        if (member.patienceNanos == 0 && holdsUp(member)) {
          return member;
        }
      }
    }
    return null;
  }

  /** How long it takes until a peer is overdue if nothing changes. */
  long patienceNanos(boolean awaited) {
    long least = Long.MAX_VALUE;
    if (state == State.RUNNING && isHeldUp(awaited)) {
      for (int i = 0; i < members.size(); i++) {
        Member member = members.get(i);
        if (holdsUp(member)) {
          least = Math.min(least, member.patienceNanos + commonPatienceNanos);
        }
      }
    }
    return least;
  }

  private boolean isHeldUp(boolean awaited) {
    if (leaderWaits) {
      return true;
    }
    Member first = leader;
    if (first == null || !holdsUp(first)) {
      return false;
    }
    boolean held = awaited;
    for (int i = 0; i < members.size() && !held; i++) {
      held = members.get(i).isHungry();
    }
    return held;
  }

  private boolean holdsUp(Member member) {
    if (member.gone) {
      return false;
    }
    if (member == leader) {
      return member.inReply;
    }
    Group group = current;
    return leaderWaits && group == member.group && group != null && group.holdsBack(member);
  }
}

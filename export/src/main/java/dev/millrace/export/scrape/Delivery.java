package dev.millrace.export.scrape;

import dev.millrace.bytes.Chunk;
import dev.millrace.bytes.ChunkPool;
import org.jspecify.annotations.Nullable;

/**
 * Puts chunks into replies, each in its own scrape's thread, and keeps account of who is in a
 * reply: that is where a slow peer holds a thread. Thread-safe.
 */
final class Delivery {
  private final RoundLock shared;
  private final ChunkPool pool;

  Delivery(RoundLock shared, ChunkPool pool) {
    this.shared = shared;
    this.pool = pool;
  }

  /**
   * Delivers a chunk to a reply, which owns it from here on, also when this throws.
   *
   * @param round who may wait for the reply meanwhile; {@code null} where nobody does
   */
  void deliver(@Nullable Round round, Member member, String contentType, Chunk chunk) {
    boolean given = false;
    enter(round, member);
    try {
      member.start(contentType);
      given = true;
      member.reply.accept(chunk, pool);
    } catch (RuntimeException e) {
      throw wasDropped(member) ? RoundLock.dropped(e) : e;
    } finally {
      if (!given) {
        pool.giveBack(chunk);
      }
      leave(round, member);
    }
  }

  /** Ends a reply; the parameters are those of {@link #deliver}. */
  void end(@Nullable Round round, Member member, String contentType) {
    enter(round, member);
    try {
      member.start(contentType);
      member.reply.end();
    } catch (RuntimeException e) {
      throw wasDropped(member) ? RoundLock.dropped(e) : e;
    } finally {
      leave(round, member);
    }
  }

  private void enter(@Nullable Round round, Member member) {
    note(round, member, true);
  }

  private void leave(@Nullable Round round, Member member) {
    note(round, member, false);
  }

  private void note(@Nullable Round round, Member member, boolean inReply) {
    if (round == null) {
      return;
    }
    shared.lock.lock();
    try {
      shared.charge(round);
      member.inReply = inReply;
    } finally {
      shared.lock.unlock();
    }
  }

  private boolean wasDropped(Member member) {
    shared.lock.lock();
    try {
      return member.dropped;
    } finally {
      shared.lock.unlock();
    }
  }
}

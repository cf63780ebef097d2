package dev.millrace.export.scrape;

import dev.millrace.bytes.ChunkPool;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The scrapes of one round that get the same bytes. Guarded by the lock of {@link RoundLock},
 * {@link #contentType} aside, which the leader sets before it publishes the first chunk.
 */
final class Group {
  final ScrapeKey key;
  final Window window;

  /** Those who take their chunks from the window: all but the leader, as long as they are there. */
  final List<Member> followers = new ArrayList<>(2);

  /** The scrape whose thread encodes, if it is one of this group. */
  @Nullable Member leader;

  String contentType = "";
  long bodyBytes;

  /** Whether no chunk comes any more. */
  boolean complete;

  /** Why the body ends early. */
  @Nullable Throwable failure;

  /** What is kept for later scrapes, as long as there is room for it. */
  ReplyCache.@Nullable Entry draft;

  Group(ScrapeKey key, ChunkPool pool) {
    this.key = key;
    this.window = new Window(pool);
  }

  /** Whether somebody still wants the bytes. */
  boolean isWanted() {
    return !followers.isEmpty() || leaderTakes();
  }

  /** Whether the leader's own reply gets the bytes. */
  boolean leaderTakes() {
    Member first = leader;
    return first != null && !first.gone;
  }

  /** Whether a follower keeps the window from moving on. */
  boolean holdsBack(Member member) {
    return member.position == window.first();
  }

  /** Lets go of the chunks that every follower has taken; {@code true} if there were any. */
  boolean release() {
    long least = window.end();
    for (int i = 0; i < followers.size(); i++) {
      least = Math.min(least, followers.get(i).position);
    }
    return window.releaseBefore(least);
  }
}

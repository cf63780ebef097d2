package dev.millrace.export.scrape;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One scrape on its way through the handler: what it asks for, who takes it, and how far it is.
 * Everything that is not final is guarded by the lock of {@link RoundLock}, {@link #started} aside,
 * which belongs to the scrape's own thread.
 */
final class Member {
  final ScrapeKey key;
  final ScrapeReply reply;
  final long arrivedNanos;

  /** Whose bytes the scrape gets; {@code null} before its round begins. */
  @Nullable Group group;

  /** The position in the group's window of the chunk that the scrape takes next. */
  long position;

  /** How long others still wait for this scrape's peer beyond what all peers have in common. */
  long patienceNanos;

  /** Whether the scrape's thread is in the reply, where a slow peer can hold it. */
  boolean inReply;

  /** Whether the scrape was aborted because others waited for its peer too long. */
  boolean dropped;

  /** Whether nothing more is to be delivered: it is complete, or failed. */
  boolean gone;

  /** Why the scrape failed, where its own thread leads the round and goes on for the others. */
  @Nullable Throwable failure;

  boolean started;

  Member(ScrapeKey key, ScrapeReply reply, long arrivedNanos) {
    this.key = key;
    this.reply = reply;
    this.arrivedNanos = arrivedNanos;
  }

  /** The group of a scrape whose round has begun. */
  Group group() {
    return Objects.requireNonNull(group);
  }

  /** Begins the reply unless it was begun. */
  void start(String contentType) {
    if (!started) {
      started = true;
      reply.start(contentType, key.coding() == ContentCoding.GZIP ? "gzip" : null);
    }
  }

  /** Whether the scrape has taken all there is and waits for more. */
  boolean isHungry() {
    Group of = group;
    return !gone && !inReply && of != null && !of.complete && position == of.window.end();
  }
}

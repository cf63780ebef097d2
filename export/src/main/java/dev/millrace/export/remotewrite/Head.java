package dev.millrace.export.remotewrite;

import dev.millrace.export.push.Spool;
import java.util.ArrayDeque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * The request at the front of a shard, or what is left of the parts that it was split into. Owns
 * their payloads. One thread at a time.
 */
final class Head {
  private final ArrayDeque<QueuedRequest> parts = new ArrayDeque<>(2);
  private final @Nullable QueuedRequest taken;
  private final Spool.@Nullable Stored stored;
  private boolean whole = true;

  private Head(
      QueuedRequest request, @Nullable QueuedRequest taken, Spool.@Nullable Stored stored) {
    parts.add(request);
    this.taken = taken;
    this.stored = stored;
  }

  /** One that was taken from memory. */
  static Head taken(QueuedRequest request) {
    return new Head(request, request, null);
  }

  /** One that is on disk, too. */
  static Head stored(QueuedRequest request, Spool.Stored stored) {
    return new Head(request, null, stored);
  }

  /** What has to be settled in memory once nothing is left; {@code null} for one from the disk. */
  @Nullable QueuedRequest taken() {
    return taken;
  }

  /** What has to be removed from the disk once nothing is left; {@code null} for one of memory. */
  Spool.@Nullable Stored stored() {
    return stored;
  }

  /** Whether nothing of it has come to an end yet. */
  boolean isWhole() {
    return whole;
  }

  /** The part that is sent next; {@code null} where nothing is left. */
  @Nullable QueuedRequest first() {
    return parts.peek();
  }

  /** The first part has come to an end. */
  void endFirst() {
    whole = false;
    parts.remove().payload().close();
  }

  /** The first part becomes others, which together are the same. */
  void replaceFirst(QueuedRequest... by) {
    parts.remove().payload().close();
    for (int i = by.length - 1; i >= 0; i--) {
      parts.addFirst(by[i]);
    }
  }

  /** What is left, the last first. */
  Iterator<QueuedRequest> lastFirst() {
    return parts.descendingIterator();
  }

  /** Closes what is left. */
  void close() {
    for (QueuedRequest part : parts) {
      part.payload().close();
    }
    parts.clear();
  }
}

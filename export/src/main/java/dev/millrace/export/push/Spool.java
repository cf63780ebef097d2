package dev.millrace.export.push;

import dev.millrace.bytes.Payload;
import org.jspecify.annotations.Nullable;

/**
 * Keeps payloads that could not be sent, in order, for later. Never throws for what the disk does.
 * {@link #add}, {@link #addFirst} and {@link #mayHold} may be called by any thread, the rest by
 * one.
 */
public interface Spool extends AutoCloseable {
  /**
   * A payload that was kept.
   *
   * @param payload which the taker owns
   * @param items how many items are in it
   * @param name tells it from the others
   */
  record Stored(Payload payload, int items, String name) {}

  /** Whether something may wait here, so that what is new has to wait behind it. */
  boolean mayHold();

  /**
   * Keeps a copy; the payload stays the caller's.
   *
   * @return whether it is kept; if not, the spool has logged why, and what becomes of the payload
   *     is the caller's to count
   */
  boolean add(Payload payload, int items);

  /**
   * As {@link #add}, before all that waits: for what was older than that. It may go a little over
   * the bounds, and never costs another payload its place.
   */
  boolean addFirst(Payload payload, int items);

  /**
   * The oldest that waits; it stays until {@link #remove}.
   *
   * @return {@code null} where nothing waits, or another process sends what waits
   */
  @Nullable Stored oldest();

  /** Forgets one that {@link #oldest} gave. */
  void remove(Stored stored);

  /** Lets another process send what waits. What waits stays. */
  @Override
  void close();
}

package dev.millrace.export.push;

import dev.millrace.bytes.Payload;
import org.jspecify.annotations.Nullable;

/** Makes two smaller payloads of one that a receiver did not take. Called by one thread. */
@FunctionalInterface
public interface Splitter {
  /**
   * What a payload was split into; whoever gets it owns both.
   *
   * @param first what is sent first
   * @param firstItems how many items are in it, 1 or more
   * @param second what is sent second
   * @param secondItems how many items are in it, 1 or more
   */
  record Halves(Payload first, int firstItems, Payload second, int secondItems) {}

  /**
   * Splits a payload, which stays as it is and the caller's.
   *
   * @param items how many items are in it, 2 or more
   * @return {@code null} where it cannot be split
   */
  @Nullable Halves split(Payload payload, int items);
}

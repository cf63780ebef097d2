package dev.millrace.format.remotewrite;

import dev.millrace.model.Series;
import org.jspecify.annotations.Nullable;

/**
 * Finds series, by the identity of the source's objects or by the hash of their labels. Not
 * thread-safe.
 */
final class SeriesIndex {
  private static final int FIRST_SLOTS = 64;

  /** An odd constant with about as many ones as zeros, as multiplicative hashes need it. */
  private static final int MULTIPLIER = 0x9e3779b9;

  private final boolean byLabels;
  private @Nullable LiveSeries[] slots = new @Nullable LiveSeries[FIRST_SLOTS];
  private int size;

  /**
   * An empty index.
   *
   * @param byLabels whether series are found by their labels, not by identity
   */
  SeriesIndex(boolean byLabels) {
    this.byLabels = byLabels;
  }

  int size() {
    return size;
  }

  /** The series of a metric that the source has that object for. */
  @Nullable LiveSeries find(Series series, MetricSeries metric) {
    int mask = slots.length - 1;
    int slot = ofIdentity(series) & mask;
    while (true) {
      LiveSeries found = slots[slot];
      if (found == null || (found.series == series && found.metric == metric)) {
        return found;
      }
      slot = (slot + 1) & mask;
    }
  }

  /** The series with labels of that hash. */
  @Nullable LiveSeries find(long hash1, long hash2) {
    int mask = slots.length - 1;
    int slot = (int) hash2 & mask;
    while (true) {
      LiveSeries found = slots[slot];
      if (found == null || (found.hash1 == hash1 && found.hash2 == hash2)) {
        return found;
      }
      slot = (slot + 1) & mask;
    }
  }

  /** Adds a series that is not there. */
  void add(LiveSeries series) {
    if (2 * (size + 1) > slots.length) {
      resize(2 * slots.length);
    }
    put(series);
    size++;
  }

  /** Removes a series, if it is there. */
  void remove(LiveSeries series) {
    int mask = slots.length - 1;
    int slot = hash(series) & mask;
    while (slots[slot] != series) {
      if (slots[slot] == null) {
        return;
      }
      slot = (slot + 1) & mask;
    }
    int hole = slot;
    while (true) {
      slot = (slot + 1) & mask;
      LiveSeries follower = slots[slot];
      if (follower == null) {
        break;
      }
      // It may move back only if that does not take it before the slot that it belongs in.
      if (((slot - hash(follower)) & mask) >= ((slot - hole) & mask)) {
        slots[hole] = follower;
        hole = slot;
      }
    }
    slots[hole] = null;
    size--;
  }

  /** Lets go of memory of which less than an eighth is needed. */
  void trim() {
    if (slots.length > FIRST_SLOTS && size < slots.length / 8) {
      resize(Math.max(FIRST_SLOTS, Integer.highestOneBit(size + 1) * 4));
    }
  }

  private void resize(int length) {
    @Nullable LiveSeries[] old = slots;
    slots = new @Nullable LiveSeries[length];
    for (LiveSeries series : old) {
      if (series != null) {
        put(series);
      }
    }
  }

  private void put(LiveSeries series) {
    int mask = slots.length - 1;
    int slot = hash(series) & mask;
    while (slots[slot] != null) {
      slot = (slot + 1) & mask;
    }
    slots[slot] = series;
  }

  private int hash(LiveSeries series) {
    return byLabels ? (int) series.hash2 : ofIdentity(series.series);
  }

  private static int ofIdentity(Series series) {
    int hash = System.identityHashCode(series) * MULTIPLIER;
    return hash ^ hash >>> 15;
  }
}

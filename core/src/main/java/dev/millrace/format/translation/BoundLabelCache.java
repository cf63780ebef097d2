package dev.millrace.format.translation;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The bounds of the histograms of one encoder. Most metrics have one set of bounds, which they
 * remember themselves; this is for the others, and lets metrics share. Bounded: sets that fall on
 * one slot drive each other out. Not thread-safe.
 */
public final class BoundLabelCache {
  /** More sets of bounds than applications have; 256 sets of 16 bounds are about 200 KB. */
  private static final int SLOTS = 256;

  private final @Nullable BoundLabels[] slots = new BoundLabels[SLOTS];

  /** The labels of a metric's bounds. */
  public BoundLabels of(double[] bounds, Family.Member member) {
    BoundLabels last = member.bounds;
    if (last != null && last.isOf(bounds)) {
      return last;
    }
    int hash = Arrays.hashCode(bounds);
    int slot = (hash ^ hash >>> 16) & (SLOTS - 1);
    BoundLabels found = slots[slot];
    if (found == null || !found.isOf(bounds)) {
      found = new BoundLabels(bounds);
      slots[slot] = found;
    }
    member.bounds = found;
    return found;
  }
}

package dev.millrace.store.file;

import dev.millrace.model.Labels;
import dev.millrace.model.Series;
import java.util.Arrays;

/**
 * One series over all files: where its values are. A part is an image's slot and the number of the
 * part in it; what is written there is looked up again at each read, and nothing else is.
 */
final class MergedSeries extends Series {
  private int[] parts = new int[2];
  private int partCount;
  private long createdUnixNanos;
  private double last;

  MergedSeries(Labels labels, long createdUnixNanos) {
    super(labels);
    this.createdUnixNanos = createdUnixNanos;
  }

  int partCount() {
    return partCount;
  }

  int slot(int index) {
    return parts[2 * index];
  }

  int part(int index) {
    return parts[2 * index + 1];
  }

  /** When the first of all parts began. */
  long createdUnixNanos() {
    return createdUnixNanos;
  }

  void add(int slot, int part, long created) {
    if (2 * partCount == parts.length) {
      parts = Arrays.copyOf(parts, 2 * parts.length);
    }
    parts[2 * partCount] = slot;
    parts[2 * partCount + 1] = part;
    partCount++;
    if (created < createdUnixNanos) {
      createdUnixNanos = created;
    }
  }

  /** Lets go of the parts of some slots; tells whether any part is left. */
  boolean keepParts(boolean[] dropped) {
    int kept = 0;
    for (int i = 0; i < partCount; i++) {
      if (!dropped[parts[2 * i]]) {
        parts[2 * kept] = parts[2 * i];
        parts[2 * kept + 1] = parts[2 * i + 1];
        kept++;
      }
    }
    partCount = kept;
    return kept > 0;
  }

  /**
   * A sum of doubles that does not fall because its parts were added in another order than before,
   * as happens when dead processes' parts become one.
   */
  double withoutRoundingFall(double sum) {
    if (sum < last && last - sum <= Math.abs(last) * ROUNDING) {
      return last;
    }
    last = sum;
    return sum;
  }

  /** Far over the rounding of a sum of thousands of parts, far under any increment that counts. */
  private static final double ROUNDING = 1e-12;
}

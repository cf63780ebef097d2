package dev.millrace.store.foreign;

import dev.millrace.model.Labels;
import dev.millrace.model.Series;
import java.util.Arrays;

/**
 * One series over all files: where its values are. A part is a file's slot, the number of an entry
 * in it, and the cell that the entry's value belongs to.
 *
 * <pre>
 *   cell 0       the value; the sum of a histogram or summary
 *   cell 1       the count
 *   cell 2 + i   the bucket that was met as the i-th
 * </pre>
 */
final class ForeignSeries extends Series {
  static final int FIRST_BUCKET_CELL = 2;
  private static final int PART_INTS = 3;

  private int[] parts = new int[2 * PART_INTS];
  private int partCount;
  private double[] met = Meaning.NO_BOUNDS;
  private int[] order = {};
  private double[] bounds = Meaning.NO_BOUNDS;
  private boolean boundsStale;

  /**
   * A series.
   *
   * @param known the bounds of buckets that are there even when nobody touched them
   */
  ForeignSeries(Labels labels, double[] known) {
    super(labels);
    met = known;
    boundsStale = known.length > 0;
  }

  int partCount() {
    return partCount;
  }

  int slot(int part) {
    return parts[PART_INTS * part];
  }

  int entry(int part) {
    return parts[PART_INTS * part + 1];
  }

  int cell(int part) {
    return parts[PART_INTS * part + 2];
  }

  /** How many cells the series has. */
  int cellCount() {
    return FIRST_BUCKET_CELL + met.length;
  }

  /** How many samples the series is in a scrape. */
  int sampleCount(ForeignType type) {
    return switch (type) {
      case COUNTER, GAUGE, UNTYPED -> 1;
      case SUMMARY, HISTOGRAM -> cellCount();
    };
  }

  boolean hasBucket(double bound) {
    for (double one : met) {
      if (one == bound) {
        return true;
      }
    }
    return false;
  }

  /** The cell of a bucket, new or not. */
  int cellOf(double bound) {
    for (int i = 0; i < met.length; i++) {
      if (met[i] == bound) {
        return FIRST_BUCKET_CELL + i;
      }
    }
    met = Arrays.copyOf(met, met.length + 1);
    met[met.length - 1] = bound;
    boundsStale = true;
    return FIRST_BUCKET_CELL + met.length - 1;
  }

  void add(int slot, int entry, int cell) {
    int at = PART_INTS * partCount;
    if (at == parts.length) {
      parts = Arrays.copyOf(parts, 2 * at);
    }
    parts[at] = slot;
    parts[at + 1] = entry;
    parts[at + 2] = cell;
    partCount++;
  }

  /** Lets go of the parts of some slots; tells whether any part is left. */
  boolean keepParts(boolean[] dropped) {
    int kept = 0;
    for (int i = 0; i < partCount; i++) {
      if (!dropped[slot(i)]) {
        System.arraycopy(parts, PART_INTS * i, parts, PART_INTS * kept, PART_INTS);
        kept++;
      }
    }
    partCount = kept;
    return kept > 0;
  }

  /** The upper bounds of all buckets but the last, rising. */
  double[] bounds(ForeignMetric metric) {
    if (boundsStale) {
      boundsStale = false;
      sortBounds(metric);
    }
    return bounds;
  }

  /** The cell of a bucket by its place among the rising bounds; -1 where nobody made one. */
  int bucketCell(int index) {
    return order[index];
  }

  private void sortBounds(ForeignMetric metric) {
    double[] sorted = met.clone();
    Arrays.sort(sorted);
    int finite = sorted.length;
    while (finite > 0 && sorted[finite - 1] == Double.POSITIVE_INFINITY) {
      finite--;
    }
    bounds = metric.shared(Arrays.copyOf(sorted, finite));
    order = new int[finite + 1];
    order[finite] = -1;
    for (int i = 0; i < met.length; i++) {
      int place = met[i] == Double.POSITIVE_INFINITY ? finite : Arrays.binarySearch(bounds, met[i]);
      order[place] = FIRST_BUCKET_CELL + i;
    }
  }
}

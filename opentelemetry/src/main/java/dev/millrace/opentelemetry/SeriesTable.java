package dev.millrace.opentelemetry;

import dev.millrace.model.EncodedLabelsBudget;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.metrics.data.PointData;
import java.util.Arrays;
import java.util.List;

/**
 * The series of one metric, found again from one collection to the next.
 *
 * <p>A point's series is the one at the same position in the last collection if that one has the
 * same attributes object. From the first point on where this does not hold, series are looked for
 * after the last one found (which follows series that only moved up or down), then by the object,
 * then by equality; those that a whole collection did not have are let go. So the usual collection
 * compares one reference a series, and only one whose series changed hashes and allocates.
 *
 * <p>{@link #begin}, then {@link #matchAhead} until every point has a series, then {@link #end}.
 * Guarded by the source's lock.
 */
final class SeriesTable {
  private static final SdkSeries[] NO_SERIES = {};
  private static final int[] NO_SLOTS = {};

  /**
   * How many points are matched at once: as many waits for memory as processors have in flight, and
   * few enough for the smallest caches.
   */
  private static final int RUN = 16;

  /** Spreads hash codes over the slots: 2^32 divided by the golden ratio. */
  private static final int HASH_SPREAD = 0x9E3779B9;

  private final EncodedLabelsBudget budget;
  private final AttributeLabels labels;

  /** By position: of the last collection from {@link #matched} on, unless this one departs. */
  private SdkSeries[] series = NO_SERIES;

  private int seriesCount;
  private int matched;
  private int pointCount;

  /** Whether the order of this collection has departed from that of the last one. */
  private boolean departed;

  private int pass;
  private SdkSeries[] previous = NO_SERIES;
  private int previousCount;

  /** The position in {@link #previous} after that of the last series found. */
  private int expected;

  /**
   * A hash table, made when first needed: 0 or one more than a position in {@link #previous}, and
   * past its end one in {@link #series}.
   */
  private int[] slots = NO_SLOTS;

  SeriesTable(EncodedLabelsBudget budget, AttributeLabels labels) {
    this.budget = budget;
    this.labels = labels;
  }

  /** Begins a collection of a number of points, also where an error cut the last one short. */
  void begin(int pointCount) {
    end();
    this.pointCount = pointCount;
    matched = 0;
  }

  /** How many points of this collection have been matched. */
  int matched() {
    return matched;
  }

  /** The series at a position that has been matched. */
  SdkSeries at(int position) {
    return series[position];
  }

  /** How many series are kept. */
  int size() {
    return seriesCount;
  }

  /**
   * Matches the next points, at least one, as long as their series are where they were.
   *
   * <p>It takes several at once because each of them is a wait for memory: the points and the
   * series lie scattered over the heap. In a loop that does nothing else the processor waits for
   * many of them at the same time, and the reader then finds them in its cache.
   */
  void matchAhead(List<? extends PointData> points) {
    int position = matched;
    if (!departed) {
      int end = Math.min(position + RUN, Math.min(seriesCount, points.size()));
      while (position < end
          && series[position].attributes == points.get(position).getAttributes()) {
        position++;
      }
    }
    if (position == matched) {
      match(points.get(position).getAttributes());
    } else {
      matched = position;
    }
  }

  private void match(Attributes attributes) {
    if (!departed) {
      depart();
    }
    SdkSeries found = find(attributes);
    found.attributes = attributes;
    found.foundInPass = pass;
    series[matched++] = found;
  }

  /** Ends the collection: series that it did not have are let go. */
  void end() {
    if (!departed) {
      if (matched == seriesCount) {
        return;
      }
      depart();
    }
    for (int i = 0; i < previousCount; i++) {
      SdkSeries last = previous[i];
      if (last.foundInPass != pass) {
        last.end(budget);
      }
    }
    if (matched < series.length) {
      series = Arrays.copyOf(series, matched);
    }
    seriesCount = matched;
    departed = false;
    previous = NO_SERIES;
    previousCount = 0;
    slots = NO_SLOTS;
  }

  private void depart() {
    previous = series;
    previousCount = seriesCount;
    series = Arrays.copyOf(previous, pointCount);
    Arrays.fill(series, matched, pointCount, null);
    pass++;
    for (int i = 0; i < matched; i++) {
      previous[i].foundInPass = pass;
    }
    expected = matched;
    departed = true;
  }

  private SdkSeries find(Attributes attributes) {
    if (expected < previousCount && previous[expected].attributes == attributes) {
      return previous[expected++];
    }
    if (slots.length == 0) {
      index();
    }
    int hash = attributes.hashCode();
    int slot = firstSlot(hash);
    while (slots[slot] != 0) {
      int position = slots[slot] - 1;
      boolean old = position < previousCount;
      SdkSeries candidate = old ? previous[position] : series[position - previousCount];
      Attributes known = candidate.attributes;
      if (known == attributes || (known.hashCode() == hash && known.equals(attributes))) {
        if (old) {
          expected = position + 1;
        }
        return candidate;
      }
      slot = (slot + 1) & (slots.length - 1);
    }
    slots[slot] = previousCount + matched + 1;
    return new SdkSeries(labels.of(attributes), attributes);
  }

  private void index() {
    // At most half full, with room for every point being new.
    int least = Math.max(4, 2 * (previousCount + pointCount - matched));
    slots = new int[Integer.highestOneBit(least - 1) << 1];
    for (int i = 0; i < previousCount; i++) {
      int slot = firstSlot(previous[i].attributes.hashCode());
      while (slots[slot] != 0) {
        slot = (slot + 1) & (slots.length - 1);
      }
      slots[slot] = i + 1;
    }
  }

  private int firstSlot(int hash) {
    return (hash * HASH_SPREAD) >>> Integer.numberOfLeadingZeros(slots.length - 1);
  }
}

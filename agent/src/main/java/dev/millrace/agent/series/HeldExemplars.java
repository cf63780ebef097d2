package dev.millrace.agent.series;

import dev.millrace.bytes.ByteBudget;
import dev.millrace.model.Labels;
import org.jspecify.annotations.Nullable;

/**
 * The exemplars that a series holds, whose memory the table's budget bounds. Guarded by the lock of
 * the {@link MetricEntry}.
 */
final class HeldExemplars extends ExemplarSet {
  /** This object and the headers of its arrays. */
  private static final int OVERHEAD_BYTES = 64;

  /** The objects that labels are, beside their bytes. */
  private static final int LABELS_OVERHEAD_BYTES = 64;

  private final ByteBudget budget;

  private HeldExemplars(ByteBudget budget) {
    this.budget = budget;
  }

  /** Holds nothing yet; {@code null} where there is no room for more. */
  static @Nullable HeldExemplars create(ByteBudget budget) {
    return budget.tryUse(OVERHEAD_BYTES) ? new HeldExemplars(budget) : null;
  }

  /**
   * Takes over the exemplars of a point that is newer than those before: each slot keeps the newer
   * one. One that is held and says that it is younger than the point that it came with counts as
   * old as that, so that a wrong clock does not keep it for good.
   *
   * @param lastTimeUnixNanos the time of the point before
   * @return how many exemplars, or attributes of one, found no room
   */
  int take(ExemplarSet from, long lastTimeUnixNanos) {
    int lost = 0;
    for (int i = 0; i < from.count(); i++) {
      int at = find(from.slot(i));
      if (at < 0) {
        at = ~at;
        if (!insert(at)) {
          lost++;
          continue;
        }
      } else if (isOlder(from.timeUnixNanos(i), Math.min(timeUnixNanos(at), lastTimeUnixNanos))) {
        continue;
      }
      replace(at, from, i);
      if (!replaceLabels(at, from.labels(i))) {
        lost++;
      }
    }
    return lost;
  }

  private boolean replaceLabels(int at, Labels attributes) {
    budget.release(costBytes(labels(at)));
    boolean fits = budget.tryUse(costBytes(attributes));
    setLabels(at, fits ? attributes : Labels.EMPTY);
    return fits;
  }

  /** Takes all exemplars away, and keeps the memory for as many. */
  void drop() {
    for (int i = 0; i < count(); i++) {
      budget.release(costBytes(labels(i)));
    }
    clear();
  }

  /** Gives everything back to the budget; nothing may be put in afterwards. */
  void end() {
    drop();
    budget.release(entryBytes() + OVERHEAD_BYTES);
  }

  @Override
  boolean mayGrow(long moreBytes) {
    return budget.tryUse(moreBytes);
  }

  private static long costBytes(Labels attributes) {
    return attributes.size() == 0
        ? 0
        : (long) attributes.bytes().length
            + 2L * Integer.BYTES * attributes.size()
            + LABELS_OVERHEAD_BYTES;
  }
}

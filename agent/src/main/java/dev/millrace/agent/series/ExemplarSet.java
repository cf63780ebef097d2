package dev.millrace.agent.series;

import dev.millrace.model.Labels;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The exemplars of a point: at most one for each slot, which is a histogram's bucket, and in each
 * slot the newest. It is used again and again, and keeps its memory: putting other exemplars in
 * place of those that are there allocates nothing. Not thread-safe.
 *
 * <p>They are sorted by slot, in cells of 8 bytes:
 *
 * <pre>
 *   | value | time | trace id high | trace id low | span id | origin, slot &lt;&lt; 1 | whole number |
 * </pre>
 */
public class ExemplarSet {
  /** What one exemplar takes, without its attributes: its cells and the reference to these. */
  static final int ENTRY_BYTES = 7 * Long.BYTES;

  private static final int VALUE = 0;
  private static final int TIME = 1;
  private static final int TRACE_HIGH = 2;
  private static final int TRACE_LOW = 3;
  private static final int SPAN = 4;
  private static final int KEY = 5;
  private static final int CELLS = 6;

  private static final long WHOLE_NUMBER = 1;
  private static final int SLOT_SHIFT = 1;
  private static final int ORIGIN_SHIFT = Integer.SIZE;

  private static final long[] NO_CELLS = {};
  private static final @Nullable Labels[] NO_LABELS = {};

  private long[] cells = NO_CELLS;

  /** As many as there is room for exemplars, or none as long as no exemplar has attributes. */
  private @Nullable Labels[] labels = NO_LABELS;

  private int count;

  ExemplarSet() {}

  /** How many exemplars there are. */
  public final int count() {
    return count;
  }

  /** Takes all exemplars away, and keeps the memory. */
  public final void clear() {
    for (int i = 0; i < count; i++) {
      setLabels(i, Labels.EMPTY);
    }
    count = 0;
  }

  /**
   * Puts an exemplar into a slot, unless a newer one is there. Its attributes are set apart, once
   * it is known which exemplars stay.
   *
   * @param slot 0 or more
   * @param isLong whether the value is a whole number
   * @param valueBits the whole number, or the bits of a floating-point one
   * @param timeUnixNanos 0 where it is not known; then it counts as newer
   * @param origin anything that the caller wants to know of an exemplar later
   */
  public final void offer(
      int slot,
      boolean isLong,
      long valueBits,
      long timeUnixNanos,
      long traceIdHigh,
      long traceIdLow,
      long spanId,
      int origin) {
    int at = find(slot);
    if (at >= 0 ? isOlder(timeUnixNanos, timeUnixNanos(at)) : !insert(~at)) {
      return;
    }
    int entry = (at >= 0 ? at : ~at) * CELLS;
    cells[entry + VALUE] = valueBits;
    cells[entry + TIME] = timeUnixNanos;
    cells[entry + TRACE_HIGH] = traceIdHigh;
    cells[entry + TRACE_LOW] = traceIdLow;
    cells[entry + SPAN] = spanId;
    cells[entry + KEY] =
        (long) origin << ORIGIN_SHIFT | (long) slot << SLOT_SHIFT | (isLong ? WHOLE_NUMBER : 0);
  }

  /** What the caller of {@link #offer} gave as an exemplar's origin. */
  public final int origin(int index) {
    return (int) (cells[index * CELLS + KEY] >>> ORIGIN_SHIFT);
  }

  /** Sets the attributes of an exemplar. */
  public final void setLabels(int index, Labels attributes) {
    if (labels.length == 0) {
      if (attributes.size() == 0) {
        return;
      }
      labels = new @Nullable Labels[cells.length / CELLS];
    }
    labels[index] = attributes.size() == 0 ? null : attributes;
  }

  final boolean isLong(int index) {
    return (cells[index * CELLS + KEY] & WHOLE_NUMBER) != 0;
  }

  final long valueBits(int index) {
    return cells[index * CELLS + VALUE];
  }

  final long timeUnixNanos(int index) {
    return cells[index * CELLS + TIME];
  }

  final long traceIdHigh(int index) {
    return cells[index * CELLS + TRACE_HIGH];
  }

  final long traceIdLow(int index) {
    return cells[index * CELLS + TRACE_LOW];
  }

  final long spanId(int index) {
    return cells[index * CELLS + SPAN];
  }

  final Labels labels(int index) {
    Labels found = index < labels.length ? labels[index] : null;
    return found == null ? Labels.EMPTY : found;
  }

  final int slot(int index) {
    return (int) cells[index * CELLS + KEY] >>> SLOT_SHIFT;
  }

  /** Where the exemplar of a slot is; where there is none, the complement of where it would be. */
  final int find(int slot) {
    int low = 0;
    int high = count;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (slot(middle) < slot) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low < count && slot(low) == slot ? low : ~low;
  }

  /** Whether a time is known to be before another. */
  static boolean isOlder(long timeUnixNanos, long otherUnixNanos) {
    return timeUnixNanos != 0 && otherUnixNanos != 0 && timeUnixNanos < otherUnixNanos;
  }

  /**
   * Makes room for one more exemplar.
   *
   * @return whether there is room
   */
  final boolean insert(int at) {
    if ((count + 1) * CELLS > cells.length) {
      int held = cells.length / CELLS;
      int more = Math.max(1, held / 2);
      if (!mayGrow((long) more * ENTRY_BYTES)) {
        return false;
      }
      cells = Arrays.copyOf(cells, (held + more) * CELLS);
      if (labels.length > 0) {
        labels = Arrays.copyOf(labels, held + more);
      }
    }
    System.arraycopy(cells, at * CELLS, cells, (at + 1) * CELLS, (count - at) * CELLS);
    if (labels.length > 0) {
      System.arraycopy(labels, at, labels, at + 1, count - at);
      labels[at] = null;
    }
    count++;
    return true;
  }

  /** Puts an exemplar of another set, all but its attributes, in place of one of this. */
  final void replace(int at, ExemplarSet from, int index) {
    System.arraycopy(from.cells, index * CELLS, cells, at * CELLS, CELLS);
  }

  /** Makes this a copy, in arrays that only grow. */
  final void readFrom(ExemplarSet other) {
    clear();
    if (cells.length < other.count * CELLS) {
      cells = new long[other.count * CELLS];
      labels = NO_LABELS;
    }
    System.arraycopy(other.cells, 0, cells, 0, other.count * CELLS);
    count = other.count;
    for (int i = 0; i < Math.min(count, other.labels.length); i++) {
      setLabels(i, other.labels(i));
    }
  }

  /** How many bytes the memory for exemplars without their attributes has, as it is counted. */
  final long entryBytes() {
    return (long) cells.length / CELLS * ENTRY_BYTES;
  }

  /** Whether so many bytes more may be used; asked before they are. */
  boolean mayGrow(long moreBytes) {
    return true;
  }
}

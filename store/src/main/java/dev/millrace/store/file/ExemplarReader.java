package dev.millrace.store.file;

import java.util.Arrays;

/**
 * Reads the exemplars of a cursor's point: of each slot the newest among all processes. It is used
 * again for each point and allocates only to get larger. One thread at a time.
 */
final class ExemplarReader {
  private static final int CELLS = CellLayout.EXEMPLAR_CELLS;

  /** A copy of each slot's newest, with 0 as {@link CellLayout#TURN} where there is none. */
  private long[] newest = new long[16 * CELLS];

  /** The slots that have one. */
  private int[] filled = new int[16];

  private int count;

  /**
   * Reads the exemplars of a point.
   *
   * @return how many there are; they are valid until the next read
   */
  int read(MergedMetric metric, MergedSeries series, MergedView view) {
    count = 0;
    if (!metric.hasExemplars()) {
      return 0;
    }
    int slots = CellLayout.mostExemplarSlots(metric.declaration());
    if (filled.length < slots) {
      newest = new long[slots * CELLS];
      filled = new int[slots];
    }
    Arrays.fill(newest, 0, slots * CELLS, 0);
    for (int i = 0; i < series.partCount(); i++) {
      Image image = view.image(series.slot(i));
      int from = image.exemplarCells(series.part(i), metric);
      if (from >= 0) {
        for (int slot = 0; slot < slots; slot++) {
          take(image.cells(), from + slot * CELLS, slot * CELLS);
        }
      }
    }
    for (int slot = 0; slot < slots; slot++) {
      if (newest[slot * CELLS + CellLayout.TURN] != 0) {
        filled[count++] = slot * CELLS;
      }
    }
    return count;
  }

  private void take(long[] cells, int at, int to) {
    long turn = cells[at + CellLayout.TURN];
    long time = cells[at + CellLayout.EXEMPLAR_TIME];
    boolean whole =
        turn != 0
            && (turn & 1) == 0
            && cells[at + CellLayout.CHECK]
                == CellLayout.check(
                    turn,
                    cells[at + CellLayout.EXEMPLAR_VALUE],
                    time,
                    cells[at + CellLayout.TRACE_HIGH],
                    cells[at + CellLayout.TRACE_LOW],
                    cells[at + CellLayout.SPAN]);
    boolean found = newest[to + CellLayout.TURN] != 0;
    if (whole && (!found || time > newest[to + CellLayout.EXEMPLAR_TIME])) {
      System.arraycopy(cells, at, newest, to, CELLS);
    }
  }

  double value(int index) {
    return Double.longBitsToDouble(newest[filled[index] + CellLayout.EXEMPLAR_VALUE]);
  }

  long timeMillis(int index) {
    return newest[filled[index] + CellLayout.EXEMPLAR_TIME];
  }

  long traceHigh(int index) {
    return newest[filled[index] + CellLayout.TRACE_HIGH];
  }

  long traceLow(int index) {
    return newest[filled[index] + CellLayout.TRACE_LOW];
  }

  long spanId(int index) {
    return newest[filled[index] + CellLayout.SPAN];
  }
}

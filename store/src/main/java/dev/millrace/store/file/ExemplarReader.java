package dev.millrace.store.file;

/**
 * Reads the exemplars of a cursor's point: of each slot the newest among all processes. Allocates
 * nothing. One thread at a time; what it gives is valid until the next read.
 */
final class ExemplarReader {
  private long valueBits;
  private long timeMillis;
  private long traceHigh;
  private long traceLow;
  private long spanId;

  /**
   * Reads one slot.
   *
   * @param slot below {@link CellLayout#exemplarSlots}: a histogram's bucket
   * @return whether there is an exemplar
   */
  boolean read(MergedCursor cursor, int slot) {
    boolean found = false;
    MergedSeries series = cursor.mergedSeries();
    for (int i = 0; i < series.partCount(); i++) {
      Image image = cursor.view().image(series.slot(i));
      int at = image.exemplarCell(series.part(i), cursor.declaration(), slot);
      if (at >= 0) {
        found |= take(image.cells(), at, found);
      }
    }
    return found;
  }

  private boolean take(long[] cells, int at, boolean found) {
    long turn = cells[at + CellLayout.TURN];
    long value = cells[at + CellLayout.EXEMPLAR_VALUE];
    long time = cells[at + CellLayout.EXEMPLAR_TIME];
    long high = cells[at + CellLayout.TRACE_HIGH];
    long low = cells[at + CellLayout.TRACE_LOW];
    long span = cells[at + CellLayout.SPAN];
    boolean whole =
        turn != 0
            && (turn & 1) == 0
            && cells[at + CellLayout.CHECK] == CellLayout.check(turn, value, time, high, low, span);
    if (!whole || (found && time <= timeMillis)) {
      return false;
    }
    valueBits = value;
    timeMillis = time;
    traceHigh = high;
    traceLow = low;
    spanId = span;
    return true;
  }

  double value() {
    return Double.longBitsToDouble(valueBits);
  }

  long timeMillis() {
    return timeMillis;
  }

  long traceHigh() {
    return traceHigh;
  }

  long traceLow() {
    return traceLow;
  }

  long spanId() {
    return spanId;
  }
}

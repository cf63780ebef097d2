package dev.millrace.agent.series;

import dev.millrace.model.EncodedLabelsBudget;
import dev.millrace.model.MetricCursor;
import dev.millrace.model.MetricSource;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The points of a {@link SeriesTable} that were not shown yet: each cursor shows those that have
 * come since the last one, each of them once, and of one series at most one. The end of a series is
 * such a point, too.
 *
 * <p>Somebody has to read them again and again, and says how by {@link #readBy}: the table has it
 * done when a second point of a series comes before the first was shown. Reading must not wait for
 * a network, because whoever records waits for it.
 *
 * <p>All cursors show the metrics of the table under its membership version; most of them may have
 * no points. They are walked once: a point that was shown is not shown again when the reader goes
 * back.
 *
 * <p>Thread-safe. One cursor at a time: {@link #open} waits until the one before is closed. Reading
 * allocates nothing while no metric comes or goes.
 */
public final class UnreadPoints implements MetricSource {
  private final SeriesTable table;
  private final UnreadCursor cursor;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile Runnable reader = UnreadPoints::noReader;

  UnreadPoints(SeriesTable table, EncodedLabelsBudget budget) {
    this.table = table;
    cursor = new UnreadCursor(table, this, lock, budget);
  }

  /**
   * Says what reads the points when one has to be shown before the next can be taken over.
   *
   * @param reader opens a cursor, reads and closes it; called by any thread that records, several
   *     at once
   */
  public void readBy(Runnable reader) {
    this.reader = reader;
  }

  /**
   * Gives a cursor over what has come since the last one.
   *
   * @throws IllegalStateException if this thread has not closed the cursor before
   */
  @Override
  public MetricCursor open() {
    if (lock.isHeldByCurrentThread()) {
      throw new IllegalStateException(
          "expected the last cursor to be closed, found it open in this thread; close it first");
    }
    lock.lock();
    boolean opened = false;
    try {
      cursor.begin(table.currentSnapshot());
      opened = true;
    } finally {
      if (!opened) {
        lock.unlock();
      }
    }
    return cursor;
  }

  void readNow() {
    reader.run();
  }

  private static void noReader() {
    throw new IllegalStateException(
        "expected somebody who reads the points of a table that shows every point, found nobody;"
            + " call readBy first");
  }
}

package dev.millrace.store.file;

import dev.millrace.model.EncodedLabelsBudget;
import dev.millrace.model.MetricCursor;
import dev.millrace.model.MetricSource;
import dev.millrace.model.Problems;
import dev.millrace.model.Resource;
import java.io.IOException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One collection at a time over a directory, over a process's own memory, or over both.
 * Thread-safe: a second caller waits until the first has closed its cursor.
 */
public final class StoreCollector implements AutoCloseable {
  private final ReentrantLock lock = new ReentrantLock();
  private final MergedView view;
  private final MergedCursor cursor;
  private final Problems problems;
  private final LongSupplier unixMillis;
  private final @Nullable DirectoryReader reader;
  private final @Nullable Image memory;
  private boolean closed;

  /**
   * A collector.
   *
   * @param source what the cursor says that it reads
   * @param directory {@code null} where there is none
   * @param home {@code null} where this process only reads
   * @param processName for series in the home's memory, where its file has no name for it
   * @param maxFiles more files than this are not read
   */
  public StoreCollector(
      MetricSource source,
      @Nullable StoreDirectory directory,
      @Nullable SeriesHome home,
      String processName,
      Resource resource,
      EncodedLabelsBudget budget,
      Problems problems,
      LongSupplier unixMillis,
      int maxFiles) {
    this.problems = problems;
    this.unixMillis = unixMillis;
    view = new MergedView(budget, problems);
    cursor = new MergedCursor(source, view, resource, this::unlock);
    reader = directory == null ? null : new DirectoryReader(directory, view, problems, maxFiles);
    memory = home == null ? null : memoryImage(home, nameOf(home, directory, processName));
    if (memory != null) {
      view.add(memory);
    }
  }

  /** A store without a directory is alone, so its series need no name. */
  private static String nameOf(SeriesHome home, @Nullable StoreDirectory directory, String wanted) {
    if (directory == null) {
      return "";
    }
    return home.processName().isEmpty() ? wanted : home.processName();
  }

  private static Image memoryImage(SeriesHome home, String processName) {
    try {
      FileHeader header = FileHeader.read(home.memory()).header();
      if (header == null) {
        throw new IllegalStateException("expected a header in memory, found none");
      }
      return new Image(home.memory(), header, processName, "memory");
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /**
   * Begins a collection; see {@link MetricSource#open}. A directory that cannot be read costs
   * freshness: the values stay as last read, and that is counted.
   *
   * @throws IllegalStateException if the calling thread has not closed its last cursor, or the
   *     collector is closed
   */
  public MetricCursor open() {
    lock.lock();
    boolean opened = false;
    try {
      if (lock.getHoldCount() > 1) {
        throw new IllegalStateException(
            "expected the last cursor of this thread to be closed, found it open; close it first");
      }
      if (closed) {
        throw new IllegalStateException("expected an open store, found it closed");
      }
      refresh();
      cursor.begin(unixMillis.getAsLong());
      opened = true;
      return cursor;
    } finally {
      if (!opened) {
        lock.unlock();
      }
    }
  }

  private void refresh() {
    DirectoryReader from = reader;
    if (from != null) {
      try {
        from.refresh();
      } catch (IOException e) {
        problems
            .kind(StoreProblems.FILE_UNREADABLE)
            .add(1, () -> "the directory's values stay as last read: " + e);
      }
    }
    Image own = memory;
    if (own != null) {
      view.read(own);
    }
    view.settle();
  }

  private void unlock() {
    if (!lock.isHeldByCurrentThread()) {
      throw new IllegalStateException(
          "expected the thread that opened the cursor to close it once, found another close");
    }
    lock.unlock();
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      view.close();
      DirectoryReader from = reader;
      if (from != null) {
        from.close();
      }
    } finally {
      lock.unlock();
    }
  }
}

package dev.millrace.store.foreign;

import dev.millrace.model.EncodedLabelsBudget;
import dev.millrace.model.MetricCursor;
import dev.millrace.model.MetricSource;
import dev.millrace.model.Problems;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Reads a directory that another multi-process client writes, beside the running programs: its
 * metrics are what that client's own exporter would give. It never writes, and takes no lock that a
 * writer could meet.
 *
 * <p>A read parses what is new and copies values; a warm one allocates next to nothing. A file that
 * is damaged costs its own samples from the damage on, is counted in the {@link Problems} and named
 * in the log; all others are read. A directory that is not there has no metrics, and is read as
 * soon as it is.
 *
 * <p>Which processes are alive these files do not tell. As with the clients' own exporters, a file
 * counts for as long as it is there: {@code mark_process_dead} of client_python removes those that
 * shall not.
 *
 * <p>Thread-safe. One collection at a time: a second {@link #open()} waits for the first to close
 * its cursor.
 */
public final class ForeignSource implements MetricSource, AutoCloseable {
  private final ReentrantLock lock = new ReentrantLock();
  private final Path path;
  private final ForeignOptions options;
  private final ForeignView view;
  private final ForeignCursor cursor;
  private final ForeignDirectory directory;
  private volatile int fileCount;
  private volatile int damagedFileCount;
  private volatile long sampleCount;
  private boolean closed;

  private ForeignSource(Path path, ForeignOptions options) {
    this.path = path;
    this.options = options;
    view =
        new ForeignView(
            new EncodedLabelsBudget(options.encodedLabelsLimitBytes()),
            options.problems(),
            options.bounds());
    cursor = new ForeignCursor(this, view, options.resource(), this::unlock);
    directory = new ForeignDirectory(path, options, view);
  }

  /** A source of a directory, with {@link ForeignOptions#defaults}. */
  public static ForeignSource of(Path directory) {
    return of(directory, ForeignOptions.defaults());
  }

  /**
   * A source of a directory.
   *
   * @throws UncheckedIOException if the path is no directory but something else, or the schema file
   *     cannot be read
   */
  public static ForeignSource of(Path directory, ForeignOptions options) {
    try {
      if (Files.exists(directory) && !Files.isDirectory(directory)) {
        throw new NotDirectoryException(directory.toString());
      }
      ForeignSource source = new ForeignSource(directory, options);
      source.directory.readSchema();
      return source;
    } catch (IOException e) {
      throw new UncheckedIOException(
          "multi-process directory " + directory + ": " + e.getMessage(), e);
    }
  }

  /**
   * Begins a collection. A directory that cannot be read costs freshness: the values stay as last
   * read, and that is counted. One that is gone has no metrics.
   *
   * @throws IllegalStateException if the calling thread has not closed its last cursor, or the
   *     source is closed
   */
  @Override
  public MetricCursor open() {
    lock.lock();
    boolean opened = false;
    try {
      if (lock.getHoldCount() > 1) {
        throw new IllegalStateException(
            "expected the last cursor of this thread to be closed, found it open; close it first");
      }
      if (closed) {
        throw new IllegalStateException("expected an open source, found it closed");
      }
      refresh();
      cursor.begin(options.unixMillis().getAsLong());
      opened = true;
      return cursor;
    } finally {
      if (!opened) {
        lock.unlock();
      }
    }
  }

  private void refresh() {
    try {
      directory.refresh();
    } catch (IOException e) {
      problems()
          .kind(ForeignProblems.FILE_UNREADABLE)
          .add(1, () -> path + ": expected a directory to read, found that it cannot be: " + e);
    }
    fileCount = directory.fileCount();
    damagedFileCount = directory.damagedFileCount();
    sampleCount = view.sampleCount();
  }

  private void unlock() {
    if (!lock.isHeldByCurrentThread()) {
      throw new IllegalStateException(
          "expected the thread that opened the cursor to close it once, found another close");
    }
    lock.unlock();
  }

  /** How many files the last collection read. */
  public int fileCount() {
    return fileCount;
  }

  /** Of how many files the last collection read a part only, because the rest is damaged. */
  public int damagedFileCount() {
    return damagedFileCount;
  }

  /** How many samples the last collection had; each bucket of a histogram is one. */
  public long sampleCount() {
    return sampleCount;
  }

  /** What went wrong, by kind. */
  public Problems problems() {
    return options.problems();
  }

  /** Closes the files that are open. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      view.close();
      directory.close();
    } finally {
      lock.unlock();
    }
  }
}

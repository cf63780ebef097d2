package dev.millrace.store;

import dev.millrace.model.EncodedLabelsBudget;
import dev.millrace.model.MetricCursor;
import dev.millrace.model.MetricSource;
import dev.millrace.model.Problems;
import dev.millrace.store.file.Retirement;
import dev.millrace.store.file.StoreCollector;
import dev.millrace.store.file.StoreDirectory;
import dev.millrace.store.file.StoreProblems;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/**
 * Reads a store directory that other processes write, without writing to it: its metrics are the
 * sum of all processes, as their programs declared them. It may be read-only.
 *
 * <p>A read parses what is new and copies values; a warm one allocates next to nothing. A file that
 * is damaged costs its own samples from the damage on, is counted in {@link #problems} and named in
 * the log.
 *
 * <p>Thread-safe. One collection at a time: a second {@link #open()} waits for the first to close
 * its cursor.
 */
public final class StoreSource implements MetricSource, AutoCloseable {
  private final StoreDirectory directory;
  private final StoreOptions options;
  private final StoreCollector collector;

  private StoreSource(StoreDirectory directory, StoreOptions options) {
    this.directory = directory;
    this.options = options;
    this.collector =
        new StoreCollector(
            this,
            directory,
            null,
            "",
            options.resource(),
            new EncodedLabelsBudget(options.encodedLabelsLimitBytes()),
            options.problems(),
            options.unixMillis(),
            options.bounds().maxFiles());
  }

  /** A source of a directory, with {@link StoreOptions#defaults}. */
  public static StoreSource of(Path directory) {
    return of(directory, StoreOptions.defaults());
  }

  /**
   * A source of a directory.
   *
   * @param options of which the process name and the intervals mean nothing here
   * @throws UncheckedIOException if there is no such directory, or it is on a network file system
   */
  public static StoreSource of(Path directory, StoreOptions options) {
    try {
      return new StoreSource(StoreDirectory.forReading(directory), options);
    } catch (IOException e) {
      throw new UncheckedIOException("store in " + directory + ": " + e.getMessage(), e);
    }
  }

  @Override
  public MetricCursor open() {
    return collector.open();
  }

  /**
   * Folds the values of dead processes into the directory's totals file, unless another process is
   * at it. This writes to the directory; nothing calls it but the source's owner.
   *
   * @return how many processes were folded
   */
  public int retire() {
    return retire(directory, options.problems());
  }

  static int retire(StoreDirectory directory, Problems problems) {
    try {
      return new Retirement(directory, problems).run((done, left) -> {}).folded();
    } catch (IOException | RuntimeException e) {
      problems
          .kind(StoreProblems.RETIREMENT_FAILED)
          .add(1, () -> directory.path() + ": nothing is lost, and it is tried again: " + e);
      return 0;
    }
  }

  /** What went wrong, by kind. */
  public Problems problems() {
    return options.problems();
  }

  /** Closes the files that are open. */
  @Override
  public void close() {
    collector.close();
  }
}

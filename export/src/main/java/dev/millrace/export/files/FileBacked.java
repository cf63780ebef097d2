package dev.millrace.export.files;

import dev.millrace.model.Problem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A value that is made of files, and made again once one of them has changed. The files are looked
 * at when the value is asked for, at most once a second; there is no thread. If they cannot be read
 * the value stays the last good one, which is counted, and they are tried again a second later.
 *
 * <p>Thread-safe. Nobody waits for somebody else's reading: meanwhile the others get the last
 * value.
 *
 * @param <T> the value's type
 */
public final class FileBacked<T> {
  /**
   * How long the files are left alone after a look: often enough for certificates and passwords,
   * whose old ones are valid for a while beside the new ones, and no cost under load.
   */
  public static final long CHECK_NANOS = 1_000_000_000L;

  /** Makes the value. */
  @FunctionalInterface
  public interface Loader<T> {
    /**
     * Reads the files.
     *
     * @throws IOException if one cannot be read
     * @throws IllegalArgumentException if one holds something else than expected; the message names
     *     the file, says what to do, and shows no secret
     */
    T load() throws IOException;
  }

  /**
   * What tells one content of a path from the next: the file's identity too, since a new file moved
   * to the path can have any time and the same size.
   */
  private record Stamp(FileTime modified, long sizeBytes, @Nullable Object fileKey) {
    static Stamp of(Path file) throws IOException {
      BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
      return new Stamp(attributes.lastModifiedTime(), attributes.size(), attributes.fileKey());
    }
  }

  private final List<Path> files;
  private final Loader<T> loader;
  private final Problem reloadFailed;
  private final LongSupplier nanoClock;
  private final ReentrantLock reading = new ReentrantLock();
  private List<Stamp> stamps;
  private boolean failed;
  private volatile T value;
  private volatile long nextCheckNanos;

  /**
   * Reads the files for the first time.
   *
   * @param files what the loader reads
   * @param reloadFailed counts and logs that files which have changed cannot be used
   * @param nanoClock a monotonic clock in nanoseconds
   * @throws UncheckedIOException if a file cannot be read
   * @throws IllegalArgumentException if a file holds something else than expected
   */
  public FileBacked(
      List<Path> files, Loader<T> loader, Problem reloadFailed, LongSupplier nanoClock) {
    this.files = List.copyOf(files);
    this.loader = loader;
    this.reloadFailed = reloadFailed;
    this.nanoClock = nanoClock;
    this.nextCheckNanos = nanoClock.getAsLong() + CHECK_NANOS;
    try {
      stamps = stamps();
      value = Objects.requireNonNull(loader.load());
    } catch (IOException e) {
      throw new UncheckedIOException("expected to read a file, found " + describe(e), e);
    }
  }

  /** The value by the files as they were at most a second ago, or the last good one. */
  public T get() {
    if (nanoClock.getAsLong() - nextCheckNanos >= 0 && reading.tryLock()) {
      try {
        nextCheckNanos = nanoClock.getAsLong() + CHECK_NANOS;
        reload();
      } finally {
        reading.unlock();
      }
    }
    return value;
  }

  private void reload() {
    try {
      // Taken before the content: a file that changes while it is read differs from this again.
      List<Stamp> now = stamps();
      if (!failed && now.equals(stamps)) {
        return;
      }
      failed = true;
      value = Objects.requireNonNull(loader.load());
      stamps = now;
      failed = false;
    } catch (IOException e) {
      failed = true;
      reportFailure("expected to read a file that has changed, found " + describe(e));
    } catch (RuntimeException e) {
      reportFailure("" + e.getMessage());
    }
  }

  private void reportFailure(String detail) {
    reloadFailed.add(1, () -> detail + "; what was read before stays in use");
  }

  private List<Stamp> stamps() throws IOException {
    List<Stamp> result = new ArrayList<>(files.size());
    for (Path file : files) {
      result.add(Stamp.of(file));
    }
    return result;
  }

  private static String describe(IOException e) {
    // The messages of the file system's exceptions are paths alone.
    return e.getClass().getSimpleName() + ": " + e.getMessage();
  }
}

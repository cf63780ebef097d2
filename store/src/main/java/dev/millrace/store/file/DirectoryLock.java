package dev.millrace.store.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A right in a directory that at most one thread of one process on the host has: to retire the
 * dead, or to take a name.
 *
 * <p>Between processes it is a kernel lock; inside one JVM, where a kernel lock would be lost when
 * a second thread closes its channel on the same file, it is an entry in the system properties,
 * which all class loaders share.
 */
final class DirectoryLock implements AutoCloseable {
  private static final String PROPERTY_PREFIX = "dev.millrace.store.locked.";

  private static final long PAUSE_NANOS = 1_000_000;

  private final String property;
  private final FileChannel channel;

  private DirectoryLock(String property, FileChannel channel) {
    this.property = property;
    this.channel = channel;
  }

  /** Takes the right to retire, or gives {@code null} at once where somebody has it. */
  static @Nullable DirectoryLock tryRetire(StoreDirectory directory) throws IOException {
    return tryTake(directory, directory.retireLock());
  }

  /**
   * Takes the right to choose a name. Whoever has it lists the directory and renames a file, so it
   * is free again in a moment.
   *
   * @return {@code null} where it was not free for {@code timeoutNanos}: its holder may be stopped
   */
  static @Nullable DirectoryLock takeForName(StoreDirectory directory, long timeoutNanos)
      throws IOException {
    long begin = System.nanoTime();
    while (true) {
      DirectoryLock lock = tryTake(directory, directory.nameLock());
      if (lock != null || System.nanoTime() - begin >= timeoutNanos) {
        return lock;
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private static @Nullable DirectoryLock tryTake(StoreDirectory directory, Path file)
      throws IOException {
    String property = PROPERTY_PREFIX + file.getFileName() + "." + directory.key();
    if (System.getProperties().putIfAbsent(property, "held") != null) {
      return null;
    }
    FileChannel channel = null;
    boolean held = false;
    try {
      if (StoreDirectory.isSomethingElse(file)) {
        throw new IOException(
            file + ": expected a lock file, found something that is no regular file; remove it");
      }
      channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (channel.tryLock() == null) {
        return null;
      }
      held = true;
      return new DirectoryLock(property, channel);
    } finally {
      if (!held) {
        if (channel != null) {
          channel.close();
        }
        System.clearProperty(property);
      }
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
    System.clearProperty(property);
  }
}

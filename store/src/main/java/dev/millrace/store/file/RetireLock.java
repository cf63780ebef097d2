package dev.millrace.store.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * The right to retire in a directory: at most one thread of one process on the host has it.
 *
 * <p>Between processes it is a kernel lock; inside one JVM, where a kernel lock would be lost when
 * a second thread closes its channel on the same file, it is an entry in the system properties,
 * which all class loaders share.
 */
final class RetireLock implements AutoCloseable {
  private static final String PROPERTY_PREFIX = "dev.millrace.store.retiring.";

  private final String property;
  private final FileChannel channel;

  private RetireLock(String property, FileChannel channel) {
    this.property = property;
    this.channel = channel;
  }

  /** Takes the right, or gives {@code null} at once where somebody has it. */
  static @Nullable RetireLock tryTake(StoreDirectory directory) throws IOException {
    String property = PROPERTY_PREFIX + directory.key();
    if (System.getProperties().putIfAbsent(property, "held") != null) {
      return null;
    }
    FileChannel channel = null;
    boolean held = false;
    try {
      channel =
          FileChannel.open(
              directory.retireLock(), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (channel.tryLock() == null) {
        return null;
      }
      held = true;
      return new RetireLock(property, channel);
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

package dev.millrace.export.disk;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The right to send what a directory holds. Between processes it is a kernel lock, which ends with
 * its process, however that ends. Inside one JVM, where closing <em>any</em> channel on the file
 * would let go of it, it is an entry in the system properties, which all class loaders share: the
 * lock file is not even opened where another queue of the JVM has the entry.
 */
final class OwnerLock implements AutoCloseable {
  private static final String PROPERTY_PREFIX = "dev.millrace.spool.owned.";

  private final String property;
  private final FileChannel channel;

  private OwnerLock(String property, FileChannel channel) {
    this.property = property;
    this.channel = channel;
  }

  /** Takes the right, or gives {@code null} where somebody else has it. */
  static @Nullable OwnerLock tryTake(Path directory, SpoolDirectory files) throws IOException {
    String property = PROPERTY_PREFIX + directory.toRealPath();
    if (System.getProperties().putIfAbsent(property, "held") != null) {
      return null;
    }
    FileChannel channel = null;
    boolean taken = false;
    try {
      channel = files.lockFile();
      taken = channel.tryLock() != null;
      return taken ? new OwnerLock(property, channel) : null;
    } catch (OverlappingFileLockException e) {
      return null;
    } finally {
      if (!taken) {
        if (channel != null) {
          channel.close();
        }
        System.clearProperty(property);
      }
    }
  }

  @Override
  public void close() throws IOException {
    try {
      channel.close();
    } finally {
      System.clearProperty(property);
    }
  }
}

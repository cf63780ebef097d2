package dev.millrace.store.file;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Tells whether the writer of a file lives: it holds the kernel's lock on a file of its own. The
 * kernel lets go of it when the process ends, however it ends, and whatever else gets its pid.
 *
 * <p><b>Inside one JVM</b> the kernel's locks are dangerous: closing <em>any</em> channel on a file
 * lets go of the process's lock on it. So a JVM never opens a lock file that it holds itself. Which
 * ones these are stands in the system properties, because several class loaders may each have their
 * own copy of this class in one JVM: {@code dev.millrace.store.live.INSTANCE}.
 */
final class ProcessLock implements AutoCloseable {
  private static final String PROPERTY_PREFIX = "dev.millrace.store.live.";

  /** Somebody who looks whether we live holds the lock for microseconds. */
  private static final int ATTEMPTS = 1000;

  private static final long PAUSE_NANOS = 1_000_000;

  private final String property;
  private final FileChannel channel;

  private ProcessLock(String property, FileChannel channel) {
    this.property = property;
    this.channel = channel;
  }

  /** Takes the lock of a new instance, for as long as the process lives or until closed. */
  static ProcessLock take(Path lockFile, InstanceId instance) throws IOException {
    String property = PROPERTY_PREFIX + instance;
    System.setProperty(property, "held");
    boolean held = false;
    try {
      for (int i = 0; i < ATTEMPTS; i++) {
        FileChannel channel =
            FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        // Whoever retires may remove a lock file that nobody holds, so it must still be there.
        if (channel.tryLock() != null && Files.exists(lockFile)) {
          held = true;
          return new ProcessLock(property, channel);
        }
        channel.close();
        LockSupport.parkNanos(PAUSE_NANOS);
      }
      throw new IOException(
          lockFile + ": expected to lock a new file, found it locked by another for a second");
    } finally {
      if (!held) {
        System.clearProperty(property);
      }
    }
  }

  /** Whether this JVM holds the lock of an instance. */
  static boolean isHeldHere(InstanceId instance) {
    return System.getProperty(PROPERTY_PREFIX + instance) != null;
  }

  @Override
  public void close() throws IOException {
    channel.close();
    System.clearProperty(property);
  }

  /**
   * Looks again and again whether one instance lives. A reader's lock is a shared one, so readers
   * do not take each other for the writer, and reading needs no right to write.
   */
  static final class Probe implements AutoCloseable {
    private final Path lockFile;
    private final InstanceId instance;
    private @Nullable FileChannel channel;

    Probe(Path lockFile, InstanceId instance) {
      this.lockFile = lockFile;
      this.instance = instance;
    }

    /** Whether the writer lives; {@code false} is for good. */
    boolean isAlive() throws IOException {
      if (isHeldHere(instance)) {
        return true;
      }
      // An interrupt would close the channel for good; it can wait for a moment.
      boolean interrupted = Thread.interrupted();
      try {
        return isLocked();
      } catch (ClosedByInterruptException e) {
        interrupted = true;
        // Say what keeps values; the next look opens the file again.
        return true;
      } finally {
        if (interrupted) {
          Thread.currentThread().interrupt();
        }
      }
    }

    private boolean isLocked() throws IOException {
      FileChannel open = channel;
      if (open == null || !open.isOpen()) {
        // What is no regular file was never a lock of ours, and opening it could wait for ever.
        if (!StoreDirectory.isFile(lockFile)) {
          return false;
        }
        open = FileChannel.open(lockFile, StandardOpenOption.READ);
        channel = open;
      }
      try (FileLock lock = open.tryLock(0, Long.MAX_VALUE, true)) {
        return lock == null;
      } catch (OverlappingFileLockException e) {
        // Another reader in this JVM holds its shared lock at this moment. Say what keeps values.
        return true;
      }
    }

    @Override
    public void close() {
      FileChannel open = channel;
      channel = null;
      if (open != null) {
        try {
          open.close();
        } catch (IOException e) {
          // Nothing was written.
        }
      }
    }
  }
}

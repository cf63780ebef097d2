package dev.millrace.store.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A file's channel that outlives interrupts. The JDK closes a channel when a thread is interrupted
 * that uses it, for everybody and for good: one cancelled task that recorded or scraped would cut a
 * process off from its file. Here the file is opened again, the work done, and the thread stays
 * interrupted.
 *
 * <p>One thread at a time.
 */
final class StoreChannel implements AutoCloseable {
  private final Set<OpenOption> options;
  private final @Nullable Object fileKey;
  private Path path;
  private FileChannel channel;

  private StoreChannel(
      Path path, Set<OpenOption> options, @Nullable Object fileKey, FileChannel channel) {
    this.path = path;
    this.options = options;
    this.fileKey = fileKey;
    this.channel = channel;
  }

  /** Opens a file that is there. */
  static StoreChannel open(Path path, OpenOption... options) throws IOException {
    // In this order: a file that is replaced in between is not taken for the old one later on.
    Object fileKey = fileKey(path);
    return new StoreChannel(
        path, Set.of(options), fileKey, FileChannel.open(path, Set.of(options)));
  }

  private static @Nullable Object fileKey(Path path) throws IOException {
    return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
  }

  /** The file has another name from here on. */
  void renamedTo(Path newPath) {
    path = newPath;
  }

  int read(ByteBuffer target, long position) throws IOException {
    int at = target.position();
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return channel.read(target, position);
        } catch (ClosedByInterruptException e) {
          interrupted |= reopen();
          target.position(at);
        }
      }
    } finally {
      restore(interrupted);
    }
  }

  int write(ByteBuffer source, long position) throws IOException {
    int at = source.position();
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return channel.write(source, position);
        } catch (ClosedByInterruptException e) {
          interrupted |= reopen();
          source.position(at);
        }
      }
    } finally {
      restore(interrupted);
    }
  }

  /** Maps a part for reading and writing; the mapping outlives the channel. */
  MappedByteBuffer map(long position, long lengthBytes) throws IOException {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return channel.map(FileChannel.MapMode.READ_WRITE, position, lengthBytes);
        } catch (ClosedByInterruptException e) {
          interrupted |= reopen();
        }
      }
    } finally {
      restore(interrupted);
    }
  }

  long size() throws IOException {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return channel.size();
        } catch (ClosedByInterruptException e) {
          interrupted |= reopen();
        }
      }
    } finally {
      restore(interrupted);
    }
  }

  void truncate(long lengthBytes) throws IOException {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          channel.truncate(lengthBytes);
          return;
        } catch (ClosedByInterruptException e) {
          interrupted |= reopen();
        }
      }
    } finally {
      restore(interrupted);
    }
  }

  /** Brings all bytes to the disk. */
  void force() throws IOException {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          channel.force(true);
          return;
        } catch (ClosedByInterruptException e) {
          interrupted |= reopen();
        }
      }
    } finally {
      restore(interrupted);
    }
  }

  /**
   * Opens the file again.
   *
   * @return whether the thread was interrupted, which it is no longer
   * @throws IOException if the file is gone, or another one has its name; the thread is interrupted
   *     then as it was before
   */
  private boolean reopen() throws IOException {
    boolean interrupted = Thread.interrupted();
    boolean done = false;
    try {
      if (!Objects.equals(fileKey, fileKey(path))) {
        throw new IOException(path + ": expected the file that was open, found another one");
      }
      channel = FileChannel.open(path, options);
      done = true;
      return interrupted;
    } finally {
      restore(interrupted && !done);
    }
  }

  private static void restore(boolean interrupted) {
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}

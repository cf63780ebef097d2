package dev.millrace.store.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongPredicate;

/**
 * The file of this process: made, locked, and then shown to readers under its final name, so that
 * nobody ever sees it without a header or without its lock.
 */
final class ProcessFile implements AutoCloseable {
  /** A holder that is stopped in the middle must not keep others from beginning. */
  private static final long NAME_TIMEOUT_NANOS = 5_000_000_000L;

  private final ProcessLock lock;
  private final FileSpace space;
  private final StoreWriter writer;
  private final String processName;
  private final Path path;

  private ProcessFile(
      ProcessLock lock, FileSpace space, StoreWriter writer, String processName, Path path) {
    this.lock = lock;
    this.space = space;
    this.writer = writer;
    this.processName = processName;
    this.path = path;
  }

  /**
   * Makes a file.
   *
   * @param wantedName the process's name; where another file has it, a number is appended
   * @param mayTakeBytes asked before each growth
   */
  static ProcessFile create(
      StoreDirectory directory,
      String wantedName,
      long startTimeUnixNanos,
      LongPredicate mayTakeBytes)
      throws IOException {
    InstanceId instance = InstanceId.random();
    ProcessLock lock = ProcessLock.take(directory.lockOf(instance), instance);
    Path unfinished = directory.unfinished(wantedName, instance);
    FileSpace space = null;
    try {
      space = FileSpace.create(unfinished, mayTakeBytes);
      StoreWriter writer =
          new StoreWriter(
              space,
              new FileHeader(
                  instance,
                  ProcessHandle.current().pid(),
                  startTimeUnixNanos,
                  FileLayout.ROLE_PROCESS));
      String name = show(directory, unfinished, wantedName, instance);
      Path path = directory.dataOf(name, instance);
      space.renamedTo(path);
      return new ProcessFile(lock, space, writer, name, path);
    } catch (IOException | RuntimeException e) {
      if (space != null) {
        space.close();
      }
      Files.deleteIfExists(unfinished);
      Files.deleteIfExists(directory.lockOf(instance));
      lock.close();
      throw e;
    }
  }

  /** Gives the file its final name: the wanted one, or that with a number where it is taken. */
  private static String show(
      StoreDirectory directory, Path unfinished, String wantedName, InstanceId instance)
      throws IOException {
    // Without the lock two processes may get one name; of two such gauges the younger is shown.
    DirectoryLock lock = DirectoryLock.takeForName(directory, NAME_TIMEOUT_NANOS);
    try {
      Set<String> taken = new HashSet<>();
      for (StoreDirectory.DataFile file : directory.dataFiles()) {
        taken.add(file.processName());
      }
      String name = wantedName;
      for (int number = 2; taken.contains(name); number++) {
        name = wantedName + "-" + number;
      }
      Files.move(unfinished, directory.dataOf(name, instance), StandardCopyOption.ATOMIC_MOVE);
      return name;
    } finally {
      if (lock != null) {
        lock.close();
      }
    }
  }

  StoreWriter writer() {
    return writer;
  }

  /** The value of the label {@code pid}. */
  String processName() {
    return processName;
  }

  /** Where readers find it. */
  Path path() {
    return path;
  }

  /** Ends the process as far as the directory is concerned; its values stay. */
  @Override
  public void close() throws IOException {
    space.close();
    lock.close();
  }
}

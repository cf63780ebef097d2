package dev.millrace.store.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The names in a store directory. Immutable.
 *
 * <pre>
 *   NAME.INSTANCE.mill       one process's values; NAME is its value of the label pid
 *   INSTANCE.lock            locked for as long as that process lives
 *   totals.mill              the values of the dead
 *   retire.lock              locked by whoever retires the dead
 *   name.lock                locked for the moment in which a process takes its name
 *   .*.new                   a file that is not finished; no reader looks at it
 *   *.damaged                a dead process's file that could not be read to its end
 * </pre>
 */
public final class StoreDirectory {
  static final String DATA_SUFFIX = ".mill";
  static final String LOCK_SUFFIX = ".lock";
  static final String NEW_SUFFIX = ".new";
  static final String DAMAGED_SUFFIX = ".damaged";
  static final String TOTALS_NAME = "totals.mill";
  static final String RETIRE_LOCK_NAME = "retire.lock";
  static final String NAME_LOCK_NAME = "name.lock";

  /** Long enough for any worker's name, short enough for any file system's 255 bytes. */
  public static final int MAX_PROCESS_NAME_CHARS = 64;

  /**
   * File systems whose locks or shared mappings do not hold between the hosts (or the virtual
   * machines) that mount them, by what Linux and macOS call them.
   */
  private static final Set<String> NETWORK_TYPES =
      Set.of(
          "nfs",
          "nfs4",
          "cifs",
          "smb",
          "smb2",
          "smb3",
          "smbfs",
          "afs",
          "afpfs",
          "9p",
          "ceph",
          "lustre",
          "gpfs",
          "glusterfs",
          "beegfs",
          "ocfs2",
          "gfs",
          "gfs2",
          "webdav",
          "davfs",
          "ncpfs",
          "coda",
          "virtiofs",
          "fuse");

  private final Path path;

  private StoreDirectory(Path path) {
    this.path = path;
  }

  /**
   * One process's file, by its name.
   *
   * @param instance {@code null} where the name is not of the form that a store writes
   */
  record DataFile(Path path, String processName, @Nullable InstanceId instance) {}

  /**
   * A directory to write in; made where it is missing.
   *
   * @throws IOException if it cannot be made, or is on a network file system
   */
  public static StoreDirectory forWriting(Path path) throws IOException {
    Files.createDirectories(path);
    StoreDirectory directory = forReading(path);
    if (!Files.isWritable(path)) {
      throw new IOException(
          path
              + ": expected a directory that this process can write in, found a read-only one;"
              + " use StoreSource to read it, or MetricStore.inMemory()");
    }
    return directory;
  }

  /**
   * A directory to read from.
   *
   * @throws IOException if there is none, or it is on a network file system
   */
  public static StoreDirectory forReading(Path path) throws IOException {
    if (!Files.isDirectory(path)) {
      throw Files.exists(path)
          ? new NotDirectoryException(path.toString())
          : new NoSuchFileException(path.toString(), null, "expected a store directory");
    }
    String refusal = refusal(Files.getFileStore(path).type());
    if (refusal != null) {
      throw new IOException(path + ": " + refusal);
    }
    return new StoreDirectory(path);
  }

  /**
   * Why a file system cannot hold a store.
   *
   * @param type as {@link java.nio.file.FileStore#type} gives it
   * @return {@code null} where it can
   */
  static @Nullable String refusal(String type) {
    String name = type.toLowerCase(Locale.ROOT);
    boolean remoteFuse = name.startsWith("fuse.") && !name.equals("fuse.fuse-overlayfs");
    return NETWORK_TYPES.contains(name) || remoteFuse
        ? "expected a local file system, found "
            + type
            + ": locks and shared memory do not hold across its hosts, so values would be lost;"
            + " use a directory on a local disk or a tmpfs, such as /run"
        : null;
  }

  /** Where the directory is. */
  public Path path() {
    return path;
  }

  Path totals() {
    return path.resolve(TOTALS_NAME);
  }

  Path retireLock() {
    return path.resolve(RETIRE_LOCK_NAME);
  }

  Path nameLock() {
    return path.resolve(NAME_LOCK_NAME);
  }

  Path lockOf(InstanceId instance) {
    return path.resolve(instance + LOCK_SUFFIX);
  }

  Path dataOf(String processName, InstanceId instance) {
    return path.resolve(processName + "." + instance + DATA_SUFFIX);
  }

  Path unfinished(String name, InstanceId instance) {
    return path.resolve("." + name + "." + instance + NEW_SUFFIX);
  }

  /** A name for the directory that is the same whatever path leads there. */
  String key() throws IOException {
    Object key = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    return key != null ? key.toString() : path.toRealPath().toString();
  }

  /** The files of processes, dead and alive, by name. */
  List<DataFile> dataFiles() throws IOException {
    List<DataFile> files = new ArrayList<>();
    for (Path file : files(DATA_SUFFIX)) {
      String name = file.getFileName().toString();
      if (!name.equals(TOTALS_NAME)) {
        files.add(dataFile(file, name));
      }
    }
    files.sort(Comparator.comparing(file -> file.path().getFileName().toString()));
    return files;
  }

  /**
   * All files with an ending. Directories, links, pipes and devices are none of a store's, whatever
   * their names; opening a pipe would wait until somebody writes to it.
   */
  List<Path> files(String suffix) throws IOException {
    List<Path> files = new ArrayList<>();
    try (DirectoryStream<Path> entries =
        Files.newDirectoryStream(
            path, entry -> entry.getFileName().toString().endsWith(suffix) && isFile(entry))) {
      for (Path entry : entries) {
        files.add(entry);
      }
    } catch (java.nio.file.DirectoryIteratorException e) {
      throw e.getCause();
    }
    return files;
  }

  /** Whether a name is a regular file's; a link to one is none. */
  static boolean isFile(Path file) {
    return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
  }

  /** Whether a name is taken by what is no regular file. */
  static boolean isSomethingElse(Path file) {
    return Files.exists(file, LinkOption.NOFOLLOW_LINKS) && !isFile(file);
  }

  private static DataFile dataFile(Path file, String name) {
    String stem = name.substring(0, name.length() - DATA_SUFFIX.length());
    int dot = stem.lastIndexOf('.');
    InstanceId instance = dot < 1 ? null : InstanceId.parse(stem.substring(dot + 1));
    return new DataFile(file, dot < 1 ? stem : stem.substring(0, dot), instance);
  }

  /** The id in the name of a lock or of an unfinished file; {@code null} where there is none. */
  static @Nullable InstanceId instanceIn(Path file, String suffix) {
    String name = file.getFileName().toString();
    String stem = name.substring(0, name.length() - suffix.length());
    return InstanceId.parse(stem.substring(stem.lastIndexOf('.') + 1));
  }

  /** How many bytes all files have; locks have none. */
  public long sizeBytes() throws IOException {
    long size = 0;
    for (Path file : files("")) {
      if (!file.getFileName().toString().endsWith(LOCK_SUFFIX)) {
        try {
          size += Files.size(file);
        } catch (NoSuchFileException e) {
          // It went between the listing and here.
        }
      }
    }
    return size;
  }

  /**
   * Makes sure that renames and removals outlive a crash of the machine, where that is possible.
   */
  void force() {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      channel.force(true);
    } catch (IOException e) {
      // Some systems do not open directories; theirs are written in order.
    }
  }
}

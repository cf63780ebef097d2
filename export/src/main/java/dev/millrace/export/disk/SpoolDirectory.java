package dev.millrace.export.disk;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The names in a spool's directory, and whole files in it.
 *
 * <pre>
 * 000001764540000000-0000000007-1f2e3d4c5b6a7988.millrace          a payload
 * .000001764540000000-0000000007-1f2e3d4c5b6a7988.millrace.tmp     one that is being written
 * 000001764540000000-0000000007-1f2e3d4c5b6a7988.millrace.corrupt  one that was set aside
 * .lock                                                            held by the one who sends
 * </pre>
 *
 * <p>A name begins with the time of day in milliseconds and a number that its writer counts up, so
 * that the order of names is that of time; then comes the writer's random identity. Everything else
 * in the directory is somebody else's and left alone.
 */
class SpoolDirectory {
  static final String SUFFIX = ".millrace";
  private static final String CORRUPT = ".corrupt";
  private static final String UNFINISHED = ".tmp";
  private static final Pattern NAME = Pattern.compile("(\\d{18})-\\d{10}-[0-9a-f]{16}\\" + SUFFIX);
  private static final Pattern UNFINISHED_NAME =
      Pattern.compile("\\." + NAME.pattern() + "\\" + UNFINISHED);

  /** Nobody writes one file for so long: its writer is dead. */
  private static final long ABANDONED_MILLIS = TimeUnit.HOURS.toMillis(1);

  /**
   * A file that counts for the bounds.
   *
   * @param aside whether it was set aside; otherwise it is a payload's
   */
  record Entry(Path file, long sizeBytes, boolean aside) {
    long timeMillis() {
      return Long.parseLong(name().substring(0, 18));
    }

    /** Whether this writer gave the file its name. */
    boolean isBy(long writer) {
      return name().contains(String.format(Locale.ROOT, "-%016x", writer));
    }

    String name() {
      return file.getFileName().toString();
    }
  }

  /** One file that is being written. */
  interface OpenFile extends SpoolFile.Output, Closeable {
    /** Waits until the disk has it. */
    void force() throws IOException;
  }

  private final Path directory;

  SpoolDirectory(Path directory) throws IOException {
    this.directory = directory;
    Files.createDirectories(directory, permissions("rwx------"));
  }

  private static FileAttribute<?>[] permissions(String permissions) {
    boolean posix = FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
    return posix
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
        }
        : new FileAttribute<?>[0];
  }

  static String name(long timeMillis, long number, long writer) {
    return String.format(Locale.ROOT, "%018d-%010d-%016x%s", timeMillis, number, writer, SUFFIX);
  }

  /** All payloads' files and those that were set aside, oldest first. */
  List<Entry> held() throws IOException {
    List<Entry> held = new ArrayList<>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : (Iterable<Path>) files.sorted()::iterator) {
        String name = file.getFileName().toString();
        boolean aside = name.endsWith(CORRUPT);
        String original = aside ? name.substring(0, name.length() - CORRUPT.length()) : name;
        if (NAME.matcher(original).matches()) {
          add(held, file, aside);
        }
      }
    }
    return held;
  }

  /** Adds a plain file: reading another one could block, or give what is somewhere else. */
  @SuppressWarnings("EmptyCatch") // Another process has just sent or dropped it.
  private static void add(List<Entry> held, Path file, boolean aside) {
    try {
      BasicFileAttributes attributes =
          Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      if (attributes.isRegularFile()) {
        held.add(new Entry(file, attributes.size(), aside));
      }
    } catch (IOException e) {
      // As above.
    }
  }

  /** Deletes a file; {@code false} where it was gone. */
  boolean delete(Path file) throws IOException {
    return Files.deleteIfExists(file);
  }

  /** Writes a file that is there whole or not at all, also after a crash. */
  void write(String name, Writing content) throws IOException {
    Path unfinished = directory.resolve("." + name + UNFINISHED);
    try {
      try (OpenFile out = create(unfinished)) {
        content.to(out);
        out.force();
      }
      Files.move(unfinished, directory.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException | RuntimeException e) {
      Files.deleteIfExists(unfinished);
      throw e;
    }
    forceNames();
  }

  /** Writes a file's content. */
  interface Writing {
    void to(SpoolFile.Output out) throws IOException;
  }

  /** Opens a new file. */
  OpenFile create(Path file) throws IOException {
    FileChannel channel =
        FileChannel.open(
            file,
            Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW),
            permissions("rw-------"));
    return new OpenFile() {
      @Override
      public void write(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
          channel.write(bytes);
        }
      }

      @Override
      public void force() throws IOException {
        channel.force(true);
      }

      @Override
      public void close() throws IOException {
        channel.close();
      }
    };
  }

  /** Makes new names outlive a crash of the system; not every system opens directories. */
  @SuppressWarnings("EmptyCatch") // Where it cannot be done there is nothing else to do.
  private void forceNames() {
    try (FileChannel names = FileChannel.open(directory, StandardOpenOption.READ)) {
      names.force(true);
    } catch (IOException e) {
      // As above.
    }
  }

  /** Renames a file so that it is never read again; the new name. */
  Path setAside(Entry entry) throws IOException {
    Path aside = directory.resolve(entry.name() + CORRUPT);
    return Files.move(entry.file(), aside, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Deletes what dead processes left unfinished. */
  void deleteAbandoned(long nowMillis) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        if (UNFINISHED_NAME.matcher(file.getFileName().toString()).matches()
            && nowMillis - Files.getLastModifiedTime(file).toMillis() > ABANDONED_MILLIS) {
          Files.deleteIfExists(file);
        }
      }
    }
  }

  /** Opens the file whose lock the one who sends holds. */
  FileChannel lockFile() throws IOException {
    return FileChannel.open(
        directory.resolve(".lock"),
        Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE),
        permissions("rw-------"));
  }
}

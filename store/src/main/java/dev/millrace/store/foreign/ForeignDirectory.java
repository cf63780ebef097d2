package dev.millrace.store.foreign;

import dev.millrace.model.Problems;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a view in step with a directory that others write.
 *
 * <p>A warm refresh asks for the directory's time of change, reads the values of all files, and
 * lists nothing. Files stay open in between; those that are removed are closed at the next refresh.
 * One thread at a time.
 */
final class ForeignDirectory implements AutoCloseable {
  private static final String SCHEMA_NAME = "metrics.json";

  /** Coarser than any file system's clock: within it, a second change may not show. */
  private static final long CLOCK_GRAIN_MILLIS = 2000;

  /** Enough to look into, short enough for a line of a log. */
  private static final int MAX_NAMES = 10;

  private final Path path;
  private final ForeignClient client;
  private final Path schemaPath;
  private final boolean schemaIsWanted;
  private final ForeignBounds bounds;
  private final ForeignView view;
  private final Problems problems;
  private final Window window = new Window();
  private final Map<String, ForeignFile> files = new HashMap<>();
  private final List<ForeignFile> inOrder = new ArrayList<>();
  private final List<ForeignFile> changed = new ArrayList<>();
  private final Set<String> told = new HashSet<>();
  private Schema schema = Schema.NONE;
  private @Nullable FileTime schemaAt;
  private @Nullable FileTime listedAt;

  ForeignDirectory(Path path, ForeignOptions options, ForeignView view) {
    this.path = path;
    this.client = options.client();
    Path wanted = options.schema();
    this.schemaIsWanted = wanted != null;
    this.schemaPath = wanted == null ? path.resolve(SCHEMA_NAME) : wanted;
    this.bounds = options.bounds();
    this.view = view;
    this.problems = options.problems();
  }

  /**
   * Reads the schema for the first time.
   *
   * @throws IOException if it is there and is none, or is asked for and is not there
   */
  void readSchema() throws IOException {
    try {
      FileTime at = Files.getLastModifiedTime(schemaPath);
      schema = Schema.read(schemaPath);
      schemaAt = at;
    } catch (NoSuchFileException e) {
      if (schemaIsWanted) {
        throw new IOException(schemaPath + ": expected a schema file, found none", e);
      }
    }
  }

  /** Brings the view up to date. */
  void refresh() throws IOException {
    FileTime modified;
    try {
      modified = Files.getLastModifiedTime(path);
    } catch (NoSuchFileException e) {
      drop(List.copyOf(files.values()));
      listedAt = null;
      view.settle();
      throw e;
    }
    if (schemaAt != null || schemaIsWanted || !modified.equals(listedAt)) {
      refreshSchema();
    }
    if (!modified.equals(listedAt)) {
      long now = System.currentTimeMillis();
      boolean exact = Math.abs(now - modified.toMillis()) > CLOCK_GRAIN_MILLIS;
      list();
      listedAt = exact ? modified : null;
    }
    changed.clear();
    boolean damaged = false;
    for (int i = 0; i < inOrder.size(); i++) {
      ForeignFile file = inOrder.get(i);
      if (read(file)) {
        changed.add(file);
      }
      damaged |= file.damage() != null;
    }
    if (!changed.isEmpty()) {
      readAgain(changed);
      damaged = true;
    }
    if (damaged) {
      tellDamage();
    }
    view.settle();
  }

  int fileCount() {
    return inOrder.size();
  }

  int damagedFileCount() {
    int count = 0;
    for (int i = 0; i < inOrder.size(); i++) {
      count += inOrder.get(i).damage() == null ? 0 : 1;
    }
    return count;
  }

  private void readAgain(Collection<ForeignFile> again) {
    view.forget(again);
    for (ForeignFile file : again) {
      file.clear();
    }
    for (ForeignFile file : again) {
      read(file);
    }
  }

  /** Reads a file; {@code true} where it is another one than before. */
  private boolean read(ForeignFile file) {
    try {
      boolean another = file.read(window, view) == ForeignFile.Result.CHANGED;
      if (file.tellsOverBound()) {
        problems
            .kind(ForeignProblems.FILE_REFUSED)
            .add(
                1,
                () ->
                    file.name()
                        + ": expected at most "
                        + bounds.maxFileBytes()
                        + " bytes in use, found more; the rest is left out; raise the bound");
      }
      return another;
    } catch (IOException e) {
      // An interrupted thread's channel is closed, for one; the next refresh opens the file again.
      listedAt = null;
      problems
          .kind(ForeignProblems.FILE_UNREADABLE)
          .add(1, () -> file.name() + ": its values stay as last read: " + e);
      return false;
    }
  }

  private void tellDamage() {
    int found = 0;
    for (int i = 0; i < inOrder.size(); i++) {
      if (inOrder.get(i).tellsDamage()) {
        found++;
      }
    }
    if (found > 0) {
      problems.kind(ForeignProblems.FILE_DAMAGED).add(found, this::damageText);
    }
  }

  /** All damaged files, so that one that was found while the log was quiet is named as well. */
  private String damageText() {
    StringBuilder text = new StringBuilder();
    int found = 0;
    for (ForeignFile file : inOrder) {
      Damage damage = file.damage();
      if (damage != null && found++ < MAX_NAMES) {
        text.append(file.name())
            .append(": ")
            .append(damage.text())
            .append(" at byte ")
            .append(file.damagedAt())
            .append("; ");
      }
    }
    if (found > MAX_NAMES) {
      text.append("and ").append(found - MAX_NAMES).append(" more files; ");
    }
    return text.append("what stands before is read, the rest is left out").toString();
  }

  private void refreshSchema() {
    FileTime at = null;
    try {
      at = Files.getLastModifiedTime(schemaPath);
      if (at.equals(schemaAt)) {
        return;
      }
      schema = Schema.read(schemaPath);
    } catch (NoSuchFileException e) {
      if (schemaAt == null) {
        return;
      }
      schema = Schema.NONE;
    } catch (IOException e) {
      problems
          .kind(ForeignProblems.SCHEMA_UNREADABLE)
          .add(1, () -> "what the schema said before holds on: " + e.getMessage());
      schemaAt = at;
      return;
    }
    schemaAt = at;
    // What every key means may have changed.
    drop(List.copyOf(files.values()));
    listedAt = null;
  }

  private void list() throws IOException {
    List<String> names = names();
    Set<String> present = new HashSet<>(names);
    List<ForeignFile> gone = new ArrayList<>();
    for (ForeignFile file : files.values()) {
      if (!present.contains(file.name()) || !file.isOpen() || !isStill(file)) {
        gone.add(file);
      }
    }
    drop(gone);
    told.retainAll(present);
    if (!gone.isEmpty()) {
      readWhatWasLeftOut();
    }
    int over = 0;
    for (String name : names) {
      if (!files.containsKey(name)) {
        if (files.size() < bounds.maxFiles()) {
          open(name);
        } else {
          over++;
        }
      }
    }
    if (over > 0) {
      tellOver(over);
    }
  }

  /** Samples that were left out for others that have gone now may have their place. */
  private void readWhatWasLeftOut() {
    List<ForeignFile> again = new ArrayList<>();
    for (ForeignFile file : inOrder) {
      if (file.hasLeftOut()) {
        again.add(file);
      }
    }
    view.forget(again);
    for (ForeignFile file : again) {
      file.clear();
    }
  }

  private void tellOver(int over) {
    problems
        .kind(ForeignProblems.FILE_REFUSED)
        .add(
            over,
            () ->
                path
                    + ": expected at most "
                    + bounds.maxFiles()
                    + " files, found "
                    + over
                    + " more, which are not read; remove those of dead processes or raise the"
                    + " bound");
  }

  private List<String> names() throws IOException {
    List<String> names = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(path)) {
      for (Path entry : entries) {
        String name = entry.getFileName().toString();
        if (FileNames.isOf(client, name)) {
          names.add(name);
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    names.sort(null);
    return names;
  }

  private boolean isStill(ForeignFile file) {
    try {
      return key(path.resolve(file.name())).equals(file.fileKey());
    } catch (IOException e) {
      return false;
    }
  }

  /** Tells a file from another one that has its name now, where the system can. */
  private static Object key(Path file) throws IOException {
    BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
    Object key = attributes.fileKey();
    return key == null ? attributes.creationTime() : key;
  }

  private void open(String name) {
    Meaning meaning = FileNames.meaning(client, name, schema);
    if (meaning == null) {
      if (told.add(name)) {
        problems
            .kind(ForeignProblems.FILE_REFUSED)
            .add(
                1,
                () ->
                    name
                        + ": expected a name such as counter_1.db or gauge_max_1.db, found an"
                        + " unknown type; it is not read");
      }
      return;
    }
    Path file = path.resolve(name);
    try {
      // In this order: a file that is replaced in between is then found out at the next listing.
      Object key = key(file);
      if (!Files.isRegularFile(file)) {
        return;
      }
      FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
      ForeignFile opened = new ForeignFile(name, key, channel, meaning, bounds);
      files.put(name, opened);
      inOrder.add(opened);
      view.add(opened);
      told.remove(name);
    } catch (NoSuchFileException e) {
      // It went between the listing and here.
    } catch (IOException e) {
      if (told.add(name)) {
        problems
            .kind(ForeignProblems.FILE_UNREADABLE)
            .add(1, () -> name + ": it is not read until it can be opened: " + e);
      }
    }
  }

  private void drop(Collection<ForeignFile> gone) {
    if (gone.isEmpty()) {
      return;
    }
    view.remove(gone);
    for (ForeignFile file : gone) {
      file.close();
      files.remove(file.name());
    }
    inOrder.removeAll(new HashSet<>(gone));
  }

  @Override
  public void close() {
    files.values().forEach(ForeignFile::close);
    files.clear();
    inOrder.clear();
  }
}

package dev.millrace.store.file;

import dev.millrace.model.Problems;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a view in step with a directory.
 *
 * <p><b>No counter falls while processes are retired.</b> A file is removed only after a totals
 * file that holds its values has taken the old one's place. The reader notes which totals file is
 * there, lists and opens the others, and looks at the totals file again: if it is still the same
 * one, then no file that it does not hold was missed. What it has open it keeps reading until it
 * has the totals that hold it, removed or not.
 *
 * <p>A warm refresh asks for the directory's time of change, reads the lengths and cells of the
 * living, and lists nothing. One thread at a time.
 */
final class DirectoryReader implements AutoCloseable {
  /** So often in a row is the totals file replaced only by a fault; the old view serves on. */
  private static final int ATTEMPTS = 100;

  /**
   * New files that are open at one time. Those of the dead are closed when they have been read, so
   * thousands of them need no more descriptors than this.
   */
  private static final int FILES_A_PASS = 256;

  /** Coarser than any file system's clock: within it, a second change may not show. */
  private static final long CLOCK_GRAIN_MILLIS = 2000;

  private static final FileHeader.Result NO_REGULAR_FILE =
      new FileHeader.Result(
          null, FileHeader.Outcome.REFUSED, "expected a regular file, found something else");

  private final StoreDirectory directory;
  private final MergedView view;
  private final Problems problems;
  private final int maxFiles;
  private final ByteBuffer scratch = FileBytes.newScratch();
  private final Map<InstanceId, Entry> entries = new HashMap<>();
  private final Set<String> told = new HashSet<>();
  private final Set<String> toldUnreadable = new HashSet<>();
  private boolean missedSome;
  private boolean leftSome;
  private @Nullable Image totals;
  private @Nullable FileTime listedAt;

  private record Entry(Image image, ProcessLock.Probe probe) {
    void close() {
      probe.close();
      image.close();
    }
  }

  /** A file that was opened but is not in the view yet. */
  private record Opened(InstanceId instance, Image image) {}

  DirectoryReader(StoreDirectory directory, MergedView view, Problems problems, int maxFiles) {
    this.directory = directory;
    this.view = view;
    this.problems = problems;
    this.maxFiles = maxFiles;
  }

  /** Brings the view up to date. */
  void refresh() throws IOException {
    FileTime changed = Files.getLastModifiedTime(directory.path());
    if (!changed.equals(listedAt)) {
      long now = System.currentTimeMillis();
      boolean exact = Math.abs(now - changed.toMillis()) > CLOCK_GRAIN_MILLIS;
      listedAt = list() && exact && !missedSome ? changed : null;
    }
    for (Entry entry : entries.values()) {
      markIfDead(entry);
      view.read(entry.image);
    }
    view.settle();
  }

  private void markIfDead(Entry entry) {
    if (entry.image.isLive() && !isAlive(entry)) {
      entry.image.markDead();
      entry.probe.close();
    }
  }

  private boolean isAlive(Entry entry) {
    try {
      return entry.probe.isAlive();
    } catch (IOException e) {
      problems
          .kind(StoreProblems.FILE_UNREADABLE)
          .add(1, () -> entry.image.fileName() + ": taken for alive, its lock is unreadable: " + e);
      return true;
    }
  }

  private boolean list() throws IOException {
    Set<InstanceId> inTotals = new HashSet<>();
    for (int left = ATTEMPTS; left > 0; left--) {
      Image newTotals = openTotals();
      List<Opened> opened = new ArrayList<>();
      Set<InstanceId> present = new HashSet<>();
      boolean complete = openNew(opened, present, inTotals);
      if (complete && isStillThere(newTotals)) {
        inTotals.addAll(commit(newTotals, opened, present));
        if (!leftSome) {
          return true;
        }
        left = ATTEMPTS;
        continue;
      }
      if (newTotals != null && newTotals != totals) {
        newTotals.close();
      }
      opened.forEach(one -> one.image.close());
    }
    return false;
  }

  /** The totals image of now: the one in the view where it is still the same file. */
  private @Nullable Image openTotals() throws IOException {
    Path path = directory.totals();
    if (StoreDirectory.isSomethingElse(path)) {
      tell(path, NO_REGULAR_FILE);
      return null;
    }
    FileBytes bytes;
    try {
      bytes = FileBytes.open(path, scratch);
    } catch (NoSuchFileException e) {
      return null;
    }
    FileHeader.Result result = FileHeader.read(bytes);
    FileHeader header = result.header();
    if (header == null) {
      bytes.close();
      tell(path, result);
      return null;
    }
    Image current = totals;
    if (current != null && current.header().equals(header)) {
      bytes.close();
      return current;
    }
    return new Image(bytes, header, "", path.getFileName().toString());
  }

  private boolean isStillThere(@Nullable Image expected) throws IOException {
    Image now = openTotals();
    if (now != null && now != totals) {
      now.close();
    }
    return Objects.equals(
        now == null ? null : now.header(), expected == null ? null : expected.header());
  }

  /** Opens what is not in the view; {@code false} where a file went meanwhile. */
  private boolean openNew(List<Opened> opened, Set<InstanceId> present, Set<InstanceId> inTotals)
      throws IOException {
    List<StoreDirectory.DataFile> files = directory.dataFiles();
    int over = 0;
    missedSome = false;
    leftSome = false;
    for (StoreDirectory.DataFile file : files) {
      InstanceId instance = file.instance();
      if (instance != null && inTotals.contains(instance)) {
        // Retired, and not removed yet.
        continue;
      }
      if (instance != null && entries.containsKey(instance)) {
        present.add(instance);
      } else if (present.size() >= maxFiles) {
        over++;
      } else if (opened.size() == FILES_A_PASS) {
        leftSome = true;
      } else if (!told.contains(file.path().getFileName().toString())) {
        try {
          Image image = open(file);
          if (image != null) {
            opened.add(new Opened(image.header().instance(), image));
            present.add(image.header().instance());
          }
        } catch (NoSuchFileException e) {
          return false;
        } catch (IOException e) {
          missedSome = true;
          tellUnreadable(file.path(), e);
        }
      }
    }
    if (over > 0 && !leftSome) {
      int left = over;
      problems
          .kind(StoreProblems.FILES_OVER_BOUND)
          .add(
              over,
              () ->
                  directory.path()
                      + ": expected at most "
                      + maxFiles
                      + " files, found "
                      + files.size()
                      + "; "
                      + left
                      + " are not read; retire the dead ones or raise the bound");
    }
    return true;
  }

  private @Nullable Image open(StoreDirectory.DataFile file) throws IOException {
    FileBytes bytes = FileBytes.open(file.path(), scratch);
    FileHeader.Result result = FileHeader.read(bytes);
    FileHeader header = result.header();
    if (header == null) {
      bytes.close();
      tell(file.path(), result);
      return null;
    }
    if (header.role() != FileLayout.ROLE_PROCESS || !header.instance().equals(file.instance())) {
      bytes.close();
      tell(
          file.path(),
          new FileHeader.Result(
              null,
              FileHeader.Outcome.REFUSED,
              "expected the file of the instance in its name, found that of "
                  + header.instance()
                  + "; remove the copy"));
      return null;
    }
    return new Image(bytes, header, file.processName(), file.path().getFileName().toString());
  }

  /** Takes over what was opened, and gives the instances that count through the totals. */
  private Set<InstanceId> commit(
      @Nullable Image newTotals, List<Opened> opened, Set<InstanceId> present) {
    List<Image> gone = new ArrayList<>();
    Image oldTotals = totals;
    if (newTotals != oldTotals) {
      if (newTotals != null) {
        view.add(newTotals);
        view.read(newTotals);
      }
      if (oldTotals != null) {
        gone.add(oldTotals);
      }
      totals = newTotals;
    }
    Set<InstanceId> retired = newTotals == null ? Set.of() : new HashSet<>(newTotals.retired());
    Iterator<Map.Entry<InstanceId, Entry>> known = entries.entrySet().iterator();
    while (known.hasNext()) {
      Map.Entry<InstanceId, Entry> entry = known.next();
      if (!present.contains(entry.getKey()) || retired.contains(entry.getKey())) {
        gone.add(entry.getValue().image);
        entry.getValue().probe.close();
        known.remove();
      }
    }
    opened.sort(
        (a, b) ->
            Long.compare(
                a.image.header().startTimeUnixNanos(), b.image.header().startTimeUnixNanos()));
    for (Opened one : opened) {
      if (retired.contains(one.instance)) {
        one.image.close();
      } else {
        view.add(one.image);
        Entry entry =
            new Entry(
                one.image, new ProcessLock.Probe(directory.lockOf(one.instance), one.instance));
        entries.put(one.instance, entry);
        markIfDead(entry);
        // In the order of their start times, so that the first declaration is the same everywhere.
        view.read(one.image);
      }
    }
    view.drop(gone);
    return retired;
  }

  /** Told once; it is tried again at each refresh, since rights change without a trace. */
  private void tellUnreadable(Path path, IOException e) {
    if (toldUnreadable.add(path.getFileName().toString())) {
      problems
          .kind(StoreProblems.FILE_UNREADABLE)
          .add(1, () -> path + ": it is not read until it can be opened: " + e);
    }
  }

  private void tell(Path path, FileHeader.Result result) {
    String name = path.getFileName().toString();
    if (told.add(name)) {
      String kind =
          result.outcome() == FileHeader.Outcome.REFUSED
              ? StoreProblems.FILE_REFUSED
              : StoreProblems.FILE_DAMAGED;
      problems.kind(kind).add(1, () -> path + ": " + result.reason());
    }
  }

  @Override
  public void close() {
    entries.values().forEach(Entry::close);
    entries.clear();
    totals = null;
  }
}

package dev.millrace.export.disk;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/**
 * The files that count in a directory: as of the last look at it, and what its owner has done
 * since. Looking costs a system call for each file, so a look is good for a while; what other
 * processes do meanwhile is seen then. An empty directory is looked at again each time. One thread
 * at a time.
 */
final class HeldFiles {
  private final SpoolDirectory directory;
  private final LongSupplier timeOfDayMillis;
  private final long goodMillis;

  /** By name, which is the order in which they are sent. */
  private final TreeMap<String, SpoolDirectory.Entry> files = new TreeMap<>();

  private long bytes;
  private long lookedMillis;

  /**
   * Those of a directory.
   *
   * @param goodMillis how long a look is good for, in milliseconds; with 0 each use looks
   */
  HeldFiles(SpoolDirectory directory, LongSupplier timeOfDayMillis, long goodMillis) {
    this.directory = directory;
    this.timeOfDayMillis = timeOfDayMillis;
    this.goodMillis = goodMillis;
  }

  /** All of them, oldest first: a view, which changes with them. */
  Collection<SpoolDirectory.Entry> all() throws IOException {
    long now = timeOfDayMillis.getAsLong();
    // The clock can be set back.
    if (files.isEmpty() || Math.abs(now - lookedMillis) >= goodMillis) {
      files.clear();
      bytes = 0;
      for (SpoolDirectory.Entry entry : directory.held()) {
        added(entry);
      }
      lookedMillis = now;
    }
    return files.values();
  }

  /** Those that wait to be sent, oldest first: a copy. */
  List<SpoolDirectory.Entry> waiting() throws IOException {
    List<SpoolDirectory.Entry> waiting = new ArrayList<>(all());
    waiting.removeIf(SpoolDirectory.Entry::aside);
    return waiting;
  }

  /** How many bytes those have that {@link #all} gave. */
  long bytes() {
    return bytes;
  }

  /** The oldest of those that {@link #all} gave, of which there is one. */
  SpoolDirectory.Entry first() {
    return files.values().iterator().next();
  }

  /** The newest of those that {@link #all} gave, of which there is one. */
  SpoolDirectory.Entry last() {
    return files.descendingMap().values().iterator().next();
  }

  /** A file was made. */
  void added(SpoolDirectory.Entry entry) {
    removed(entry.name());
    files.put(entry.name(), entry);
    bytes += entry.sizeBytes();
  }

  /** A file is gone. */
  void removed(String name) {
    SpoolDirectory.Entry entry = files.remove(name);
    if (entry != null) {
      bytes -= entry.sizeBytes();
    }
  }
}

package dev.millrace.export.disk;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.Payload;
import dev.millrace.export.push.Spool;
import dev.millrace.model.Problem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps payloads as files in a bounded directory, each written whole or not at all: under a
 * temporary name, forced to the disk, and renamed. {@link SpoolDirectory} has the names, {@link
 * SpoolFile} the format.
 *
 * <p><b>Guarantees.</b> What {@link #add} said it keeps is there after the process was killed, and
 * after the system crashed. Several processes may share the directory: all of them write, and the
 * one that holds a kernel lock sends; when it ends, however it does, another one takes over. A file
 * can be sent twice where the sender dies between the reply and {@link #remove}. Over the bounds
 * the oldest files go, and are counted; several processes may go over them by what the others add
 * in a second. Files that were set aside count for the bounds like the others. Thread-safe. Nothing
 * throws for what the disk does: it is counted and logged.
 */
public final class DiskQueue implements Spool {
  /** The kind of problem that counts items dropped because the directory was full. */
  public static final String DROPPED = "spool_items_dropped";

  /**
   * The kind of problem that counts items that could not be written to the disk. They are sent
   * directly where the receiver is there, and otherwise counted as lost.
   */
  public static final String FAILED = "spool_items_not_stored";

  /** The kind of problem that counts files which were set aside. */
  public static final String CORRUPT = "spool_file_corrupt";

  /** The kind of problem that counts failures to read the directory or delete from it. */
  public static final String DISK_ERROR = "spool_disk_error";

  /**
   * How long a look at the directory is good for: short beside the pauses of those who send, and
   * with thousands of files a look takes longer than writing one.
   */
  private static final long LOOK_GOOD_MILLIS = 1_000;

  private final DiskQueueOptions options;
  private final SpoolDirectory directory;
  private final HeldFiles held;
  private final ChunkPool pool;
  private final LongSupplier timeOfDayMillis;
  private final Problem dropped;
  private final Problem failed;
  private final Problem corrupt;
  private final Problem diskError;
  private final LongAdder droppedItems = new LongAdder();
  private final long writer = new SecureRandom().nextLong();
  private long number;
  private @Nullable OwnerLock owned;

  /** The files that were sent and could not be deleted; none that is not in the directory. */
  private final Set<String> sent = new HashSet<>();

  private boolean closed;
  private volatile boolean mayHold;

  /**
   * Opens a directory, and makes it if need be.
   *
   * @param pool for payloads that are read back
   * @throws UncheckedIOException if the directory can be neither made nor read
   */
  public static DiskQueue open(DiskQueueOptions options, ChunkPool pool) {
    try {
      return new DiskQueue(
          options,
          new SpoolDirectory(options.directory()),
          pool,
          System::currentTimeMillis,
          LOOK_GOOD_MILLIS);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "expected a directory to keep payloads in, found " + describe(e), e);
    }
  }

  /** A queue that looks at its directory each time. */
  DiskQueue(
      DiskQueueOptions options,
      SpoolDirectory directory,
      ChunkPool pool,
      LongSupplier timeOfDayMillis)
      throws IOException {
    this(options, directory, pool, timeOfDayMillis, 0);
  }

  DiskQueue(
      DiskQueueOptions options,
      SpoolDirectory directory,
      ChunkPool pool,
      LongSupplier timeOfDayMillis,
      long lookGoodMillis)
      throws IOException {
    this.options = options;
    this.directory = directory;
    held = new HeldFiles(directory, timeOfDayMillis, lookGoodMillis);
    this.pool = pool;
    this.timeOfDayMillis = timeOfDayMillis;
    dropped = options.problems().kind(DROPPED);
    failed = options.problems().kind(FAILED);
    corrupt = options.problems().kind(CORRUPT);
    diskError = options.problems().kind(DISK_ERROR);
    mayHold = !held.waiting().isEmpty();
  }

  @Override
  public boolean mayHold() {
    return mayHold;
  }

  @Override
  public boolean add(Payload payload, int items) {
    return store(payload, items, false);
  }

  @Override
  public boolean addFirst(Payload payload, int items) {
    return store(payload, items, true);
  }

  private synchronized boolean store(Payload payload, int items, boolean first) {
    long sizeBytes = SpoolFile.HEADER_BYTES + payload.lengthBytes();
    try {
      if (closed || sizeBytes > options.maxBytes()) {
        throw new IOException(
            "expected an open queue and a payload within its bound of "
                + options.maxBytes()
                + " bytes, found "
                + (closed ? "a closed queue" : sizeBytes + " bytes"));
      }
      Collection<SpoolDirectory.Entry> entries = held.all();
      if (!first) {
        // What goes before all others is the oldest itself: the next one makes room for both.
        makeRoom(entries, sizeBytes);
      }
      String name = SpoolDirectory.name(timeMillis(entries.isEmpty(), first), number++, writer);
      directory.write(name, out -> SpoolFile.write(out, options.contentKind(), payload, items));
      held.added(new SpoolDirectory.Entry(options.directory().resolve(name), sizeBytes, false));
      mayHold = true;
      return true;
    } catch (IOException | RuntimeException e) {
      failed.add(items, () -> "items that could not be stored; " + describe(e));
      return false;
    }
  }

  /** The time in a new file's name: names are in the order in which payloads are sent. */
  private long timeMillis(boolean isAlone, boolean first) {
    long nowMillis = Math.max(0, timeOfDayMillis.getAsLong());
    if (isAlone) {
      return nowMillis;
    }
    if (first) {
      return Math.max(0, Math.min(nowMillis, held.first().timeMillis() - 1));
    }
    // A clock that was set back must not put new payloads before old ones, whose writer may have
    // counted further than this one.
    SpoolDirectory.Entry last = held.last();
    return Math.max(nowMillis, last.timeMillis() + (last.isBy(writer) ? 0 : 1));
  }

  /** How many items were dropped because the directory was full, since the queue was opened. */
  public long droppedItems() {
    return droppedItems.sum();
  }

  private void makeRoom(Collection<SpoolDirectory.Entry> entries, long sizeBytes)
      throws IOException {
    if (hasRoom(held.bytes(), entries.size(), sizeBytes)) {
      return;
    }
    long heldBytes = held.bytes();
    int count = entries.size();
    for (SpoolDirectory.Entry oldest : List.copyOf(entries)) {
      if (hasRoom(heldBytes, count, sizeBytes)) {
        return;
      }
      // What was set aside was counted then. A header is not checked: it claims what it likes.
      boolean counts = !oldest.aside() && !sent.contains(oldest.name());
      long items =
          counts ? Math.min(SpoolFile.items(oldest.file()), Math.max(1, oldest.sizeBytes())) : 0;
      if (directory.delete(oldest.file()) && counts) {
        droppedItems.add(items);
        dropped.add(
            items,
            () ->
                "items dropped, the oldest; expected at most "
                    + options.maxBytes()
                    + " bytes and "
                    + options.maxFiles()
                    + " files in "
                    + options.directory()
                    + ", found more; the receiver is down for long");
      }
      held.removed(oldest.name());
      heldBytes -= oldest.sizeBytes();
      count--;
    }
  }

  private boolean hasRoom(long heldBytes, int count, long sizeBytes) {
    return heldBytes + sizeBytes <= options.maxBytes() && count < options.maxFiles();
  }

  @Override
  public synchronized @Nullable Stored oldest() {
    try {
      List<SpoolDirectory.Entry> entries = held.waiting();
      if (entries.isEmpty() || !own()) {
        mayHold = !entries.isEmpty();
        return null;
      }
      sent.removeIf(name -> entries.stream().noneMatch(entry -> entry.name().equals(name)));
      for (SpoolDirectory.Entry entry : entries) {
        Stored stored = sent.contains(entry.name()) ? deleted(entry) : read(entry);
        if (stored != null) {
          mayHold = true;
          return stored;
        }
      }
      // What is left cannot be read. It is tried again, but nothing need wait behind it.
      mayHold = false;
    } catch (IOException | RuntimeException e) {
      reportDiskError(e);
    }
    return null;
  }

  /** Tries once more to delete what was sent. */
  private @Nullable Stored deleted(SpoolDirectory.Entry entry) {
    delete(entry.name());
    return null;
  }

  /** Reads a file; one that cannot be read is passed over, so that it holds up none. */
  private @Nullable Stored read(SpoolDirectory.Entry entry) {
    try {
      return readOrSetAside(entry);
    } catch (IOException | RuntimeException e) {
      reportDiskError(e);
      return null;
    }
  }

  private @Nullable Stored readOrSetAside(SpoolDirectory.Entry entry) throws IOException {
    try {
      if (entry.sizeBytes() > options.maxBytes()) {
        throw new SpoolFile.CorruptException(
            "expected at most " + options.maxBytes() + " bytes, found " + entry.sizeBytes());
      }
      SpoolFile.Content content = SpoolFile.read(entry.file(), options.contentKind(), pool);
      return new Stored(content.payload(), content.items(), entry.name());
    } catch (NoSuchFileException e) {
      // Another process dropped it to make room.
      held.removed(entry.name());
      return null;
    } catch (SpoolFile.CorruptException e) {
      Path aside = directory.setAside(entry);
      held.removed(entry.name());
      held.added(new SpoolDirectory.Entry(aside, entry.sizeBytes(), true));
      corrupt.add(1, () -> entry.file() + ": " + e.getMessage() + "; set aside as " + aside);
      return null;
    }
  }

  /** Takes the lock if nobody has it. */
  private boolean own() throws IOException {
    if (owned != null) {
      return true;
    }
    if (closed) {
      return false;
    }
    owned = OwnerLock.tryTake(options.directory(), directory);
    if (owned == null) {
      return false;
    }
    directory.deleteAbandoned(timeOfDayMillis.getAsLong());
    return true;
  }

  @Override
  public synchronized void remove(Stored stored) {
    delete(stored.name());
    try {
      mayHold = !held.waiting().isEmpty();
    } catch (IOException | RuntimeException e) {
      reportDiskError(e);
    }
  }

  private void delete(String name) {
    try {
      directory.delete(options.directory().resolve(name));
      held.removed(name);
      sent.remove(name);
    } catch (IOException | RuntimeException e) {
      // Such as on a disk that has become read-only: it must not be sent again and again.
      sent.add(name);
      reportDiskError(e);
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    OwnerLock lock = owned;
    owned = null;
    if (lock != null) {
      try {
        lock.close();
      } catch (IOException e) {
        reportDiskError(e);
      }
    }
  }

  private void reportDiskError(Exception e) {
    diskError.add(1, () -> options.directory() + ": expected a usable disk, found " + describe(e));
  }

  private static String describe(Exception e) {
    // The messages of the file system's exceptions are paths alone.
    return e.getClass().getSimpleName() + ": " + e.getMessage();
  }
}

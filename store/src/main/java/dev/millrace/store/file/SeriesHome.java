package dev.millrace.store.file;

import dev.millrace.model.Labels;
import dev.millrace.model.Problems;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Where the series of one process live: in its file, and in its memory where there is no directory
 * or the disk is full.
 *
 * <p>Thread-safe; adding takes a lock, recording into what was added does not.
 */
public final class SeriesHome implements AutoCloseable {
  /** How long a full disk is left alone: each try writes and takes back zeros. */
  static final long RETRY_NANOS = 10_000_000_000L;

  private static final long NANOS_A_MILLI = 1_000_000L;

  /** One writer, with the numbers of the declarations that it has. */
  private static final class Place {
    final StoreWriter writer;
    final Map<Declaration, Integer> numbers = new HashMap<>();

    Place(StoreWriter writer) {
      this.writer = writer;
    }

    Cells add(Declaration declaration, Labels labels, long created, Shape shape)
        throws IOException {
      Integer number = numbers.get(declaration);
      if (number == null) {
        number = writer.declare(declaration);
        numbers.put(declaration, number);
      }
      return writer.addSeries(number, declaration, labels, created, shape, null);
    }
  }

  private final Problems problems;
  private final LongSupplier unixMillis;
  private final int maxSeries;
  private final MemorySpace memory = new MemorySpace();
  private final Place inMemory;
  private @Nullable ProcessFile file;
  private @Nullable Place onDisk;
  private long diskRetryNanos = System.nanoTime();
  private boolean toldGone;
  private volatile int seriesCount;
  private ByteBuffer scrap = ByteBuffer.allocateDirect(64).order(ByteOrder.LITTLE_ENDIAN);

  /**
   * A home in memory.
   *
   * @param maxSeries past it new series are refused
   * @param unixMillis the wall clock
   */
  public SeriesHome(Problems problems, LongSupplier unixMillis, int maxSeries) {
    this.problems = problems;
    this.unixMillis = unixMillis;
    this.maxSeries = maxSeries;
    try {
      inMemory =
          new Place(
              new StoreWriter(
                  memory,
                  new FileHeader(
                      InstanceId.random(),
                      ProcessHandle.current().pid(),
                      nowUnixNanos(),
                      FileLayout.ROLE_PROCESS)));
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /**
   * Moves into a file; series that come from here on live there.
   *
   * @param maxDirectoryBytes past it new series are refused
   * @param maxFiles with so many files in the directory, no other is made
   * @return whether there was space; where not, that is counted
   * @throws IOException if the file cannot be made for another reason
   */
  public synchronized boolean moveInto(
      StoreDirectory directory, String processName, long maxDirectoryBytes, int maxFiles)
      throws IOException {
    if (!hasRoomForFile(directory, maxFiles)) {
      return false;
    }
    try {
      ProcessFile made =
          ProcessFile.create(
              directory,
              processName,
              nowUnixNanos(),
              new DirectoryBound(directory, maxDirectoryBytes));
      file = made;
      onDisk = new Place(made.writer());
      return true;
    } catch (FileSpace.DirectoryFullException e) {
      problems
          .kind(StoreProblems.SERIES_REFUSED)
          .add(
              1,
              () ->
                  directory.path()
                      + ": expected at most "
                      + maxDirectoryBytes
                      + " bytes, found more; this process's values stay in its memory");
      return false;
    } catch (IOException e) {
      if (java.nio.file.Files.getFileStore(directory.path()).getUsableSpace()
          >= 4L * FileLayout.HEADER_BYTES) {
        throw e;
      }
      tellDiskFull(e);
      return false;
    }
  }

  private boolean hasRoomForFile(StoreDirectory directory, int maxFiles) throws IOException {
    if (directory.dataFiles().size() >= maxFiles) {
      new Retirement(directory, problems).run((done, left) -> {});
      if (directory.dataFiles().size() >= maxFiles) {
        problems
            .kind(StoreProblems.FILES_OVER_BOUND)
            .add(
                1,
                () ->
                    directory.path()
                        + ": expected fewer than "
                        + maxFiles
                        + " files of living processes, found as many; this process's values stay"
                        + " in its memory; raise the bound or start fewer processes");
        return false;
      }
    }
    return true;
  }

  /** The value of the label {@code pid}; empty without a file. */
  public synchronized String processName() {
    ProcessFile made = file;
    return made == null ? "" : made.processName();
  }

  /** Tells once where somebody has removed the file under a living process. */
  public synchronized void tellIfGone() {
    ProcessFile made = file;
    if (made != null && !toldGone && !StoreDirectory.isFile(made.path())) {
      toldGone = true;
      problems
          .kind(StoreProblems.FILE_GONE)
          .add(
              1,
              () ->
                  made.path()
                      + ": expected the file of this process, found it removed; what is recorded"
                      + " counts no longer; restart the process, and leave the files of living ones"
                      + " alone");
    }
  }

  /** How many series there are. */
  public int seriesCount() {
    return seriesCount;
  }

  /** Whether another series would be refused for their number alone. */
  public boolean isFull() {
    return seriesCount >= maxSeries;
  }

  /** The wall clock, in milliseconds since the Unix epoch. */
  public long unixMillis() {
    return unixMillis.getAsLong();
  }

  private long nowUnixNanos() {
    return unixMillis.getAsLong() * NANOS_A_MILLI;
  }

  /**
   * Adds a series.
   *
   * @return its cells, or {@code null} where a bound refuses it, which is counted
   */
  public synchronized @Nullable Cells add(Declaration declaration, Labels labels, Shape shape) {
    if (isFull()) {
      refuse(declaration, "more than " + maxSeries + " series in this process");
      return null;
    }
    Cells cells = place(declaration, labels, shape, false);
    if (cells != null) {
      seriesCount++;
    }
    return cells;
  }

  /** Adds wider cells to a series that is there already; no bound refuses these. */
  public synchronized @Nullable Cells widen(Declaration declaration, Labels labels, Shape shape) {
    return place(declaration, labels, shape, true);
  }

  private @Nullable Cells place(
      Declaration declaration, Labels labels, Shape shape, boolean anywhere) {
    long created = nowUnixNanos();
    Place disk = onDisk;
    if (disk != null && System.nanoTime() - diskRetryNanos >= 0) {
      try {
        return disk.add(declaration, labels, created, shape);
      } catch (FileSpace.DirectoryFullException e) {
        if (!anywhere) {
          refuse(declaration, "the directory has reached its bound");
          return null;
        }
      } catch (IOException e) {
        diskRetryNanos = System.nanoTime() + RETRY_NANOS;
        tellDiskFull(e);
      }
    } else if (disk != null) {
      tellDiskFull(null);
    }
    try {
      return inMemory.add(declaration, labels, created, shape);
    } catch (IOException e) {
      refuse(declaration, String.valueOf(e.getMessage()));
      return null;
    }
  }

  private void tellDiskFull(@Nullable IOException reason) {
    problems
        .kind(StoreProblems.DISK_FULL)
        .add(
            1,
            () ->
                "expected space for new series, found none"
                    + (reason == null ? "" : " (" + reason.getMessage() + ")")
                    + "; they live in this process's memory and other processes do not see them;"
                    + " free space on the disk and restart");
  }

  private void refuse(Declaration declaration, String reason) {
    problems
        .kind(StoreProblems.SERIES_REFUSED)
        .add(
            1,
            () ->
                "metric "
                    + declaration.name()
                    + ": a new series was refused: "
                    + reason
                    + "; those that exist go on; use fewer label values or raise the bound");
  }

  /** Cells that nobody reads, for the series that were refused. All share the same memory. */
  public synchronized Cells scrap(Declaration declaration) {
    int cells = CellLayout.cells(declaration, Shape.NONE);
    int slots = CellLayout.exemplarSlots(declaration);
    int lengthBytes = (cells + slots * CellLayout.EXEMPLAR_CELLS) * Long.BYTES;
    if (scrap.capacity() < lengthBytes) {
      scrap = ByteBuffer.allocateDirect(lengthBytes).order(ByteOrder.LITTLE_ENDIAN);
    }
    return new Cells(scrap, 0, cells, slots);
  }

  /** What a reader in this process reads beside the directory. */
  MemorySpace memory() {
    return memory;
  }

  /** Lets go of the file: for the directory, the process is dead from here on. */
  @Override
  public synchronized void close() throws IOException {
    ProcessFile made = file;
    file = null;
    onDisk = null;
    if (made != null) {
      made.close();
    }
  }
}

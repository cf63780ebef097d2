package dev.millrace.store.file;

import dev.millrace.model.EncodedLabelsBudget;
import dev.millrace.model.Problems;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Folds the files of dead processes into the directory's totals file.
 *
 * <p><b>Steps.</b> (1) Remove what an earlier run folded and did not get to remove. (2) Read the
 * totals file and a number of dead files. (3) Write their sum, with the ids of these instances, as
 * a new file under another name. (4) Bring it to the disk. (5) Rename it over the totals file. (6)
 * Remove the dead files. A crash before (5) changes nothing; one after it leaves files whose ids
 * stand in the totals file, which no reader counts, and which the next run removes. So each process
 * counts exactly once, whenever it happens.
 *
 * <p>One run at a time in a directory ({@link DirectoryLock}). It never touches a file of a living
 * process, nor one that it does not understand.
 */
public final class Retirement {
  /** Files folded in one round: bounds the memory, and how long nothing is to be seen. */
  private static final int FILES_A_ROUND = 512;

  /** Damaged files that are kept for a person to look at. */
  private static final int MAX_DAMAGED_KEPT = 16;

  /** Points between the steps, at which a test stops a run. */
  enum Step {
    READ,
    WRITTEN,
    FORCED,
    RENAMED,
    REMOVED_ONE
  }

  /** Sees each step. */
  interface Steps {
    void reached(Step step) throws IOException;
  }

  /** Hears how far a run has come. */
  public interface Progress {
    /** Called after each round with the number of files folded so far and of those still there. */
    void folded(int done, int left);
  }

  /**
   * What a run did.
   *
   * @param busy whether somebody else was at it, so that nothing was done
   * @param folded how many processes were folded
   */
  public record Result(boolean busy, int folded) {}

  private final StoreDirectory directory;
  private final Problems problems;
  private final Steps steps;

  /** A retirement in a directory. */
  public Retirement(StoreDirectory directory, Problems problems) {
    this(directory, problems, step -> {});
  }

  Retirement(StoreDirectory directory, Problems problems, Steps steps) {
    this.directory = directory;
    this.problems = problems;
    this.steps = steps;
  }

  /** Folds all that are dead, unless somebody else is at it. */
  public Result run(Progress progress) throws IOException {
    try (DirectoryLock lock = DirectoryLock.tryRetire(directory)) {
      if (lock == null) {
        return new Result(true, 0);
      }
      removeLeftovers();
      List<StoreDirectory.DataFile> dead = dead();
      int done = 0;
      for (int from = 0; from < dead.size(); from += FILES_A_ROUND) {
        int to = Math.min(dead.size(), from + FILES_A_ROUND);
        done += fold(dead.subList(from, to));
        progress.folded(done, dead.size() - to);
      }
      return new Result(false, done);
    }
  }

  private List<StoreDirectory.DataFile> dead() throws IOException {
    List<StoreDirectory.DataFile> dead = new ArrayList<>();
    for (StoreDirectory.DataFile file : directory.dataFiles()) {
      InstanceId instance = file.instance();
      if (instance != null && !isAlive(instance)) {
        dead.add(file);
      }
    }
    return dead;
  }

  private boolean isAlive(InstanceId instance) throws IOException {
    try (ProcessLock.Probe probe = new ProcessLock.Probe(directory.lockOf(instance), instance)) {
      return probe.isAlive();
    } catch (NoSuchFileException e) {
      return false;
    } catch (IOException e) {
      leave(directory.lockOf(instance), e);
      return true;
    }
  }

  /** Folds some files; the rename is the moment at which they count through the totals. */
  private int fold(List<StoreDirectory.DataFile> files) throws IOException {
    EncodedLabelsBudget none = new EncodedLabelsBudget(0);
    MergedView view = new MergedView(none, problems);
    ByteBuffer scratch = FileBytes.newScratch();
    Set<Path> damaged = new HashSet<>();
    Map<InstanceId, Path> folded = new HashMap<>();
    Set<InstanceId> ids = new LinkedHashSet<>();
    try {
      Image totals = openTotals(scratch);
      if (totals != null) {
        view.add(totals);
        if (!view.read(totals)) {
          throw new IOException(directory.totals() + ": expected to read it, found a fault");
        }
        if (totals.isDamaged()) {
          keepDamagedTotals();
        }
        ids.addAll(totals.retired());
        ids.retainAll(present());
      }
      List<Image> images = openAll(files, scratch, damaged);
      for (Image image : images) {
        image.markDead();
        view.add(image);
        if (!view.read(image)) {
          // Folded now, what could not be read would be lost for ever.
          view.drop(List.of(image));
          continue;
        }
        Path path = directory.path().resolve(image.fileName());
        if (image.isDamaged()) {
          damaged.add(path);
        }
        folded.put(image.header().instance(), path);
      }
      ids.addAll(folded.keySet());
      steps.reached(Step.READ);
      if (!folded.isEmpty()) {
        replaceTotals(view, ids);
      }
    } finally {
      view.close();
    }
    for (StoreDirectory.DataFile file : files) {
      InstanceId instance = file.instance();
      if (instance != null && (folded.containsKey(instance) || damaged.contains(file.path()))) {
        remove(file.path(), instance, damaged.contains(file.path()));
        steps.reached(Step.REMOVED_ONE);
      }
    }
    return folded.size();
  }

  /** The instances whose files are still there. */
  private Set<InstanceId> present() throws IOException {
    Set<InstanceId> present = new HashSet<>();
    for (StoreDirectory.DataFile file : directory.dataFiles()) {
      InstanceId instance = file.instance();
      if (instance != null) {
        present.add(instance);
      }
    }
    return present;
  }

  private @Nullable Image openTotals(ByteBuffer scratch) throws IOException {
    if (StoreDirectory.isSomethingElse(directory.totals())) {
      throw new IOException(
          directory.totals() + ": expected a regular file, found something else; remove it");
    }
    FileBytes bytes;
    try {
      bytes = FileBytes.open(directory.totals(), scratch);
    } catch (NoSuchFileException e) {
      return null;
    }
    FileHeader.Result result = FileHeader.read(bytes);
    FileHeader header = result.header();
    if (header != null) {
      return new Image(bytes, header, "", StoreDirectory.TOTALS_NAME);
    }
    bytes.close();
    if (result.outcome() == FileHeader.Outcome.REFUSED) {
      throw new IOException(directory.totals() + ": " + result.reason());
    }
    problems
        .kind(StoreProblems.FILE_DAMAGED)
        .add(1, () -> directory.totals() + ": " + result.reason() + "; set aside");
    setAside(directory.totals());
    return null;
  }

  private List<Image> openAll(
      List<StoreDirectory.DataFile> files, ByteBuffer scratch, Set<Path> damaged) {
    List<Image> images = new ArrayList<>();
    for (StoreDirectory.DataFile file : files) {
      FileBytes bytes;
      FileHeader.Result result;
      try {
        bytes = FileBytes.open(file.path(), scratch);
      } catch (IOException e) {
        leave(file.path(), e);
        continue;
      }
      try {
        result = FileHeader.read(bytes);
      } catch (IOException e) {
        bytes.close();
        leave(file.path(), e);
        continue;
      }
      FileHeader header = result.header();
      if (header == null) {
        bytes.close();
        if (result.outcome() != FileHeader.Outcome.REFUSED) {
          damaged.add(file.path());
        }
      } else if (header.role() == FileLayout.ROLE_PROCESS
          && header.instance().equals(file.instance())) {
        images.add(
            new Image(bytes, header, file.processName(), file.path().getFileName().toString()));
      } else {
        bytes.close();
      }
    }
    images.sort(
        (a, b) -> Long.compare(a.header().startTimeUnixNanos(), b.header().startTimeUnixNanos()));
    return images;
  }

  /** One file that cannot be read does not keep the others from being folded. */
  private void leave(Path file, IOException e) {
    problems
        .kind(StoreProblems.FILE_UNREADABLE)
        .add(1, () -> file + ": it is not retired until it can be read: " + e);
  }

  private void replaceTotals(MergedView view, Set<InstanceId> ids) throws IOException {
    InstanceId instance = InstanceId.random();
    Path unfinished = directory.unfinished("totals", instance);
    try {
      try (FileSpace space = FileSpace.create(unfinished, bytes -> true)) {
        writeTotals(view, ids, instance, space);
        steps.reached(Step.WRITTEN);
        space.force();
      }
      steps.reached(Step.FORCED);
      Files.move(
          unfinished,
          directory.totals(),
          StandardCopyOption.ATOMIC_MOVE,
          StandardCopyOption.REPLACE_EXISTING);
      directory.force();
    } catch (IOException e) {
      Files.deleteIfExists(unfinished);
      throw e;
    }
    steps.reached(Step.RENAMED);
  }

  private static void writeTotals(
      MergedView view, Set<InstanceId> ids, InstanceId instance, FileSpace space)
      throws IOException {
    StoreWriter writer =
        new StoreWriter(
            space,
            new FileHeader(
                instance,
                ProcessHandle.current().pid(),
                System.currentTimeMillis() * 1_000_000L,
                FileLayout.ROLE_TOTALS));
    // First, so that they are still there where the end of the file is not.
    writer.addRetired(ids);
    PointMerger point = new PointMerger(view);
    for (MergedMetric metric : view.metrics()) {
      Declaration declaration = metric.declaration().withoutExemplars();
      int number = -1;
      for (MergedSeries series : metric.series()) {
        if (point.merge(declaration, series)) {
          if (number < 0) {
            number = writer.declare(declaration);
          }
          writer.addSeries(
              number,
              declaration,
              series.labels(),
              series.createdUnixNanos(),
              declaration.kind() == InstrumentKind.EXPONENTIAL_HISTOGRAM
                  ? point.shape()
                  : Shape.NONE,
              point.cells());
        }
      }
    }
  }

  /** Removes a dead process's file, and its lock last, so that it never passes for a new one. */
  private void remove(Path data, InstanceId instance, boolean damaged) throws IOException {
    if (damaged) {
      setAside(data);
    } else {
      Files.deleteIfExists(data);
    }
    Files.deleteIfExists(directory.lockOf(instance));
  }

  private void setAside(Path file) throws IOException {
    if (directory.files(StoreDirectory.DAMAGED_SUFFIX).size() >= MAX_DAMAGED_KEPT) {
      Files.deleteIfExists(file);
      return;
    }
    Path to = file.resolveSibling(file.getFileName() + StoreDirectory.DAMAGED_SUFFIX);
    Files.move(file, to, StandardCopyOption.REPLACE_EXISTING);
  }

  /** A second name for the damaged totals file: the first must not be missing for a moment. */
  private void keepDamagedTotals() throws IOException {
    Path to = directory.path().resolve(StoreDirectory.TOTALS_NAME + StoreDirectory.DAMAGED_SUFFIX);
    try {
      Files.deleteIfExists(to);
      Files.createLink(to, directory.totals());
    } catch (UnsupportedOperationException e) {
      Files.copy(directory.totals(), to, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /** Removes what runs and processes that died halfway left behind. */
  private void removeLeftovers() throws IOException {
    Set<InstanceId> retired = retired();
    Set<InstanceId> present = new HashSet<>();
    for (StoreDirectory.DataFile file : directory.dataFiles()) {
      InstanceId instance = file.instance();
      if (instance != null) {
        if (retired.contains(instance)) {
          remove(file.path(), instance, false);
        } else {
          present.add(instance);
        }
      }
    }
    for (Path file : directory.files(StoreDirectory.NEW_SUFFIX)) {
      InstanceId instance = StoreDirectory.instanceIn(file, StoreDirectory.NEW_SUFFIX);
      if (instance != null && !isAlive(instance)) {
        Files.deleteIfExists(file);
      }
    }
    for (Path file : directory.files(StoreDirectory.LOCK_SUFFIX)) {
      InstanceId instance = StoreDirectory.instanceIn(file, StoreDirectory.LOCK_SUFFIX);
      if (instance != null && !present.contains(instance)) {
        removeLock(file, instance);
      }
    }
  }

  private Set<InstanceId> retired() throws IOException {
    ByteBuffer scratch = FileBytes.newScratch();
    MergedView view = new MergedView(new EncodedLabelsBudget(0), new Problems(() -> 0, line -> {}));
    try {
      Image totals = openTotals(scratch);
      if (totals == null) {
        return Set.of();
      }
      view.add(totals);
      if (!view.read(totals)) {
        throw new IOException(directory.totals() + ": expected to read it, found a fault");
      }
      return Set.copyOf(totals.retired());
    } finally {
      view.close();
    }
  }

  /**
   * Removes a lock without a file, if nobody holds it; a process that begins then makes it anew.
   */
  private static void removeLock(Path file, InstanceId instance) throws IOException {
    if (ProcessLock.isHeldHere(instance)) {
      return;
    }
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      if (channel.tryLock() != null) {
        Files.deleteIfExists(file);
      }
    } catch (NoSuchFileException | OverlappingFileLockException e) {
      // It is gone, or a reader in this JVM looks at it just now.
    }
  }
}

package dev.millrace.store.file;

import dev.millrace.model.EncodedLabelsBudget;
import dev.millrace.model.MetricCursor;
import dev.millrace.model.Problems;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a person wants to know of the files of a directory. */
public final class DirectoryReport {
  private static final long NANOS_A_MILLI = 1_000_000L;

  /**
   * One file.
   *
   * @param state {@code live}, {@code dead}, {@code totals} or {@code unread}
   * @param pid 0 where it is not known
   * @param started in UTC; {@code -} where it is not known
   * @param seriesCount how many series could be read
   * @param trouble what is wrong with the file; empty where nothing is
   */
  public record FileReport(
      String fileName,
      String state,
      long pid,
      String started,
      long seriesCount,
      long sizeBytes,
      String trouble) {}

  private final StoreDirectory directory;

  /** A report on a directory. */
  public DirectoryReport(StoreDirectory directory) {
    this.directory = directory;
  }

  /** Reads all files, the totals first. */
  public List<FileReport> files() throws IOException {
    List<FileReport> reports = new ArrayList<>();
    addTo(reports, directory.totals(), null);
    for (StoreDirectory.DataFile file : directory.dataFiles()) {
      addTo(reports, file.path(), file.instance());
    }
    return reports;
  }

  private void addTo(List<FileReport> reports, Path path, @Nullable InstanceId instance) {
    try {
      reports.add(report(path, instance));
    } catch (NoSuchFileException e) {
      // There are no totals yet, or the file was retired just now.
    } catch (IOException e) {
      reports.add(unread(String.valueOf(path.getFileName()), "it cannot be read: " + e));
    }
  }

  private static FileReport unread(String fileName, String trouble) {
    return new FileReport(fileName, "unread", 0, "-", 0, 0, trouble);
  }

  private FileReport report(Path path, @Nullable InstanceId instance) throws IOException {
    String name = String.valueOf(path.getFileName());
    ByteBuffer scratch = FileBytes.newScratch();
    if (StoreDirectory.isSomethingElse(path)) {
      return unread(name, "expected a regular file, found something else; remove it");
    }
    try (FileBytes bytes = FileBytes.open(path, scratch)) {
      long size = bytes.sizeBytes();
      FileHeader.Result result = FileHeader.read(bytes);
      FileHeader header = result.header();
      if (header == null) {
        return new FileReport(name, "unread", 0, "-", 0, size, result.reason());
      }
      List<String> trouble = new ArrayList<>();
      MergedView view =
          new MergedView(new EncodedLabelsBudget(0), new Problems(() -> 0, trouble::add));
      Image image = new Image(bytes, header, "", name);
      view.add(image);
      view.read(image);
      if (instance != null && !instance.equals(header.instance())) {
        trouble.add("expected the file of the instance in its name; remove the copy");
      }
      Instant started = Instant.ofEpochMilli(header.startTimeUnixNanos() / NANOS_A_MILLI);
      return new FileReport(
          name,
          state(header),
          header.pid(),
          started.truncatedTo(ChronoUnit.SECONDS).toString(),
          view.seriesCount(),
          size,
          String.join("; ", trouble));
    }
  }

  private String state(FileHeader header) throws IOException {
    if (header.role() == FileLayout.ROLE_TOTALS) {
      return "totals";
    }
    try (ProcessLock.Probe probe =
        new ProcessLock.Probe(directory.lockOf(header.instance()), header.instance())) {
      return probe.isAlive() ? "live" : "dead";
    }
  }

  /** The exemplars of a store cursor's point, as text: value, time in ms, trace id, span id. */
  public static List<String> exemplars(MetricCursor cursor) {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < cursor.exemplarCount(); i++) {
      texts.add(
          cursor.exemplarDoubleValue(i)
              + " at "
              + cursor.exemplarTimeUnixNanos(i) / NANOS_A_MILLI
              + " trace "
              + new InstanceId(cursor.exemplarTraceIdHigh(i), cursor.exemplarTraceIdLow(i))
              + " span "
              + new InstanceId(0, cursor.exemplarSpanId(i)).toString().substring(16));
    }
    return texts;
  }
}

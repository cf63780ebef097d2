package dev.millrace.export.disk;

import dev.millrace.model.Problems;
import java.nio.file.Path;

/**
 * Where a {@link DiskQueue} keeps what, and how much. Immutable; every value is checked when it is
 * given.
 *
 * <pre>{@code
 * DiskQueueOptions options = DiskQueueOptions.in(Path.of("/var/spool/shop/traces"), "otlp/traces");
 * assert options.maxFiles() == 1_000;
 * }</pre>
 *
 * @param directory made if it is not there, for its owner alone; several processes may share it
 * @param contentKind what the payloads are, in at most {@link SpoolFile#MAX_KIND_BYTES} bytes of
 *     ASCII; files of another kind are not sent
 * @param maxBytes how much the files may hold in all, 1 or more
 * @param maxFiles how many files there may be, 1 or more
 * @param problems counts what was dropped, lost or set aside
 */
public record DiskQueueOptions(
    Path directory, String contentKind, long maxBytes, int maxFiles, Problems problems) {
  /** Small beside any disk, and some hours of a service that sends a few kilobytes a second. */
  private static final long DEFAULT_MAX_BYTES = 100L * 1024 * 1024;

  /** The directory is read for each file that is added; so many are read in a millisecond. */
  private static final int DEFAULT_MAX_FILES = 1_000;

  /** Checks the bounds. */
  public DiskQueueOptions {
    if (contentKind.isEmpty()
        || contentKind.length() > SpoolFile.MAX_KIND_BYTES
        || contentKind.chars().anyMatch(c -> c < ' ' || c > '~')) {
      throw new IllegalArgumentException(
          "contentKind: expected 1 to "
              + SpoolFile.MAX_KIND_BYTES
              + " printable ASCII characters, found "
              + contentKind.length()
              + " characters");
    }
    if (maxBytes < 1 || maxFiles < 1) {
      throw new IllegalArgumentException(
          "expected maxBytes and maxFiles of 1 or more, found " + maxBytes + " and " + maxFiles);
    }
  }

  /** 100 MiB and 1,000 files at most, and problems of its own. */
  public static DiskQueueOptions in(Path directory, String contentKind) {
    return new DiskQueueOptions(
        directory, contentKind, DEFAULT_MAX_BYTES, DEFAULT_MAX_FILES, new Problems());
  }

  /** These options with another {@link #maxBytes()}. */
  public DiskQueueOptions withMaxBytes(long maxBytes) {
    return new DiskQueueOptions(directory, contentKind, maxBytes, maxFiles, problems);
  }

  /** These options with another {@link #maxFiles()}. */
  public DiskQueueOptions withMaxFiles(int maxFiles) {
    return new DiskQueueOptions(directory, contentKind, maxBytes, maxFiles, problems);
  }

  /** These options with other {@link #problems()}. */
  public DiskQueueOptions withProblems(Problems problems) {
    return new DiskQueueOptions(directory, contentKind, maxBytes, maxFiles, problems);
  }
}

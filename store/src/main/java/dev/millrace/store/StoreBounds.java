package dev.millrace.store;

/**
 * How large a store may get. Past a bound new series are refused and counted; those that exist go
 * on. Immutable.
 *
 * @param maxSeries series of one process; 1 or more
 * @param maxDirectoryBytes bytes of all files of the directory; 65,536 or more. Each process looks
 *     when its file is about to grow, so several that grow at one moment may go over it by a
 *     segment each.
 * @param maxFiles processes' files in the directory, dead and alive; 1 or more. A process that
 *     comes on top keeps its values in its memory; a reader leaves the rest unread.
 */
public record StoreBounds(int maxSeries, long maxDirectoryBytes, int maxFiles) {
  /**
   * A million series a process, 1 GiB, 16,384 files: over anything that we have heard of, under
   * what a host can carry.
   */
  public static final StoreBounds DEFAULT = new StoreBounds(1_000_000, 1L << 30, 16_384);

  /** Bounds. */
  public StoreBounds {
    if (maxSeries < 1 || maxDirectoryBytes < 65_536 || maxFiles < 1) {
      throw new IllegalArgumentException(
          "expected at least 1 series, 65536 bytes and 1 file, found "
              + maxSeries
              + ", "
              + maxDirectoryBytes
              + " and "
              + maxFiles);
    }
  }
}

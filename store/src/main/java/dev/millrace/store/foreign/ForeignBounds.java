package dev.millrace.store.foreign;

/**
 * How much of a directory is read. What is past a bound is left out and counted; all else is read.
 * Immutable.
 *
 * @param maxFiles files that are kept open; 1 or more
 * @param maxFileBytes bytes of one file; 4,096 or more
 * @param maxSamples samples of all files merged, each bucket of a histogram being one; 1 or more
 * @param maxKeyBytes bytes of one key, as it stands in the file; 64 or more
 */
public record ForeignBounds(int maxFiles, int maxFileBytes, int maxSamples, int maxKeyBytes) {
  /**
   * 16,384 files, 256 MiB a file, a million samples, 64 KiB a key: over anything that we have heard
   * of (a query text of 4,000 characters is 12 KiB in client_ruby's spelling), under what a host
   * can carry.
   */
  public static final ForeignBounds DEFAULT =
      new ForeignBounds(16_384, 256 << 20, 1_000_000, 64 << 10);

  /** Bounds. */
  public ForeignBounds {
    if (maxFiles < 1 || maxFileBytes < 4096 || maxSamples < 1 || maxKeyBytes < 64) {
      throw new IllegalArgumentException(
          "expected at least 1 file, 4096 bytes, 1 sample and 64 bytes a key, found "
              + maxFiles
              + ", "
              + maxFileBytes
              + ", "
              + maxSamples
              + " and "
              + maxKeyBytes);
    }
  }
}

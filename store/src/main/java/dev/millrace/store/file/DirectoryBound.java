package dev.millrace.store.file;

import java.io.IOException;
import java.util.function.LongPredicate;

/**
 * Asks before each growth whether the directory stays within its bound. The sizes of all files are
 * looked up at most once a second, since a process that has just begun grows several times in a
 * row. One thread at a time.
 */
final class DirectoryBound implements LongPredicate {
  private static final long FRESH_NANOS = 1_000_000_000L;

  private final StoreDirectory directory;
  private final long maxBytes;
  private long knownBytes;
  private long knownSinceNanos = System.nanoTime() - FRESH_NANOS;

  DirectoryBound(StoreDirectory directory, long maxBytes) {
    this.directory = directory;
    this.maxBytes = maxBytes;
  }

  @Override
  public boolean test(long moreBytes) {
    long now = System.nanoTime();
    if (now - knownSinceNanos >= FRESH_NANOS) {
      try {
        knownBytes = directory.sizeBytes();
        knownSinceNanos = now;
      } catch (IOException e) {
        // Growing itself will tell what is wrong with the directory.
        return true;
      }
    }
    if (knownBytes + moreBytes > maxBytes) {
      return false;
    }
    knownBytes += moreBytes;
    return true;
  }
}

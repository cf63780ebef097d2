package dev.millrace.export.remotewrite;

import dev.millrace.bytes.Chunk;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How much may wait for the receiver, and where. Immutable.
 *
 * <p>Without a directory the oldest requests are dropped when the memory is full. With one, all
 * that waits goes there once the memory is half full, and what is new follows it until the receiver
 * has taken what is there, oldest first.
 *
 * <pre>{@code
 * RemoteWriteQueue queue = RemoteWriteQueue.defaults().withDirectory(Path.of("/var/spool/shop"));
 * assert queue.maxDiskBytes() == 1L << 30;
 * }</pre>
 *
 * @param maxBytes how much memory the requests may take, in bytes, one chunk ({@value
 *     dev.millrace.bytes.Chunk#SIZE_BYTES} bytes) or more; a request takes whole chunks
 * @param maxRequests how many requests may wait in memory, 1 or more
 * @param directory what does not fit goes there, into one folder for each shard; {@code null} for
 *     none
 * @param maxDiskBytes how much the directory may hold in all, 1 or more; each shard has its part
 * @param maxDiskRequests how many requests the directory may hold in all, 1 or more; each shard has
 *     its part
 */
public record RemoteWriteQueue(
    long maxBytes,
    int maxRequests,
    @Nullable Path directory,
    long maxDiskBytes,
    int maxDiskRequests) {
  /** A thousand requests of the usual size: two million samples. */
  private static final long DEFAULT_MAX_BYTES = 64L * 1024 * 1024;

  /** As many as fit the bytes where each takes one chunk. */
  private static final int DEFAULT_MAX_REQUESTS = 1_024;

  /** About an hour of ten thousand samples a second. */
  private static final long DEFAULT_MAX_DISK_BYTES = 1L << 30;

  /** The directory is read for each request that is added. */
  private static final int DEFAULT_MAX_DISK_REQUESTS = 20_000;

  /** Checks the bounds. */
  public RemoteWriteQueue {
    if (maxBytes < Chunk.SIZE_BYTES || maxRequests < 1) {
      throw new IllegalArgumentException(
          "expected maxBytes of "
              + Chunk.SIZE_BYTES
              + " or more and maxRequests of 1 or more, found "
              + maxBytes
              + " and "
              + maxRequests);
    }
    if (maxDiskBytes < 1 || maxDiskRequests < 1) {
      throw new IllegalArgumentException(
          "expected maxDiskBytes and maxDiskRequests of 1 or more, found "
              + maxDiskBytes
              + " and "
              + maxDiskRequests);
    }
  }

  /** 64 MiB and 1,024 requests in memory; no directory, but 1 GiB and 20,000 requests for one. */
  public static RemoteWriteQueue defaults() {
    return new RemoteWriteQueue(
        DEFAULT_MAX_BYTES,
        DEFAULT_MAX_REQUESTS,
        null,
        DEFAULT_MAX_DISK_BYTES,
        DEFAULT_MAX_DISK_REQUESTS);
  }

  /** The same with another {@link #maxBytes()}. */
  public RemoteWriteQueue withMaxBytes(long maxBytes) {
    return new RemoteWriteQueue(maxBytes, maxRequests, directory, maxDiskBytes, maxDiskRequests);
  }

  /** The same with another {@link #maxRequests()}. */
  public RemoteWriteQueue withMaxRequests(int maxRequests) {
    return new RemoteWriteQueue(maxBytes, maxRequests, directory, maxDiskBytes, maxDiskRequests);
  }

  /** The same with another {@link #directory()}. */
  public RemoteWriteQueue withDirectory(@Nullable Path directory) {
    return new RemoteWriteQueue(maxBytes, maxRequests, directory, maxDiskBytes, maxDiskRequests);
  }

  /** The same with another {@link #maxDiskBytes()}. */
  public RemoteWriteQueue withMaxDiskBytes(long maxDiskBytes) {
    return new RemoteWriteQueue(maxBytes, maxRequests, directory, maxDiskBytes, maxDiskRequests);
  }

  /** The same with another {@link #maxDiskRequests()}. */
  public RemoteWriteQueue withMaxDiskRequests(int maxDiskRequests) {
    return new RemoteWriteQueue(maxBytes, maxRequests, directory, maxDiskBytes, maxDiskRequests);
  }
}

package dev.millrace.export.remotewrite;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.export.disk.DiskQueue;
import dev.millrace.export.disk.DiskQueueOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The folders of a queue's directory: one for each shard, so that each keeps its own order. Their
 * names have the number of shards, because with another number series are spread otherwise.
 */
final class ShardDisks implements AutoCloseable {
  private static final String KIND = "remote-write";
  private static final Pattern NAME = Pattern.compile("shard-\\d{1,9}-of-(\\d{1,9})");

  private final RemoteWriterOptions options;
  private final int shards;
  private final ChunkPool pool;
  private final List<DiskQueue> current = new ArrayList<>();
  private final List<DiskQueue> earlier = new ArrayList<>();

  private ShardDisks(RemoteWriterOptions options, int shards, ChunkPool pool) {
    this.options = options;
    this.shards = shards;
    this.pool = pool;
  }

  /**
   * Opens them, if the options name a directory.
   *
   * @throws UncheckedIOException if it can be neither made nor read
   */
  static ShardDisks open(RemoteWriterOptions options, int shards, ChunkPool pool) {
    ShardDisks disks = new ShardDisks(options, shards, pool);
    Path directory = options.queue().directory();
    if (directory == null) {
      return disks;
    }
    try {
      for (int i = 0; i < shards; i++) {
        disks.current.add(disks.queueIn(directory.resolve("shard-" + i + "-of-" + shards)));
      }
      disks.openEarlier(directory);
    } catch (RuntimeException e) {
      disks.close();
      throw e;
    }
    return disks;
  }

  private void openEarlier(Path directory) {
    try (Stream<Path> folders = Files.list(directory)) {
      for (Path folder : (Iterable<Path>) folders.sorted()::iterator) {
        var name = NAME.matcher(folder.getFileName().toString());
        if (name.matches()
            && Integer.parseInt(name.group(1)) != shards
            && Files.isDirectory(folder)) {
          DiskQueue queue = queueIn(folder);
          if (queue.mayHold()) {
            earlier.add(queue);
          } else {
            queue.close();
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(
          directory + ": expected a directory that can be read, found " + e.getMessage(), e);
    }
  }

  private DiskQueue queueIn(Path folder) {
    return DiskQueue.open(
        DiskQueueOptions.in(folder, KIND)
            .withMaxBytes(Math.max(1, options.queue().maxDiskBytes() / shards))
            .withMaxFiles(Math.max(1, options.queue().maxDiskRequests() / shards))
            .withProblems(options.problems()),
        pool);
  }

  /** That of a shard; {@code null} where there is no directory. */
  @Nullable DiskQueue of(int shard) {
    return current.isEmpty() ? null : current.get(shard);
  }

  /** Whether there is a directory. */
  boolean exist() {
    return !current.isEmpty();
  }

  /** Those of earlier numbers of shards that hold something. */
  List<DiskQueue> earlier() {
    return earlier;
  }

  /** How many items were dropped because the directory was full. */
  long droppedItems() {
    return current.stream().mapToLong(DiskQueue::droppedItems).sum();
  }

  @Override
  public void close() {
    current.forEach(DiskQueue::close);
    earlier.forEach(DiskQueue::close);
  }
}

package dev.millrace.export.remotewrite;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.format.remotewrite.RemoteWriteLimits;
import dev.millrace.model.Problems;
import dev.millrace.testkit.Eventually;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * Writes numbered samples at a steady rate, ten writes a second: each series has its next ten
 * numbers in each, ten milliseconds apart. Prints a line a second, and at the end how many numbers
 * it wrote.
 */
final class SoakSender {
  /** Numbers of each series in a write, and writes in a second. */
  static final int STEP = 10;

  private static final long WRITE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long SHUTDOWN_MILLIS = 120_000;

  private SoakSender() {}

  /**
   * The address, the queue's directory or a hyphen, how many series, the first number, how many
   * seconds.
   */
  public static void main(String[] arguments) {
    int seriesCount = Integer.parseInt(arguments[2]);
    int from = Integer.parseInt(arguments[3]);
    int writes = 10 * Integer.parseInt(arguments[4]);
    ChunkPool pool = new ChunkPool(64);
    RemoteWriter writer = new RemoteWriter(options(arguments), pool);
    Points points = new Points("soak");
    long beginMillis = System.currentTimeMillis();
    long beginNanos = System.nanoTime();
    for (int i = 0; i < writes; i++) {
      points.clear();
      for (int n = i * STEP; n < (i + 1) * STEP; n++) {
        for (int series = 0; series < seriesCount; series++) {
          points.add(series, beginMillis + 10L * n, from + n);
        }
      }
      Receives.write(writer, points);
      if (i % 10 == 9) {
        System.out.println(
            "second "
                + (i + 1) / 10
                + " chunks "
                + pool.outstandingChunks()
                + " heap "
                + heapUsed()
                + " "
                + writer.stats());
      }
      long waitNanos = beginNanos + (i + 1) * WRITE_NANOS - System.nanoTime();
      if (waitNanos > 0) {
        LockSupport.parkNanos(waitNanos);
      }
    }
    if (!arguments[1].equals("-")) {
      // Nothing waits for a disk otherwise: what is on it may be sent by the next process.
      Path disk = Path.of(arguments[1]);
      Eventually.isTrue("an empty queue", Receives.LIMIT, () -> isEmpty(disk));
    }
    boolean ended = writer.shutdown(SHUTDOWN_MILLIS);
    System.out.println(writer.stats());
    System.out.println(
        "wrote " + writes * STEP + " ended " + ended + " chunks " + pool.outstandingChunks());
  }

  private static boolean isEmpty(Path disk) throws IOException {
    try (Stream<Path> files = Files.walk(disk)) {
      return files.noneMatch(each -> each.toString().endsWith(".millrace"));
    }
  }

  private static RemoteWriterOptions options(String[] arguments) {
    RemoteWriterOptions options =
        Receives.options(URI.create(arguments[0]), new Problems())
            .withVersions(VersionPolicy.V2_THEN_V1);
    RemoteWriteQueue queue = RemoteWriteQueue.defaults();
    return options
        .withEncoding(options.encoding().withLimits(RemoteWriteLimits.DEFAULT.withShards(4)))
        .withDelivery(
            RemoteWriteDelivery.defaults()
                .withFlushIntervalMillis(200)
                .withEndSeriesAtShutdown(false))
        .withQueue(
            arguments[1].equals("-")
                ? queue
                : queue.withMaxRequests(16).withDirectory(Path.of(arguments[1])));
  }

  /** In MiB; what only waits for the next collection is in it. */
  private static long heapUsed() {
    return (Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory()) >> 20;
  }
}

package dev.millrace.export.remotewrite;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.model.MetricCursor;

/**
 * Sends metrics to one receiver of Prometheus remote write, 1.0 or 2.0.
 *
 * <p><b>Guarantees.</b> Thread-safe. {@link #write} makes requests and queues them: it waits for
 * neither the network nor a disk, only for another thread that is in it. Series are spread over
 * shards; each shard sends its requests in order, one at a time, the first one again and again until
 * the receiver has it or has refused it, so that no sample overtakes another one of its series.
 * What may wait is bounded, in memory and on disk; what goes beyond it is dropped, the oldest first,
 * and counted by {@link DropReason}. Two writers share nothing that blocks.
 *
 * <p>Threads: one daemon thread for time and disk, and those of the HTTP client.
 *
 * <pre>{@code
 * try (RemoteWriter writer =
 *     new RemoteWriter(RemoteWriterOptions.to(URI.create("http://mimir:8080/api/v1/push")), pool)) {
 *   try (MetricCursor cursor = source.open()) {
 *     writer.write(cursor, true);
 *   }
 *   assert writer.flush(10_000) && writer.stats().samples().droppedTotal() == 0;
 * }
 * }</pre>
 */
public final class RemoteWriter implements AutoCloseable {
  /**
   * A writer on the system's clock. What an earlier process left in the queue's directory is sent
   * first.
   *
   * @param pool gives the memory of requests
   * @throws java.io.UncheckedIOException if a file of the TLS options cannot be read, or the
   *     queue's directory can be neither made nor read
   * @throws IllegalArgumentException if such a file holds something else than expected, or the
   *     endpoint cannot be used
   */
  public RemoteWriter(RemoteWriterOptions options, ChunkPool pool) {
    throw new UnsupportedOperationException();
  }

  /**
   * Makes requests of metrics and queues them. A request that is not full waits for more, for as
   * long as {@link RemoteWriteDelivery#flushIntervalMillis} says. After {@link #shutdown} it does
   * nothing.
   *
   * @param cursor stays the caller's, who closes it
   * @param complete whether the cursor shows every series that lives, so that those that it does not
   *     show have ended; otherwise it shows only what is new
   */
  public void write(MetricCursor cursor, boolean complete) {
    throw new UnsupportedOperationException();
  }

  /**
   * Sends what is open, and waits for all that was written before: until it is delivered, given up,
   * or on disk.
   *
   * @param timeoutMillis how long to wait at most
   * @return whether all of it came to an end within the time
   */
  public boolean flush(long timeoutMillis) {
    throw new UnsupportedOperationException();
  }

  /**
   * Takes no more, ends all series if the options say so, waits as {@link #flush} does, then aborts
   * what is left: it goes to the disk, or is dropped and counted. Later calls do nothing.
   *
   * @param timeoutMillis how long to wait at most for the receiver
   * @return whether everything came to an end within the time
   */
  public boolean shutdown(long timeoutMillis) {
    throw new UnsupportedOperationException();
  }

  /** {@link #shutdown} with the timeout of a request. */
  @Override
  public void close() {
    throw new UnsupportedOperationException();
  }

  /** What was done so far. Any thread may ask, as often as it likes. */
  public RemoteWriteStats stats() {
    throw new UnsupportedOperationException();
  }

  /** Where this sends to, for logs and metrics: scheme, host and port. */
  public String name() {
    throw new UnsupportedOperationException();
  }
}

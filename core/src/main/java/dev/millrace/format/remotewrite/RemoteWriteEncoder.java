package dev.millrace.format.remotewrite;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.model.MetricCursor;
import dev.millrace.model.Problems;
import java.util.Objects;

/**
 * Makes finished requests of metrics.
 *
 * <p>Series are spread over shards by a hash of their labels. Each shard has one open request, to
 * which one call after another adds, and which goes to the sink when it is full or on {@link
 * #flush}. A shard's requests hold each series' samples in the order of time.
 *
 * <p>Points that cannot be sent are left out and counted in the {@link Problems}: what the scrape
 * exporter leaves out, too, under the same kinds ({@code prometheus_}...), and besides those what
 * is too old ({@code remote_write_too_old}) and what is older than the last sample of its series
 * ({@code remote_write_out_of_order}). A point of the same time as the last one of its series is
 * the same point, and is not sent again. Points without a time have that of the call.
 *
 * <p>Not thread-safe: one thread at a time. It keeps what it planned for a source and, of each
 * series of the last complete collection, the labels as they are written; all of it for one source
 * at a time. The owner closes it.
 *
 * <pre>{@code
 * RemoteWriteEncoder encoder =
 *     new RemoteWriteEncoder(RemoteWriteEncodingOptions.DEFAULT, pool, new Problems());
 * try (MetricCursor cursor = source.open()) {
 *   encoder.encode(cursor, System.currentTimeMillis(), true, sink);
 * }
 * encoder.flush(sink);
 * encoder.endAll(System.currentTimeMillis(), sink);
 * encoder.close();
 * assert pool.outstandingChunks() == 0; // if the sink closes what it takes
 * }</pre>
 */
public final class RemoteWriteEncoder implements AutoCloseable {
  /**
   * An encoder to which nothing was added.
   *
   * @param pool gives the memory of requests
   * @param problems takes what is wrong with metrics
   */
  public RemoteWriteEncoder(
      RemoteWriteEncodingOptions options, ChunkPool pool, Problems problems) {
    Objects.requireNonNull(options);
    throw new UnsupportedOperationException();
  }

  /** Changes the version, from the next request of each shard on. */
  public void version(RemoteWriteVersion version) {
    Objects.requireNonNull(version);
    throw new UnsupportedOperationException();
  }

  /**
   * Adds the points of a cursor to the open requests. What is full goes to the sink.
   *
   * @param cursor stays open; it stands anywhere afterwards
   * @param nowUnixMillis the time of the collection, in milliseconds since the Unix epoch
   * @param complete whether the cursor shows every series that lives: those of the last complete
   *     collection that it does not show have ended, and get stale markers. An incomplete
   *     collection, of what is new only, ends nothing, and nothing is kept of series that were in
   *     no complete one
   * @param sink takes finished requests, in this call only; what it throws ends the call, and what
   *     was not added then is lost
   */
  public void encode(MetricCursor cursor, long nowUnixMillis, boolean complete, RequestSink sink) {
    Objects.requireNonNull(cursor);
    throw new UnsupportedOperationException();
  }

  /**
   * Ends all series of the last complete collection, as the end of a process does: with stale
   * markers, unless the options say otherwise. {@link #flush} then sends the last of them.
   *
   * @param nowUnixMillis the time of the markers; those of series with a later sample are a
   *     millisecond later than that
   */
  public void endAll(long nowUnixMillis, RequestSink sink) {
    Objects.requireNonNull(sink);
    throw new UnsupportedOperationException();
  }

  /** Finishes all open requests that hold something. */
  public void flush(RequestSink sink) {
    Objects.requireNonNull(sink);
    throw new UnsupportedOperationException();
  }

  /** Gives back the memory of requests that are not finished, and forgets all series. */
  @Override
  public void close() {
    // Nothing is open yet.
  }
}

package dev.millrace.export.remotewrite;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.format.remotewrite.RemoteWriteEncoder;
import dev.millrace.format.remotewrite.RequestSink;
import dev.millrace.model.MetricSource;
import java.util.ArrayList;
import java.util.List;

/**
 * One encoder for each source, because an encoder keeps what it planned, and which series live, for
 * one source at a time. One thread at a time.
 */
final class Encoders implements AutoCloseable {
  /**
   * Sources are the parts of a program, such as an SDK, a store or a receiver. Of more than that,
   * somebody makes a new one for each collection, and the one that was not seen for longest goes.
   */
  private static final int MAX_SOURCES = 16;

  private record Entry(MetricSource source, RemoteWriteEncoder encoder) {}

  private final RemoteWriterOptions options;
  private final ChunkPool pool;
  private final RequestSink sink;

  /** The one that was used last stands last. */
  private final List<Entry> entries = new ArrayList<>();

  Encoders(RemoteWriterOptions options, ChunkPool pool, RequestSink sink) {
    this.options = options;
    this.pool = pool;
    this.sink = sink;
  }

  /** That of a source. */
  RemoteWriteEncoder of(MetricSource source) {
    for (int i = entries.size() - 1; i >= 0; i--) {
      Entry entry = entries.get(i);
      if (entry.source() == source) {
        entries.remove(i);
        entries.add(entry);
        return entry.encoder();
      }
    }
    if (entries.size() == MAX_SOURCES) {
      RemoteWriteEncoder oldest = entries.remove(0).encoder();
      oldest.flush(sink);
      oldest.close();
    }
    RemoteWriteEncoder encoder =
        new RemoteWriteEncoder(options.encoding(), pool, options.problems());
    entries.add(new Entry(source, encoder));
    return encoder;
  }

  /** Finishes what is open in all of them. */
  void flush() {
    for (Entry entry : entries) {
      entry.encoder().flush(sink);
    }
  }

  /** Ends all series of all sources. */
  void endAll(long nowUnixMillis) {
    for (Entry entry : entries) {
      entry.encoder().endAll(nowUnixMillis, sink);
    }
  }

  @Override
  public void close() {
    for (Entry entry : entries) {
      entry.encoder().close();
    }
    entries.clear();
  }
}

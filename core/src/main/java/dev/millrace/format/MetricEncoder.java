package dev.millrace.format;

import dev.millrace.bytes.ChunkWriter;
import dev.millrace.model.MetricCursor;

/**
 * Writes metrics in one format. It keeps scratch memory and what it planned for a source between
 * calls, so one object serves one thread at a time, and best the same source again and again.
 */
public interface MetricEncoder {
  /** The media type of what {@link #encode} writes, as a {@code Content-Type} header has it. */
  String contentType();

  /**
   * Writes all metrics of a cursor.
   *
   * @param cursor stays open; it stands anywhere afterwards
   * @param out takes the bytes; not finished and not flushed here
   * @throws java.io.UncheckedIOException from a streaming writer whose peer is gone
   */
  void encode(MetricCursor cursor, ChunkWriter out);
}

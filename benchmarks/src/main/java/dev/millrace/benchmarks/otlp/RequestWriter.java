package dev.millrace.benchmarks.otlp;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Collection;

/**
 * Writes items as one OTLP request, again and again. One thread at a time.
 *
 * @param <T> spans, log records or metrics
 */
@FunctionalInterface
interface RequestWriter<T> {
  /** Encodes all items and writes the request's bytes. */
  void write(Collection<T> items, OutputStream out) throws IOException;
}

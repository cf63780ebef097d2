/**
 * A source over a directory that another multi-process client writes: client_ruby's
 * DirectFileStore, client_python, or prometheus-client-mmap. The files are read as they are, beside
 * the running programs, and never written.
 *
 * <pre>{@code
 * MetricSource rails = ForeignSource.of(Path.of("/run/rails/metrics"));
 * PrometheusServer.create(9464, rails);
 * }</pre>
 */
@NullMarked
package dev.millrace.store.foreign;

import org.jspecify.annotations.NullMarked;

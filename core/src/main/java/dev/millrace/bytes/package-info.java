/**
 * Bytes without garbage: pooled chunks, writers that grow by chunks, finished payloads, and the
 * text of numbers and strings. Nothing here knows of metrics, formats of telemetry, or I/O.
 */
@NullMarked
package dev.millrace.bytes;

import org.jspecify.annotations.NullMarked;

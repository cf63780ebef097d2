/** OTLP requests: encoding spans, log records and metrics, and exporting spans to a receiver. */
@NullMarked
package dev.millrace.benchmarks.otlp;

import org.jspecify.annotations.NullMarked;

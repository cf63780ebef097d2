/**
 * OTLP, the OpenTelemetry protocol (opentelemetry-proto 1.11): metrics as export requests, and what
 * can be done to finished requests of every signal: to split them, to count what is in them, to
 * turn them into JSON; and the replies to them. No I/O here.
 */
@NullMarked
package dev.millrace.format.otlp;

import org.jspecify.annotations.NullMarked;

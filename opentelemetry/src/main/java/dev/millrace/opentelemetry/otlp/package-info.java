/** Exports spans, log records and metrics of the OpenTelemetry Java SDK in OTLP. */
@NullMarked
package dev.millrace.opentelemetry.otlp;

import org.jspecify.annotations.NullMarked;

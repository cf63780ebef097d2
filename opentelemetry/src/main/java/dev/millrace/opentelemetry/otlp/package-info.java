/**
 * Exports spans, log records and metrics of the OpenTelemetry Java SDK in OTLP, the OpenTelemetry
 * protocol: {@link dev.millrace.opentelemetry.otlp.OtlpExporter} is where to begin.
 */
@NullMarked
package dev.millrace.opentelemetry.otlp;

import org.jspecify.annotations.NullMarked;

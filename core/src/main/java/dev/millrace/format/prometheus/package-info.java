/**
 * The Prometheus text format, OpenMetrics and Prometheus' delimited protobuf, with the names,
 * labels and types that the OpenTelemetry specification gives metrics there ("Prometheus and
 * OpenMetrics Compatibility"), by each of its translation strategies and for each of Prometheus'
 * escaping schemes.
 */
@NullMarked
package dev.millrace.format.prometheus;

import org.jspecify.annotations.NullMarked;

/**
 * The Prometheus text format 0.0.4 and OpenMetrics 1.0.0, with the names, labels and types that the
 * OpenTelemetry specification gives metrics there ("Prometheus and OpenMetrics Compatibility").
 */
@NullMarked
package dev.millrace.format.prometheus;

import org.jspecify.annotations.NullMarked;

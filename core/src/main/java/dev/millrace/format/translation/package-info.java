/**
 * What the formats of Prometheus have in common: the names, labels and types that the OpenTelemetry
 * specification gives metrics there ("Prometheus and OpenMetrics Compatibility"), the families that
 * metrics stand in, and which points can be written.
 */
@NullMarked
package dev.millrace.format.translation;

import org.jspecify.annotations.NullMarked;

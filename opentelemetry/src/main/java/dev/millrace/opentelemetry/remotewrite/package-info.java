/** Prometheus remote write of the OpenTelemetry SDK's metrics. */
@NullMarked
package dev.millrace.opentelemetry.remotewrite;

import org.jspecify.annotations.NullMarked;

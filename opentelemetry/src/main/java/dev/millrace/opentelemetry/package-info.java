/**
 * Exporters to register with the OpenTelemetry Java SDK, and what they are made of: the SDK's
 * metrics as a {@link dev.millrace.model.MetricSource}, with a reader and a cursor over what the
 * SDK collects.
 *
 * <p>The SDK hands out the same attribute objects in the same order on every collection, and with
 * reusable memory the same data objects too. So a series is found again by its position, and a
 * collection in steady state neither hashes nor allocates anything here.
 */
@NullMarked
package dev.millrace.opentelemetry;

import org.jspecify.annotations.NullMarked;

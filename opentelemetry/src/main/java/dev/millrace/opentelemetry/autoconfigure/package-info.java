/**
 * Makes exporters from what an OpenTelemetry SDK is configured by: properties and environment
 * variables, or a declarative configuration file. The SDK finds these classes by their service
 * interfaces, and only an application that has the SDK's autoconfiguration loads them.
 */
@NullMarked
package dev.millrace.opentelemetry.autoconfigure;

import org.jspecify.annotations.NullMarked;

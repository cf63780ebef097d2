/**
 * What Millrace reads from the OpenTelemetry Java SDK, and exporters for it.
 *
 * <p>What the SDK's autoconfiguration looks for stands in {@code META-INF/services} only: a module
 * that provides a service cannot be used where the service's type is missing, and it is optional
 * here.
 */
module dev.millrace.opentelemetry {
  requires static org.jspecify;
  requires transitive dev.millrace.core;
  requires transitive dev.millrace.export;
  requires io.opentelemetry.api;
  requires static io.opentelemetry.api.incubator;
  requires static io.opentelemetry.sdk;
  requires static io.opentelemetry.sdk.autoconfigure.spi;
  requires transitive io.opentelemetry.sdk.common;
  requires transitive io.opentelemetry.sdk.logs;
  requires transitive io.opentelemetry.sdk.metrics;
  requires transitive io.opentelemetry.sdk.trace;

  exports dev.millrace.opentelemetry;
  exports dev.millrace.opentelemetry.otlp;
  exports dev.millrace.opentelemetry.remotewrite;

  uses dev.millrace.export.push.TransportProvider;
}

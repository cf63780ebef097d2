/** What Millrace reads from the OpenTelemetry Java SDK. */
module dev.millrace.opentelemetry {
  requires static org.jspecify;
  requires transitive dev.millrace.core;
  requires io.opentelemetry.api;
  requires transitive io.opentelemetry.sdk.common;
  requires transitive io.opentelemetry.sdk.metrics;

  exports dev.millrace.opentelemetry;
}

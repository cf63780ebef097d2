/** What Millrace reads from the OpenTelemetry Java SDK. */
module dev.millrace.opentelemetry {
  requires static org.jspecify;
  requires transitive dev.millrace.core;
  requires transitive dev.millrace.export;
  requires io.opentelemetry.api;
  requires static io.opentelemetry.api.incubator;
  requires static io.opentelemetry.sdk.autoconfigure.spi;
  requires transitive io.opentelemetry.sdk.common;
  requires transitive io.opentelemetry.sdk.metrics;

  exports dev.millrace.opentelemetry;

  provides io.opentelemetry.sdk.autoconfigure.spi.internal.ComponentProvider with
      dev.millrace.opentelemetry.autoconfigure.MillracePrometheusComponentProvider;
  provides io.opentelemetry.sdk.autoconfigure.spi.internal.ConfigurableMetricReaderProvider with
      dev.millrace.opentelemetry.autoconfigure.MillracePrometheusReaderProvider;
}

package dev.millrace.opentelemetry.otlp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.opentelemetry.api.logs.Logger;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.declarativeconfig.DeclarativeConfiguration;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigurationException;
import java.io.ByteArrayInputStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the SDK makes of properties, and of a file, by the services that it finds. */
class OtlpDropInTest {
  private static final long PATIENCE_SECONDS = 60;

  private final OtlpSink sink = new OtlpSink();
  private final Map<String, String> properties =
      new HashMap<>(
          Map.of(
              "otel.traces.exporter", "millrace-otlp",
              "otel.metrics.exporter", "millrace-otlp",
              "otel.logs.exporter", "millrace-otlp",
              "otel.exporter.otlp.endpoint", sink.uri() + "/collector",
              "otel.exporter.otlp.timeout", "60000",
              "otel.service.name", "shop"));

  @AfterEach
  void close() {
    sink.close();
  }

  @Test
  void aNameAndAnEndpointAreEnough() {
    try (OpenTelemetrySdk sdk = configure()) {
      record(sdk);
    }
    assertThat(sink.requests())
        .extracting(OtlpSink.Request::path)
        .contains("/collector/v1/traces", "/collector/v1/logs", "/collector/v1/metrics");
    assertThat(sink.requests())
        .filteredOn(request -> request.path().endsWith("/v1/metrics"))
        .extracting(request -> request.message().toString())
        .anyMatch(text -> text.contains("otel.sdk.exporter.span.exported"));
  }

  @Test
  void aSignalsOwnSettingsWin() {
    properties.put("otel.exporter.otlp.headers", "X-Tenant=everyone");
    properties.put("otel.exporter.otlp.traces.headers", "X-Tenant=the%20shop%2C1+1,Other=x");
    properties.put("otel.exporter.otlp.compression", "gzip");
    properties.put("otel.exporter.otlp.logs.compression", "none");
    properties.put("otel.exporter.otlp.protocol", "http/json");
    properties.put("otel.exporter.otlp.logs.protocol", "http/protobuf");
    properties.put("otel.exporter.otlp.logs.endpoint", sink.uri() + "/own/v1/logs");
    properties.put("otel.exporter.otlp.metrics.temporality.preference", "lowmemory");
    properties.put(
        "otel.exporter.otlp.metrics.default.histogram.aggregation",
        "BASE2_EXPONENTIAL_BUCKET_HISTOGRAM");
    try (OpenTelemetrySdk sdk = configure()) {
      record(sdk);
    }
    OtlpSink.Request traces = first("/collector/v1/traces");
    assertThat(traces.tenant()).isEqualTo("the shop,1+1");
    assertThat(traces.encoding()).isEqualTo("gzip");
    assertThat(traces.contentType()).isEqualTo("application/json");
    OtlpSink.Request logs = first("/own/v1/logs");
    assertThat(logs.tenant()).isEqualTo("everyone");
    assertThat(logs.encoding()).isEmpty();
    assertThat(logs.contentType()).isEqualTo("application/x-protobuf");
    assertThat(first("/collector/v1/metrics").message().toString())
        .contains("exponential_histogram")
        .contains("AGGREGATION_TEMPORALITY_DELTA");
  }

  @ParameterizedTest
  @CsvSource({
    "otel.exporter.otlp.traces.protocol, http/xml, 'grpc, http/protobuf or http/json'",
    "otel.exporter.otlp.compression, brotli, 'one of none, gzip'",
    "otel.exporter.otlp.traces.client.key, /no/such/file, 'a file'",
    "otel.exporter.otlp.traces.headers, secret, name=value",
    "otel.exporter.otlp.endpoint, ftp://x, http://host:port"
  })
  void whatCannotBeUsedStopsTheConfiguration(String name, String value, String expected) {
    properties.put(name, value);
    assertThatThrownBy(this::configure)
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining(expected)
        .hasMessageNotContaining("secret");
  }

  @Test
  void aFileNamesTheExporters() {
    String exporter =
        """
                    millrace_otlp:
                      endpoint: %s/own/v1/%s
                      timeout: 60000
                      compression: gzip
                      headers_list: X-Tenant=list
                      headers:
                        - name: X-Tenant
                          value: shop
        """;
    String file =
        """
        file_format: "1.1"
        tracer_provider:
          processors:
            - batch:
                exporter:
        %s
        logger_provider:
          processors:
            - batch:
                exporter:
        %s
        meter_provider:
          readers:
            - periodic:
                exporter:
        %s
        """
            .formatted(
                exporter.formatted(sink.uri(), "traces"),
                exporter.formatted(sink.uri(), "logs"),
                exporter.formatted(sink.uri(), "metrics")
                    + "              temporality_preference: delta\n");
    try (OpenTelemetrySdk sdk =
        DeclarativeConfiguration.parseAndCreate(new ByteArrayInputStream(file.getBytes(UTF_8)))
            .getSdk()) {
      record(sdk);
    }
    for (String path : List.of("/own/v1/traces", "/own/v1/logs", "/own/v1/metrics")) {
      assertThat(first(path).tenant()).isEqualTo("shop");
      assertThat(first(path).encoding()).isEqualTo("gzip");
    }
  }

  private OpenTelemetrySdk configure() {
    return AutoConfiguredOpenTelemetrySdk.builder()
        .addPropertiesSupplier(() -> properties)
        .disableShutdownHook()
        .build()
        .getOpenTelemetrySdk();
  }

  private static void record(OpenTelemetrySdk sdk) {
    Tracer tracer = sdk.getTracer("shop");
    tracer.spanBuilder("sale").startSpan().end();
    Logger logger = sdk.getSdkLoggerProvider().get("shop");
    logger.logRecordBuilder().setBody("sold").emit();
    assertThat(sdk.getSdkTracerProvider().forceFlush().join(PATIENCE_SECONDS, SECONDS).isSuccess())
        .isTrue();
    assertThat(sdk.getSdkLoggerProvider().forceFlush().join(PATIENCE_SECONDS, SECONDS).isSuccess())
        .isTrue();
    sdk.getMeter("shop").counterBuilder("orders").build().add(1);
    sdk.getMeter("shop").histogramBuilder("duration").build().record(1);
    assertThat(sdk.getSdkMeterProvider().forceFlush().join(PATIENCE_SECONDS, SECONDS).isSuccess())
        .isTrue();
  }

  private OtlpSink.Request first(String path) {
    return sink.requests().stream()
        .filter(request -> request.path().equals(path))
        .findFirst()
        .orElseThrow();
  }
}

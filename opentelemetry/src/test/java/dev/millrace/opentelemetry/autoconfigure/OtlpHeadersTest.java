package dev.millrace.opentelemetry.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigurationException;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OtlpHeadersTest {
  /** A header that would cost every export is an error at the start, which shows no value. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "secret",
        "=secret",
        "a=%zzsecret",
        "a=secret%0d%0aX: y",
        "a=secret\u00e9",
        "a b=secret",
        "a:secret=b",
        "Host=secret",
        "content-length=secret",
        "Transfer-Encoding=secret"
      })
  void whatCannotBeSentIsAnError(String headers) {
    assertThatThrownBy(() -> configure(headers))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageStartingWith("otel.exporter.otlp.headers: expected ")
        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("secret"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"a=secret,,b=2,", "authorization=Basic%20c2VjcmV0==", "x_y.z-1=", "a=1;b=2"})
  void whatCanBeSentIsTaken(String headers) {
    try (OpenTelemetrySdk sdk = configure(headers)) {
      assertThat(sdk.getSdkTracerProvider().toString())
          .contains("OtlpSpanExporter")
          .doesNotContain("secret", "c2VjcmV0");
    }
  }

  private static OpenTelemetrySdk configure(String headers) {
    Map<String, String> properties =
        Map.of(
            "otel.traces.exporter", "millrace-otlp",
            "otel.metrics.exporter", "none",
            "otel.logs.exporter", "none",
            "otel.exporter.otlp.headers", headers);
    return AutoConfiguredOpenTelemetrySdk.builder()
        .disableShutdownHook()
        .addPropertiesSupplier(() -> properties)
        .build()
        .getOpenTelemetrySdk();
  }
}

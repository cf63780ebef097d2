package dev.millrace.opentelemetry.otlp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.millrace.format.otlp.OtlpSignal;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EndpointsTest {
  private final Endpoints endpoints = new Endpoints();

  @Test
  void hasTheDefaultsOfTheSpecification() {
    assertThat(endpoints.of(OtlpSignal.TRACES, OtlpProtocol.HTTP_PROTOBUF))
        .hasToString("http://localhost:4318/v1/traces");
    assertThat(endpoints.of(OtlpSignal.LOGS, OtlpProtocol.HTTP_JSON))
        .hasToString("http://localhost:4318/v1/logs");
    assertThat(endpoints.of(OtlpSignal.METRICS, OtlpProtocol.GRPC))
        .hasToString("http://localhost:4317");
  }

  /** The examples of the specification among them. */
  @ParameterizedTest
  @CsvSource({
    "http://collector:4318, http://collector:4318/v1/metrics",
    "http://collector:4318/mycollector/, http://collector:4318/mycollector/v1/metrics",
    "https://collector/a/b, https://collector/a/b/v1/metrics",
    "http://[::1]:4318/%20?key=a%26b, http://[::1]:4318/%20/v1/metrics?key=a%26b"
  })
  void appendsThePathOfTheSignalToTheBase(URI base, String expected) {
    endpoints.setBase(base);
    assertThat(endpoints.of(OtlpSignal.METRICS, OtlpProtocol.HTTP_PROTOBUF)).hasToString(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "http://collector:4318, http://collector:4318/",
    "https://collector.example.com/v1/metrics, https://collector.example.com/v1/metrics",
    "https://collector.example.com/v1/metrics/, https://collector.example.com/v1/metrics/"
  })
  void takesTheSignalsOwnAsItIs(URI own, String expected) {
    endpoints.setBase(URI.create("http://elsewhere"));
    endpoints.set(OtlpSignal.METRICS, own);
    assertThat(endpoints.of(OtlpSignal.METRICS, OtlpProtocol.HTTP_PROTOBUF)).hasToString(expected);
  }

  @Test
  void grpcHasNoPath() {
    endpoints.setBase(URI.create("http://collector:4317/"));
    assertThat(endpoints.of(OtlpSignal.TRACES, OtlpProtocol.GRPC).getHost()).isEqualTo("collector");
    endpoints.setBase(URI.create("http://collector:4317/v1/traces"));
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> endpoints.of(OtlpSignal.TRACES, OtlpProtocol.GRPC))
        .withMessage(
            "endpoint: expected no path with the protocol grpc, found /v1/traces;"
                + " leave it out, or use http/protobuf");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://a:0",
        "http://a:65536",
        "http://my_host:4318",
        "collector:4318",
        "ftp://collector",
        "http:///x",
        "http://user:secret@collector"
      })
  void refusesWhatIsNoAddress(URI endpoint) {
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> endpoints.setBase(endpoint))
        .withMessageStartingWith("endpoint: expected ")
        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("secret"));
  }
}

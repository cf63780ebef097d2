package dev.millrace.opentelemetry.autoconfigure;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.testkit.RemoteWriteReceiver;
import io.opentelemetry.api.incubator.config.DeclarativeConfigException;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.declarativeconfig.DeclarativeConfiguration;
import java.io.ByteArrayInputStream;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the SDK makes of a declarative configuration file, by the service that it finds. */
class RemoteWriteDeclarativeTest {
  private RemoteWriteReceiver receiver;

  @BeforeEach
  void startReceiver() throws Exception {
    receiver = RemoteWriteReceiver.start();
  }

  @AfterEach
  void stopReceiver() {
    receiver.close();
  }

  private static OpenTelemetrySdk configure(String settings) {
    String file =
        """
        file_format: "1.1"
        resource:
          attributes:
            - {name: service.name, value: shop}
            - {name: zone.name, value: north}
        meter_provider:
          readers:
            - periodic:
                interval: 3600000
                exporter:
                  millrace_remote_write:
        """
            + settings.indent(12);
    return DeclarativeConfiguration.create(
            DeclarativeConfiguration.parse(new ByteArrayInputStream(file.getBytes(UTF_8))))
        .getSdk();
  }

  private static void record(OpenTelemetrySdk sdk) {
    sdk.getMeter("shop").counterBuilder("orders").build().add(3);
    assertThat(sdk.getSdkMeterProvider().forceFlush().join(60, TimeUnit.SECONDS).isSuccess())
        .isTrue();
  }

  @Test
  void anEndpointIsEnough() {
    try (OpenTelemetrySdk sdk = configure("endpoint: " + receiver.endpoint())) {
      record(sdk);
      assertThat(receiver.samples("orders_total"))
          .singleElement()
          .satisfies(
              sample ->
                  assertThat(sample.series())
                      .isEqualTo("orders_total{job=\"shop\",otel_scope_name=\"shop\"}"));
    }
  }

  @Test
  void theOtherSettingsAreThoseOfTheProperties() {
    String settings =
        """
        endpoints: ["%s"]
        headers:
          - {name: X-Scope-OrgID, value: shop}
        timeout: 5000
        protobuf_message: prometheus.WriteRequest
        scope_info_enabled: false
        target_info_enabled/development: false
        translation_strategy: underscore_escaping_without_suffixes/development
        resource_constant_labels: {included: ["zone.*"]}
        external_labels: ["cluster=eu-1"]
        queue: {max_bytes: 1000000, max_requests: 10}
        """
            .formatted(receiver.endpoint());
    try (OpenTelemetrySdk sdk = configure(settings)) {
      record(sdk);
      assertThat(receiver.samples())
          .extracting(sample -> sample.series())
          .containsExactly("orders{cluster=\"eu-1\",job=\"shop\",zone_name=\"north\"}");
      assertThat(receiver.requests().get(0).headers().getFirst("X-Scope-OrgID")).isEqualTo("shop");
      assertThat(receiver.requests().get(0).message().version()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      textBlock =
          """
          endpoint: 7                 | millrace_remote_write.endpoint: expected text, found 7
          endpoint: "ftp://host"      | uri: expected http://HOST
          endpoits: ["http://host"]   | found endpoits
          external_labels: [a]        | expected entries of the form name=value, found a
          timeout: 5s                 | .timeout: expected a whole number, found 5s
          disk: {dir: /tmp}           | expected one of directory, max_bytes, found dir
          headers: [{value: secret}]  | expected entries with a name and a value, found one without
          """)
  void whatCannotBeUsedIsAnError(String settings, String message) {
    assertThatThrownBy(() -> configure(settings))
        .cause()
        .isInstanceOf(DeclarativeConfigException.class)
        .hasMessageContaining(message);
  }
}

package dev.millrace.opentelemetry.autoconfigure;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.opentelemetry.Scrapes;
import dev.millrace.testkit.FreePort;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.incubator.config.DeclarativeConfigException;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.declarativeconfig.DeclarativeConfiguration;
import java.io.ByteArrayInputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the SDK makes of a declarative configuration file, by the service that it finds. */
class DeclarativeConfigurationTest {
  private final int port = FreePort.find();

  @Test
  void aNameAndAPortAreEnough() throws Exception {
    try (OpenTelemetrySdk sdk = configure("")) {
      record(sdk);
      assertThat(Scrapes.body(port, Scrapes.TEXT))
          .contains("orders_total{otel_scope_name=\"shop\",payment_kind=\"cash\"} 3\n")
          .contains("target_info{");
    }
  }

  @Test
  void everythingElseIsSetInTheFile() throws Exception {
    String settings =
        """
        host: 127.0.0.1
        path: /m
        translation_strategy: underscore_escaping_without_suffixes/development
        scope_info_enabled: false
        target_info_enabled/development: false
        resource_constant_labels:
          included: ["zone.*", "service.instance.id"]
          excluded: ["service.*"]
        created_timestamps_enabled: true
        default_histogram_aggregation: base2_exponential_bucket_histogram
        encoded_labels_bytes: 0
        max_wait: 2000
        cache: 100
        """;
    assertShowsOnlyTheOrder(settings);
  }

  @Test
  void theNamesOfEarlierSchemasMeanTheSame() throws Exception {
    String settings =
        """
        path: /m
        translation_strategy: underscore_escaping_without_suffixes
        without_scope_info: true
        without_target_info: true
        with_resource_constant_labels:
          included: [zone.name]
        """;
    assertShowsOnlyTheOrder(settings);
  }

  private void assertShowsOnlyTheOrder(String settings) throws Exception {
    try (OpenTelemetrySdk sdk = configure(settings)) {
      record(sdk);
      assertThat(Scrapes.samples(Scrapes.get(port, "/m", Map.of()).body()))
          .containsExactly("orders{payment_kind=\"cash\",zone_name=\"north\"} 3");
      assertThat(Scrapes.get(port, "/metrics", Map.of()).status()).isEqualTo(404);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"path:", "host: ", "scope_info_enabled:", "resource_constant_labels:"})
  void whatIsEmptyIsAsIfItWereNotThere(String settings) throws Exception {
    try (OpenTelemetrySdk sdk = configure(settings)) {
      record(sdk);
      assertThat(Scrapes.body(port, Scrapes.TEXT)).contains("orders_total{");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      textBlock =
          """
          path: metrics                    | path: expected a slash
          path: 7                          | millrace_prometheus.path: expected text, found 7
          scope_info_enabled: "false"      | .scope_info_enabled: expected true or false, found false
          without_scope_info: 1            | .without_scope_info: expected true or false, found 1
          translation_strategy: none       | .translation_strategy: expected one of underscore_esc
          encoded_labels_bytes: -1         | from 0 to 9223372036854775807, found -1
          max_wait: 0                      | .max_wait: expected from 1 ms to 86400000 ms, found PT0S
          cache: 1s                        | .cache: expected a whole number, found 1s
          tls: {cert_file: c.pem}          | millrace_prometheus.tls.key_file: expected a value beside
          tls: {ca_file: ca.pem}           | millrace_prometheus.tls.cert_file: expected a value
          basic_auth: {username: prom}     | basic_auth.password_file: expected a value beside
          basic_auth: {password: secret}   | expected one of password_file, username, found password
          encoded_labels_bytes: 1MB        | expected a whole number, found 1MB
          resource_constant_labels: all    | .resource_constant_labels: expected a mapping, found all
          resource_constant_labels: {included: []}   | .included: expected a list with something
          resource_constant_labels: {included: a}    | .included: expected a list of texts, found a
          resource_constant_labels: {include: [a]}   | expected one of excluded, included, found incl
          pathh: /m                        | found pathh
          """)
  void whatCannotBeUsedIsAnError(String settings, String message) {
    assertThatThrownBy(() -> configure(settings))
        .cause()
        .isInstanceOf(DeclarativeConfigException.class)
        .hasMessageContaining(message);
  }

  @Test
  void aSettingUnderTwoOfItsNamesIsAnError() {
    assertThatThrownBy(() -> configure("without_scope_info: true\nscope_info_enabled: true"))
        .cause()
        .isInstanceOf(DeclarativeConfigException.class)
        .hasMessageContaining("one of scope_info_enabled and without_scope_info, found both");
  }

  @Test
  void aTakenPortIsAnErrorThatNamesIt() throws Exception {
    try (ServerSocket taken = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      assertThatThrownBy(() -> configure(""))
          .cause()
          .isInstanceOf(DeclarativeConfigException.class)
          .hasMessageContaining("millrace_prometheus")
          .hasMessageContaining("port " + taken.getLocalPort());
    }
  }

  private OpenTelemetrySdk configure(String settings) {
    String file =
        """
        file_format: "1.1"
        resource:
          attributes:
            - {name: service.name, value: shop}
            - {name: service.instance.id, value: till-1}
            - {name: zone.name, value: north}
        meter_provider:
          readers:
            - pull:
                exporter:
                  millrace_prometheus:
        """
            + ("port: " + port + "\n" + settings).indent(12);
    return DeclarativeConfiguration.create(
            DeclarativeConfiguration.parse(new ByteArrayInputStream(file.getBytes(UTF_8))))
        .getSdk();
  }

  private static void record(OpenTelemetrySdk sdk) {
    sdk.getMeter("shop")
        .counterBuilder("orders")
        .build()
        .add(3, Attributes.of(AttributeKey.stringKey("payment.kind"), "cash"));
  }
}

package dev.millrace.opentelemetry.autoconfigure;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.opentelemetry.Scrapes;
import dev.millrace.testkit.FreePort;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigurationException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the SDK makes of properties, by the service that it finds. */
class AutoconfigureTest {
  private static final String PREFIX = "otel.exporter.millrace.prometheus.";

  @TempDir Path directory;

  private final int port = FreePort.find();
  private final Map<String, String> properties =
      new HashMap<>(
          Map.of(
              "otel.metrics.exporter", "millrace-prometheus",
              "otel.traces.exporter", "none",
              "otel.logs.exporter", "none",
              "otel.service.name", "shop",
              "otel.resource.attributes", "service.instance.id=till-1,zone.name=north",
              "otel.exporter.prometheus.port", Integer.toString(port)));

  @Test
  void aNameAndAPortAreEnough() throws Exception {
    try (OpenTelemetrySdk sdk = configure()) {
      record(sdk);
      assertThat(Scrapes.body(port, Scrapes.TEXT))
          .contains("orders_total{otel_scope_name=\"shop\",payment_kind=\"cash\"} 3\n")
          .contains("zone_name=\"north\"")
          .contains("target_info{");
    }
  }

  @Test
  void everythingElseIsSetByProperties() throws Exception {
    set("path", "/m");
    set("translation.strategy", "UnderscoreEscapingWithoutSuffixes");
    set("scope.info.enabled", "false");
    set("target.info.enabled", "false");
    set("resource.constant.labels.included", "zone.*, service.instance.id");
    set("resource.constant.labels.excluded", "service.*");
    set("created.timestamps.enabled", "true");
    set("default.histogram.aggregation", "BASE2_EXPONENTIAL_BUCKET_HISTOGRAM");
    set("exponential.histograms", "explicit_buckets");
    set("encoded.labels.bytes", "0");
    set("max.wait", "2s");
    set("cache", "100ms");
    properties.put("otel.exporter.prometheus.host", "127.0.0.1");
    try (OpenTelemetrySdk sdk = configure()) {
      record(sdk);
      assertThat(Scrapes.samples(Scrapes.get(port, "/m", Map.of()).body()))
          .contains("orders{payment_kind=\"cash\",zone_name=\"north\"} 3")
          .anyMatch(line -> line.startsWith("size_bucket{zone_name=\"north\",le=\"1"))
          .noneMatch(line -> line.startsWith("target_info"));
      assertThat(Scrapes.get(port, "/metrics", Map.of()).status()).isEqualTo(404);
    }
  }

  @Test
  void aPasswordFileIsEnoughToKeepOthersOut() throws Exception {
    Path file = Files.writeString(directory.resolve("password"), "correct horse\n");
    set("basic.auth.username", "prometheus");
    set("basic.auth.password.file", file.toString());
    try (OpenTelemetrySdk sdk = configure()) {
      record(sdk);
      assertThat(Scrapes.get(port, "/metrics", Map.of()).status()).isEqualTo(401);
      String credentials =
          Base64.getEncoder().encodeToString("prometheus:correct horse".getBytes(UTF_8));
      Scrapes.Response response =
          Scrapes.get(port, "/metrics", Map.of("Authorization", "Basic " + credentials));
      assertThat(response.body()).contains("orders_total{");
    }
  }

  @Test
  void aFileThatIsMissingIsAnErrorThatNamesIt() {
    set("basic.auth.username", "prometheus");
    set("basic.auth.password.file", directory.resolve("no-password").toString());
    assertThatThrownBy(this::configure)
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("no-password");
    set("basic.auth.username", "");
    set("basic.auth.password.file", "");
    set("tls.cert.file", directory.resolve("no-certificate").toString());
    set("tls.key.file", directory.resolve("no-key").toString());
    assertThatThrownBy(this::configure)
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("no-certificate");
  }

  @Test
  void emptyValuesAreAsIfTheyWereNotThere() throws Exception {
    properties.put("otel.exporter.prometheus.host", "");
    for (String name : ExporterSettings.NAMES) {
      if (!name.equals("port")) {
        set(name.replace('_', '.'), "");
      }
    }
    try (OpenTelemetrySdk sdk = configure()) {
      record(sdk);
      assertThat(Scrapes.body(port, Scrapes.TEXT)).contains("orders_total{");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          path                          | metrics  | path: expected a slash
          translation.strategy          | none     | one of underscore_escaping_with_suffixes,
          scope.info.enabled            | yes      | expected true or false, found yes
          target.info.enabled           | 1        | expected true or false, found 1
          created.timestamps.enabled    | on       | expected true or false, found on
          exponential.histograms        | native   | one of omitted, count_and_sum, explicit_buckets
          default.histogram.aggregation | drop     | one of explicit_bucket_histogram, base2_
          encoded.labels.bytes          | 1MB      | expected a whole number, found 1MB
          max.wait                      | 0        | expected from 1 ms to 86400000 ms, found PT0S
          cache                         | 2 weeks  | Invalid duration property otel.exporter.millrace
          tls.cert.file                 | c.pem    | tls.key.file: expected a value beside other files
          tls.key.file                  | k.pem    | tls.cert.file: expected a value beside other
          tls.ca.file                   | ca.pem   | tls.cert.file: expected a value beside other
          basic.auth.username           | prom     | password.file: expected a value beside a user
          basic.auth.password.file      | secret   | username: expected a value beside a password
          encoded.labels.bytes          | -1       | from 0 to 9223372036854775807, found -1
          """)
  void whatCannotBeUsedIsAnError(String name, String value, String message) {
    set(name, value);
    assertThatThrownBy(this::configure)
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          port | 65536       | prometheus.port: expected a whole number from 0 to 65535, found 65536
          port | http        | prometheus.port: expected a whole number, found http
          host | no.invalid. | host: expected a name or an address of this machine
          """)
  void whatCannotBeUsedOfTheStandardPropertiesIsAnError(String name, String value, String message) {
    properties.put("otel.exporter.prometheus." + name, value);
    assertThatThrownBy(this::configure)
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining(message);
  }

  @Test
  void aTakenPortIsAnErrorThatNamesIt() throws Exception {
    try (ServerSocket taken = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      assertThatThrownBy(this::configure)
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("millrace-prometheus")
          .hasMessageContaining("port " + taken.getLocalPort());
    }
  }

  private void set(String name, String value) {
    properties.put(PREFIX + name, value);
  }

  private OpenTelemetrySdk configure() {
    return AutoConfiguredOpenTelemetrySdk.builder()
        .disableShutdownHook()
        .addPropertiesSupplier(() -> properties)
        .build()
        .getOpenTelemetrySdk();
  }

  private static void record(OpenTelemetrySdk sdk) {
    sdk.getMeter("shop").histogramBuilder("size").build().record(1.5);
    sdk.getMeter("shop")
        .counterBuilder("orders")
        .build()
        .add(3, Attributes.of(AttributeKey.stringKey("payment.kind"), "cash"));
  }
}

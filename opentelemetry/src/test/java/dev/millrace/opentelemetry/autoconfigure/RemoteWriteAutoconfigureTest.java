package dev.millrace.opentelemetry.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.testkit.Eventually;
import dev.millrace.testkit.RemoteWriteMessage;
import dev.millrace.testkit.RemoteWriteReceiver;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigurationException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the SDK makes of properties, by the service that it finds. */
class RemoteWriteAutoconfigureTest {
  private static final Duration LIMIT = Duration.ofMinutes(1);
  private static final String PREFIX = "otel.exporter.millrace.remote.write.";

  @TempDir Path directory;

  private RemoteWriteReceiver receiver;
  private final Map<String, String> properties =
      new HashMap<>(
          Map.of(
              "otel.metrics.exporter", "millrace-remote-write",
              "otel.metric.export.interval", "3600000",
              "otel.traces.exporter", "none",
              "otel.logs.exporter", "none",
              "otel.service.name", "shop",
              "otel.resource.attributes", "service.instance.id=till-1,zone.name=north"));

  @BeforeEach
  void startReceiver() throws Exception {
    receiver = RemoteWriteReceiver.start();
    set("endpoint", receiver.endpoint().toString());
  }

  @AfterEach
  void stopReceiver() {
    receiver.close();
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
    assertThat(
            sdk.getSdkMeterProvider()
                .forceFlush()
                .join(LIMIT.toSeconds(), TimeUnit.SECONDS)
                .isSuccess())
        .isTrue();
  }

  private List<String> series() {
    return receiver.samples().stream().map(RemoteWriteMessage.Sample::series).toList();
  }

  @Test
  void aNameAndAnEndpointAreEnough() {
    try (OpenTelemetrySdk sdk = configure()) {
      record(sdk);
      assertThat(series())
          .contains(
              "orders_total{instance=\"till-1\",job=\"shop\",otel_scope_name=\"shop\","
                  + "payment_kind=\"cash\"}")
          .anyMatch(name -> name.startsWith("size_bucket{"))
          .anyMatch(name -> name.startsWith("target_info{"));
    }
  }

  @Test
  void everythingElseIsSetByProperties() throws Exception {
    Path password = Files.writeString(directory.resolve("password"), "correct horse\n");
    set("headers", "X-Scope-OrgID=shop%201");
    set("basic.auth.username", "prom");
    set("basic.auth.password.file", password.toString());
    set("timeout", "5s");
    set("retry.on.http.429", "false");
    set("flush.interval", "10ms");
    set("protobuf.message", "prometheus.WriteRequest");
    set("shards", "2");
    set("max.samples", "5");
    set("max.request.bytes", "100000");
    set("max.age", "1h");
    set("queue.max.bytes", "1000000");
    set("queue.max.requests", "50");
    set("disk.directory", directory.resolve("disk").toString());
    set("disk.max.bytes", "1000000");
    set("translation.strategy", "UnderscoreEscapingWithoutSuffixes");
    set("scope.info.enabled", "false");
    set("target.info.enabled", "false");
    set("resource.constant.labels.included", "zone.*");
    set("external.labels", "cluster=eu-1, replica=b");
    set("native.histograms", "false");
    set("custom.buckets", "false");
    set("exponential.histograms", "count_and_sum");
    set("stale.markers", "false");
    set("send.metadata", "false");
    set("default.histogram.aggregation", "base2_exponential_bucket_histogram");
    set("encoded.labels.bytes", "0");
    try (OpenTelemetrySdk sdk = configure()) {
      record(sdk);
    }
    assertThat(series())
        .contains(
            "orders{cluster=\"eu-1\",instance=\"till-1\",job=\"shop\",payment_kind=\"cash\","
                + "replica=\"b\",zone_name=\"north\"}")
        .anyMatch(name -> name.startsWith("size_count{"))
        .noneMatch(name -> name.startsWith("size_bucket{") && !name.contains("le=\"+Inf\""))
        .noneMatch(name -> name.startsWith("target_info{"));
    assertThat(receiver.samples()).noneMatch(RemoteWriteMessage.Sample::isStale);
    assertThat(receiver.requests())
        .allSatisfy(
            request -> {
              assertThat(request.message().version()).isEqualTo(1);
              assertThat(request.message().metadata()).isZero();
              assertThat(request.message().samples()).hasSizeLessThanOrEqualTo(5);
              assertThat(request.headers().getFirst("X-Scope-OrgID")).isEqualTo("shop 1");
              assertThat(request.headers().getFirst("Authorization"))
                  .isEqualTo(
                      "Basic "
                          + Base64.getEncoder()
                              .encodeToString(
                                  "prom:correct horse".getBytes(StandardCharsets.UTF_8)));
            });
  }

  @Test
  void severalEndpointsAreSentTheSame() throws Exception {
    try (RemoteWriteReceiver other = RemoteWriteReceiver.start()) {
      set("endpoint", "");
      set("endpoints", receiver.endpoint() + "," + other.endpoint());
      set("disk.directory", directory.toString());
      try (OpenTelemetrySdk sdk = configure()) {
        record(sdk);
        assertThat(receiver.samples("orders_total")).hasSize(1);
        assertThat(other.samples("orders_total")).hasSize(1);
      }
    }
  }

  @Test
  void theSameSdkTellsOfTheExportersHealth() {
    try (OpenTelemetrySdk sdk = configure()) {
      record(sdk);
      record(sdk);
      Eventually.isTrue(
          "samples that were sent",
          LIMIT,
          () -> {
            record(sdk);
            return receiver.samples("millrace_remote_write_samples_sent_total").stream()
                .anyMatch(sample -> sample.value() > 0);
          });
    }
  }

  @Test
  void emptyValuesAreAsIfTheyWereNotThere() {
    for (String name : RemoteWriteSettings.NAMES) {
      if (!name.equals("endpoint")) {
        set(name.replace('_', '.'), "");
      }
    }
    try (OpenTelemetrySdk sdk = configure()) {
      record(sdk);
      assertThat(receiver.samples("orders_total")).hasSize(1);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          endpoint                      | ftp://secret@h   | cannot be used as configured: uri: expected
          endpoint                      | http://a b       | endpoint: expected an http or https address
          endpoints                     | http://a,http://b | endpoints: expected one of endpoint and
          headers                       | secret           | headers: expected name=value, separated by
          basic.auth.username           | u                | basic.auth.password.file: expected a file
          basic.auth.password.file      | f                | basic.auth.username: expected a name beside
          bearer.token.file             | no-such-file     | no-such-file
          tls.cert.file                 | c.pem            | tls.key.file: expected a file, as the client
          timeout                       | 0                | timeout: expected from 1 ms to 86400000 ms
          flush.interval                | 2d               | flush.interval: expected from 0 ms to
          retry.on.http.429             | yes              | expected true or false, found yes
          protobuf.message              | v2               | expected auto, prometheus.WriteRequest or io
          shards                        | 51               | expected a whole number from 1 to 50
          max.samples                   | 0                | max.samples: expected a whole number from 1
          max.request.bytes             | 100              | expected a whole number from 1024 to 33554432
          queue.max.bytes               | 1                | maxBytes of 65536 or more
          queue.max.requests            | 0                | expected a whole number from 1
          disk.max.bytes                | 0                | expected a whole number from 1
          translation.strategy          | none             | one of underscore_escaping_with_suffixes,
          external.labels               | cluster          | expected entries of the form name=value
          native.histograms             | 1                | expected true or false, found 1
          exponential.histograms        | native           | one of omitted, count_and_sum, explicit_buckets
          encoded.labels.bytes          | -1               | from 0 to 9223372036854775807, found -1
          default.histogram.aggregation | drop             | one of explicit_bucket_histogram, base2_
          """)
  void whatCannotBeUsedIsAnError(String name, String value, String message) {
    set(name, value);
    assertThatThrownBy(this::configure)
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining(message)
        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("secret"));
  }

  @Test
  void aFileOfTlsThatIsMissingIsAnErrorThatNamesIt() {
    set("endpoint", "https://localhost/api/v1/write");
    set("tls.ca.file", directory.resolve("no-authority").toString());
    assertThatThrownBy(this::configure)
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("no-authority");
  }

  @Test
  void twoKindsOfCredentialsAreAnError() {
    set("basic.auth.username", "u");
    set("basic.auth.password.file", "f");
    set("bearer.token.file", "t");
    assertThatThrownBy(this::configure)
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("bearer.token.file: expected nothing beside basic_auth");
  }
}

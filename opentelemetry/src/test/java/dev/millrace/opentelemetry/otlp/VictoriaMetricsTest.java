package dev.millrace.opentelemetry.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.format.otlp.OtlpSignal;
import dev.millrace.testkit.Eventually;
import dev.millrace.testkit.FreePort;
import dev.millrace.testkit.ManagedProcess;
import dev.millrace.testkit.RealProgram;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.export.PeriodicMetricReader;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A receiver of OTLP that knows nothing of Millrace: VictoriaMetrics takes metrics. */
class VictoriaMetricsTest {
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final AttributeKey<String> KIND = AttributeKey.stringKey("kind");

  private final HttpClient http = HttpClient.newHttpClient();

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void takesMetrics(boolean gzip, @TempDir Path directory) throws Exception {
    RealProgram program = RealProgram.requireNewer("victoria-metrics");
    int port = FreePort.find();
    try (ManagedProcess victoria =
        ManagedProcess.start(
            List.of(
                program.executable().toString(),
                "-httpListenAddr=127.0.0.1:" + port,
                "-storageDataPath=" + directory.resolve("data"),
                "-search.latencyOffset=0s"),
            Map.of(),
            directory.resolve("victoria.log"))) {
      Eventually.isTrue("a ready VictoriaMetrics", LIMIT, () -> isReady(port));
      OtlpExporter otlp =
          OtlpExporter.builder()
              .endpoint(
                  OtlpSignal.METRICS,
                  URI.create("http://127.0.0.1:" + port + "/opentelemetry/v1/metrics"))
              .gzip(gzip)
              .build();
      try (SdkMeterProvider provider =
          SdkMeterProvider.builder()
              .registerMetricReader(PeriodicMetricReader.builder(otlp.metrics()).build())
              .build()) {
        record(provider.get("shop"));
        assertThat(provider.forceFlush().join(LIMIT.toSeconds(), TimeUnit.SECONDS).isSuccess())
            .isTrue();
      }
      expect(port, "orders{kind=\"cash\"}", "3");
      expect(port, "temperature{kind=\"oven\"}", "-1.5");
      expect(port, "{__name__=\"waiting_sum\"}", "0.5");
      expect(port, "{__name__=\"waiting_count\"}", "1");
      assertThat(victoria.output()).doesNotContain("cannot unmarshal");
    }
  }

  private static void record(Meter meter) {
    meter.counterBuilder("orders").build().add(3, Attributes.of(KIND, "cash"));
    meter.gaugeBuilder("temperature").build().set(-1.5, Attributes.of(KIND, "oven"));
    meter.histogramBuilder("waiting").build().record(0.5);
  }

  private boolean isReady(int port) throws InterruptedException {
    try {
      return get(port, "/health").equals("OK");
    } catch (IOException e) {
      return false;
    }
  }

  private void expect(int port, String query, String value) {
    Eventually.isTrue(
        query + " = " + value,
        LIMIT,
        () ->
            get(port, "/api/v1/query?query=" + URLEncoder.encode(query, StandardCharsets.UTF_8))
                .contains(",\"" + value + "\"]"));
  }

  private String get(int port, String path) throws IOException, InterruptedException {
    return http.send(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build(),
            HttpResponse.BodyHandlers.ofString())
        .body();
  }
}

package dev.millrace.opentelemetry.extension;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testkit.Eventually;
import dev.millrace.testkit.FreePort;
import dev.millrace.testkit.ManagedProcess;
import dev.millrace.testkit.PrometheusServer;
import dev.millrace.testkit.PrometheusServer.Sample;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The built jar beside the real OpenTelemetry Java agent. */
class JavaAgentExtensionIT {
  private static final Duration LIMIT = Duration.ofSeconds(90);

  @TempDir Path directory;

  private final HttpClient http = HttpClient.newHttpClient();

  @Test
  void aPropertyIsEnough() throws Exception {
    int port = FreePort.find();
    try (PrometheusServer prometheus = PrometheusServer.scraping(directory, "127.0.0.1:" + port);
        ManagedProcess bakery =
            Bakery.start(
                directory,
                List.of(
                    "-Dotel.metrics.exporter=millrace-prometheus",
                    "-Dotel.exporter.prometheus.port=" + port,
                    "-Dotel.resource.attributes=service.instance.id=oven-1"))) {
      bakery.awaitOutput("recorded", LIMIT);
      awaitScrape(
          port,
          bakery,
          "bakery_loaves_total{kind_of_flour=\"rye\",otel_scope_name=\"bakery\"} "
              + BakeryProgram.LOAVES,
          "jvm_memory_used_bytes{",
          "target_info{");
      assertThat(one(prometheus, "bakery_loaves_total")).isEqualTo(BakeryProgram.LOAVES);
      assertThat(one(prometheus, "bakery_baking_seconds_sum")).isEqualTo(1800);
      assertThat(one(prometheus, "jvm_class_count")).isGreaterThan(100);
      assertThat(one(prometheus, "target_info{service_name=\"bakery\"}")).isEqualTo(1);
      assertThat(bakery.output()).doesNotContain("ERROR");
    }
  }

  @Test
  void aDeclarativeConfigurationFileIsEnough() throws Exception {
    int port = FreePort.find();
    Path file = directory.resolve("otel.yaml");
    Files.writeString(
        file,
        """
        file_format: "1.1"
        meter_provider:
          readers:
            - pull:
                exporter:
                  millrace_prometheus:
                    port: %d
                    scope_info_enabled: false
                    default_histogram_aggregation: base2_exponential_bucket_histogram
        """
            .formatted(port));
    try (PrometheusServer prometheus =
            PrometheusServer.scraping(
                directory, "127.0.0.1:" + port, "--enable-feature=native-histograms");
        ManagedProcess bakery = Bakery.start(directory, List.of("-Dotel.config.file=" + file))) {
      bakery.awaitOutput("recorded", LIMIT);
      awaitScrape(
          port, bakery, "bakery_loaves_total{kind_of_flour=\"rye\"} " + BakeryProgram.LOAVES);
      assertThat(one(prometheus, "histogram_sum(bakery_baking_seconds)")).isEqualTo(1800);
      assertThat(one(prometheus, "histogram_quantile(0.5, bakery_baking_seconds)"))
          .isBetween(1700.0, 1900.0);
    }
  }

  @Test
  void theJarHoldsNothingOfOthersButOneLibrary() throws Exception {
    try (JarFile jar = new JarFile(Bakery.extension().toFile())) {
      List<String> names =
          jar.stream().filter(entry -> !entry.isDirectory()).map(ZipEntry::getName).toList();
      assertThat(names)
          .contains(
              "dev/millrace/opentelemetry/PrometheusExporter.class",
              "dev/millrace/export/server/PrometheusServer.class",
              "dev/millrace/bytes/ChunkPool.class",
              "org/xerial/snappy/native/Linux/x86_64/libsnappyjava.so")
          .allMatch(
              name ->
                  name.startsWith("dev/millrace/")
                      || name.startsWith("org/xerial/snappy/")
                      || name.startsWith("META-INF/"))
          .noneMatch(name -> name.endsWith("module-info.class"));
    }
  }

  /**
   * Waits for a scrape with all of this: what the agent records by itself comes only after a while,
   * and the first scrapes share a reading that may have begun before the program recorded anything.
   */
  private void awaitScrape(int port, ManagedProcess program, String... parts) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics")).build();
    Eventually.isTrue(
        "a scrape with " + List.of(parts) + "; the program printed:\n" + program.tail(),
        LIMIT,
        () -> {
          HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
          return response.statusCode() == 200
              && Stream.of(parts).allMatch(response.body()::contains);
        });
  }

  private static double one(PrometheusServer prometheus, String promql) {
    return Eventually.get(
        "exactly one sample of " + promql,
        LIMIT,
        () -> {
          List<Sample> samples = prometheus.query(promql);
          return samples.size() == 1 ? samples.get(0).value() : null;
        });
  }
}

package dev.millrace.agent.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testkit.Eventually;
import dev.millrace.testkit.FreePort;
import dev.millrace.testkit.ManagedProcess;
import dev.millrace.testkit.PrometheusServer;
import dev.millrace.testkit.RealProgram;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** OTLP into the built agent, and what PromQL shows of it in a real Prometheus. */
class RemoteWriteEndToEndIT {
  private static final Duration LIMIT = Duration.ofSeconds(90);

  @TempDir Path directory;

  private final HttpClient http = HttpClient.newHttpClient();
  private final int otlpPort = FreePort.find();
  private final int prometheusPort = FreePort.find();

  private ManagedProcess startAgent(String name, String moreKeys) throws IOException {
    Path file = directory.resolve("agent.yaml");
    Files.writeString(
        file,
        """
        receivers: {otlp: {protocols: {http: {endpoint: "127.0.0.1:%d"}}}}
        exporters:
          prometheusremotewrite:
            endpoint: http://127.0.0.1:%d/api/v1/write
        %sservice: {pipelines: {metrics: {receivers: [otlp], exporters: [prometheusremotewrite]}}}
        """
            .formatted(otlpPort, prometheusPort, moreKeys.indent(4)));
    ManagedProcess agent =
        ManagedProcess.start(
            BuiltAgent.command("--config", file.toString()),
            BuiltAgent.ENVIRONMENT,
            directory.resolve(name + ".log"));
    agent.awaitOutput("ready", LIMIT);
    return agent;
  }

  private PrometheusServer startPrometheus() throws IOException {
    return PrometheusServer.receiving(
        RealProgram.require("prometheus"),
        directory,
        prometheusPort,
        "--enable-feature=native-histograms,exemplar-storage");
  }

  private static String point(long timeMillis, long value) {
    return """
        {"asInt": "%d", "timeUnixNano": "%d000000", "startTimeUnixNano": "%d000000"}
        """
        .formatted(value, timeMillis, timeMillis - 1);
  }

  private void send(String metric, int temporality, String... points)
      throws IOException, InterruptedException {
    StringJoiner all = new StringJoiner(",");
    Stream.of(points).forEach(all::add);
    String body =
        """
        {"resourceMetrics": [{"resource": {"attributes": [
            {"key": "service.name", "value": {"stringValue": "shop"}},
            {"key": "service.instance.id", "value": {"stringValue": "till-1"}}]},
          "scopeMetrics": [{"metrics": [{"name": "%s", "unit": "{order}",
            "sum": {"aggregationTemporality": %d, "isMonotonic": true, "dataPoints": [%s]}}]}]}]}
        """
            .formatted(metric, temporality, all);
    HttpResponse<String> reply =
        http.send(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + otlpPort + "/v1/metrics"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build(),
            HttpResponse.BodyHandlers.ofString());
    assertThat(reply.statusCode()).as(reply.body()).isEqualTo(200);
  }

  private static void expect(PrometheusServer prometheus, String promql, double value) {
    Eventually.isTrue(
        promql + " = " + value,
        LIMIT,
        () ->
            prometheus.query(promql).stream()
                .map(PrometheusServer.Sample::value)
                .toList()
                .equals(List.of(value)));
  }

  @Test
  void promQlShowsEveryPoint() throws Exception {
    long now = System.currentTimeMillis();
    try (PrometheusServer prometheus = startPrometheus();
        ManagedProcess agent = startAgent("agent", "collection_interval: 1s")) {
      send("orders", 2, point(now - 3_000, 1), point(now - 2_000, 2));
      send("orders", 2, point(now - 1_000, 4));
      send("visits", 1, point(now - 2_000, 10), point(now - 1_000, 5));
      expect(prometheus, "orders_total{job=\"shop\",instance=\"till-1\"}", 4);
      expect(prometheus, "count_over_time(orders_total[1h])", 3);
      expect(prometheus, "visits_total", 15);
      expect(prometheus, "count_over_time(visits_total[1h])", 2);
      expect(prometheus, "target_info{job=\"shop\"}", 1);
      expect(prometheus, "sum(millrace_exporter_samples_dropped_total{job=\"millrace-agent\"})", 0);
      assertThat(agent.terminate(LIMIT)).as(agent.tail()).isZero();
    }
  }

  @Test
  void whatWasOnDiskArrivesAfterAKill() throws Exception {
    long now = System.currentTimeMillis();
    Path disk = directory.resolve("disk");
    String keys =
        """
        disk: {directory: %s}
        remote_write_queue: {queue_size: 2, max_size: 64KiB, num_consumers: 1}
        max_samples_per_send: 1
        batch_send_deadline: 10ms
        retry_on_failure: {max_interval: 100ms}
        protobuf_message: prometheus.WriteRequest
        target_info: {enabled: false}
        send_metadata: false
        collection_interval: 150s
        """
            .formatted(disk);
    Set<String> stored;
    try (ManagedProcess agent = startAgent("first", keys)) {
      for (int i = 0; i < 20; i++) {
        send("orders", 2, point(now - 20_000 + i * 1_000L, i));
      }
      stored =
          Eventually.get(
              "requests on disk",
              LIMIT,
              () -> {
                Set<String> files = files(disk);
                return files.size() >= 10 ? files : null;
              });
      Process process = agent.process();
      Stream.concat(Stream.of(process.toHandle()), process.descendants())
          .forEach(ProcessHandle::destroyForcibly);
      assertThat(process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }
    try (PrometheusServer prometheus = startPrometheus();
        ManagedProcess agent = startAgent("second", keys)) {
      // Some that were only in memory may be missing; none of those on disk is.
      Eventually.isTrue("an empty disk", LIMIT, () -> files(disk).isEmpty());
      Eventually.isTrue(
          "at least " + stored.size() + " samples",
          LIMIT,
          () ->
              prometheus.query("count_over_time(orders_total[1h])").stream()
                  .anyMatch(sample -> sample.value() >= stored.size()));
      assertThat(prometheus.query("count_over_time(orders_total[1h])").get(0).value())
          .isLessThanOrEqualTo(20);
      assertThat(agent.terminate(LIMIT)).as(agent.tail()).isZero();
    }
  }

  /** The requests in the directory, by the names that a queue on disk gives them. */
  private static Set<String> files(Path disk) throws IOException {
    if (!Files.exists(disk)) {
      return Set.of();
    }
    try (Stream<Path> all = Files.walk(disk)) {
      return all.map(Path::toString)
          .filter(name -> name.endsWith(".millrace"))
          .collect(Collectors.toSet());
    }
  }
}

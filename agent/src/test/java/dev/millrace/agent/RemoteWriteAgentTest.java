package dev.millrace.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.agent.config.AgentConfig;
import dev.millrace.testkit.Eventually;
import dev.millrace.testkit.FreePort;
import dev.millrace.testkit.RemoteWriteMessage;
import dev.millrace.testkit.RemoteWriteReceiver;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The agent in this process: OTLP in, and a receiver of remote write that does what it is told. */
class RemoteWriteAgentTest {
  private static final Duration LIMIT = Duration.ofMinutes(1);

  /** Points are of now: a receiver, and the agent, may leave out what is old. */
  private final long nowMillis = System.currentTimeMillis();

  private final HttpClient client = HttpClient.newHttpClient();
  private RemoteWriteReceiver receiver;
  private @Nullable Agent started;

  @TempDir Path directory;

  private Agent agent() {
    return Objects.requireNonNull(started);
  }

  @BeforeEach
  void startReceiver() throws Exception {
    receiver = RemoteWriteReceiver.start();
  }

  @AfterEach
  void everyChunkIsBack() {
    receiver.close();
    assertThat(agent().chunks().outstandingChunks()).isZero();
  }

  private void start(String exporters, String names) throws Exception {
    String yaml =
        """
        receivers: {otlp: {protocols: {http: {endpoint: "127.0.0.1:0"}}}}
        exporters:
        %sservice: {pipelines: {metrics: {receivers: [otlp], exporters: [%s]}}}
        """
            .formatted(exporters.indent(2), names);
    started = Agent.start(AgentConfig.parse("test.yaml", yaml, Map.of()));
  }

  private void start(String moreKeys) throws Exception {
    start(
        "prometheusremotewrite:\n"
            + ("endpoint: " + receiver.endpoint() + "\n" + moreKeys).indent(2),
        "prometheusremotewrite");
  }

  /** A number point as OTLP's JSON has it. */
  private String point(long afterMillis, long value) {
    return """
        {"asInt": "%d", "timeUnixNano": "%d000000", "startTimeUnixNano": "%d000000"}
        """
        .formatted(value, nowMillis + afterMillis, nowMillis + afterMillis - 1);
  }

  private void send(String metric, int temporality, String... points) throws Exception {
    StringJoiner all = new StringJoiner(",");
    List.of(points).forEach(all::add);
    String body =
        """
        {"resourceMetrics": [{
          "resource": {"attributes": [{"key": "service.name", "value": {"stringValue": "shop"}}]},
          "scopeMetrics": [{"scope": {"name": "demo"}, "metrics": [{"name": "%s",
            "sum": {"aggregationTemporality": %d, "isMonotonic": true, "dataPoints": [%s]}}]}]}]}
        """
            .formatted(metric, temporality, all);
    HttpResponse<String> reply =
        client.send(
            HttpRequest.newBuilder(
                    URI.create(
                        "http://127.0.0.1:"
                            + Objects.requireNonNull(agent().addresses().get("receivers: otlp"))
                                .getPort()
                            + "/v1/metrics"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build(),
            HttpResponse.BodyHandlers.ofString());
    assertThat(reply.statusCode()).as(reply.body()).isEqualTo(200);
  }

  private List<Double> values(RemoteWriteReceiver of, String name, int count) {
    Eventually.isTrue(count + " samples of " + name, LIMIT, () -> of.samples(name).size() >= count);
    return of.samples(name).stream().map(RemoteWriteMessage.Sample::value).toList();
  }

  @Test
  void everyPointOfARequestIsSentOnceInOrder() throws Exception {
    start("");
    send("orders", 2, point(0, 1), point(5, 2), point(10, 3));
    send("orders", 2, point(15, 4));
    assertThat(values(receiver, "orders_total", 4)).containsExactly(1.0, 2.0, 3.0, 4.0);
    assertThat(receiver.samples("orders_total"))
        .extracting(RemoteWriteMessage.Sample::timeMillis)
        .containsExactly(nowMillis, nowMillis + 5, nowMillis + 10, nowMillis + 15);
    assertThat(receiver.samples("orders_total").get(0).series())
        .isEqualTo("orders_total{job=\"shop\",otel_scope_name=\"demo\"}");
    assertThat(agent().stop()).isTrue();
    assertThat(receiver.samples("orders_total")).as("no markers at the end").hasSize(4);
  }

  @Test
  void deltaPointsAreSentAsWhatTheyAddUpTo() throws Exception {
    start("");
    send("orders", 1, point(0, 1), point(5, 2));
    send("orders", 1, point(10, 3));
    assertThat(values(receiver, "orders_total", 3)).containsExactly(1.0, 3.0, 6.0);
    agent().stop();
  }

  @Test
  void aSeriesThatIsNotHeardOfGetsAStaleMarker() throws Exception {
    start("metric_expiration: 1s");
    send("orders", 2, point(0, 1));
    Eventually.isTrue(
        "a stale marker",
        LIMIT,
        () ->
            receiver.samples("orders_total").stream().anyMatch(RemoteWriteMessage.Sample::isStale));
    assertThat(receiver.samples("orders_total")).hasSize(2);
    agent().stop();
  }

  @Test
  void whatIsQueuedIsSentBeforeTheEnd() throws Exception {
    start("batch_send_deadline: 1h");
    send("orders", 2, point(0, 7));
    assertThat(agent().stop()).isTrue();
    assertThat(receiver.samples("orders_total")).hasSize(1);
  }

  @Test
  void aDeadEndpointSlowsNoOther() throws Exception {
    start(
        """
        prometheusremotewrite/dead:
          endpoint: http://127.0.0.1:%d/api
          remote_write_queue: {queue_size: 2}
          max_samples_per_send: 1
        prometheusremotewrite:
          endpoint: %s
        """
            .formatted(FreePort.find(), receiver.endpoint()),
        "prometheusremotewrite/dead, prometheusremotewrite");
    for (int i = 0; i < 20; i++) {
      send("orders", 2, point(i, i));
    }
    assertThat(values(receiver, "orders_total", 20)).hasSize(20);
    assertThat(agent().stop()).as("all was sent").isFalse();
  }

  @Test
  void whatCannotBeSentWaitsOnDiskForTheNextStart() throws Exception {
    String disk = "disk: {directory: %s}".formatted(directory);
    receiver.answerAlways(503);
    start(disk);
    send("orders", 2, point(0, 7));
    agent().stop();
    try (var files = Files.walk(directory)) {
      assertThat(files.filter(Files::isRegularFile)).isNotEmpty();
    }
    receiver.answerAlways(204);
    start(disk);
    assertThat(values(receiver, "orders_total", 1)).containsExactly(7.0);
    agent().stop();
  }

  @Test
  void theAgentsOwnMetricsAreSentAndSayHowTheExporterIs() throws Exception {
    receiver.answer(400);
    // A sender of 2.0 would take a first answer of 400 for that of a receiver that lacks it.
    start("collection_interval: 1s\nprotobuf_message: prometheus.WriteRequest");
    send("orders", 2, point(0, 7));
    Map<String, Double> last = new HashMap<>();
    Eventually.isTrue(
        "samples that were sent and dropped",
        LIMIT,
        () -> {
          for (RemoteWriteMessage.Sample sample : receiver.samples()) {
            last.put(sample.series(), sample.value());
          }
          return sum(last, "millrace_exporter_samples_sent_total{") > 0
              && sum(last, "millrace_exporter_samples_dropped_total{") > 0;
        });
    assertThat(last.keySet())
        .allMatch(series -> series.contains("job="))
        .anyMatch(series -> series.startsWith("process_uptime_seconds{"))
        .anyMatch(series -> series.startsWith("millrace_exporter_queue_age_seconds{"))
        .anyMatch(series -> series.startsWith("millrace_exporter_queue_samples{"))
        .anyMatch(series -> series.startsWith("millrace_exporter_requests_duration_seconds_total{"))
        .anyMatch(series -> series.startsWith("millrace_receiver_requests_total{"));
    assertThat(sum(last, "millrace_exporter_points_total{")).isEqualTo(1);
    agent().stop();
  }

  private static double sum(Map<String, Double> samples, String prefix) {
    return samples.entrySet().stream()
        .filter(sample -> sample.getKey().startsWith(prefix))
        .mapToDouble(Map.Entry::getValue)
        .sum();
  }

  @Test
  void aScrapeShowsHowTheExporterIs() throws Exception {
    start(
        """
        prometheus: {endpoint: "127.0.0.1:0"}
        prometheusremotewrite: {endpoint: "%s"}
        """
            .formatted(receiver.endpoint()),
        "prometheus, prometheusremotewrite");
    send("orders", 2, point(0, 7));
    assertThat(values(receiver, "orders_total", 1)).containsExactly(7.0);
    Eventually.isTrue(
        "a scrape with what was sent",
        LIMIT,
        () ->
            scrape()
                .lines()
                .anyMatch(
                    line ->
                        line.startsWith("millrace_exporter_samples_sent_total{")
                            && line.contains("exporter=\"prometheusremotewrite\"")
                            && line.contains("kind=\"sample\"")
                            && !line.endsWith(" 0")));
    assertThat(scrape()).contains("orders_total{");
    agent().stop();
  }

  private String scrape() throws IOException, InterruptedException {
    int port = Objects.requireNonNull(agent().addresses().get("exporters: prometheus")).getPort();
    return client
        .send(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics")).build(),
            HttpResponse.BodyHandlers.ofString())
        .body();
  }

  @Test
  void pointsThatComeFromManyThreadsKeepTheirOrder() throws Exception {
    start("max_samples_per_send: 10\nbatch_send_deadline: 10ms");
    int threads = 8;
    int points = 100;
    List<Thread> senders = new ArrayList<>();
    List<Throwable> failures = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      String name = "orders" + t;
      Thread sender =
          new Thread(
              () -> {
                try {
                  for (int i = 0; i < points; i += 2) {
                    send(name, 2, point(i, i), point(i + 1, i + 1));
                  }
                } catch (Exception | AssertionError e) {
                  synchronized (failures) {
                    failures.add(e);
                  }
                }
              });
      sender.start();
      senders.add(sender);
    }
    for (Thread sender : senders) {
      sender.join();
    }
    assertThat(failures).isEmpty();
    for (int t = 0; t < threads; t++) {
      assertThat(values(receiver, "orders" + t + "_total", points)).hasSize(points).isSorted();
    }
    agent().stop();
  }

  @Test
  void aFileThatIsMissingStartsNothing() throws Exception {
    start("");
    agent().stop();
    assertThatThrownBy(
            () -> start("authorization: {credentials_file: " + directory.resolve("none") + "}"))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("exporters: prometheusremotewrite: ")
        .hasMessageContaining("none");
  }
}

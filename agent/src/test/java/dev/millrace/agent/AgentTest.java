package dev.millrace.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.agent.config.AgentConfig;
import dev.millrace.testkit.Eventually;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The whole agent in this process, over real sockets. */
class AgentTest {
  private static final String OPENMETRICS = "application/openmetrics-text;version=1.0.0";
  private static final String ONE_PIPELINE =
      """
      receivers: {otlp: {protocols: {http: {endpoint: "127.0.0.1:0"}}}}
      exporters: {prometheus: {endpoint: "127.0.0.1:0"}}
      service: {pipelines: {metrics: {receivers: [otlp], exporters: [prometheus]}}}
      """;
  private static final String ORDERS =
      """
      {"resourceMetrics": [{
        "resource": {"attributes": [{"key": "service.name", "value": {"stringValue": "shop"}}]},
        "scopeMetrics": [{"scope": {"name": "demo"}, "metrics": [{
          "name": "orders", "unit": "{order}", "description": "Orders taken.",
          "sum": {"aggregationTemporality": 2, "isMonotonic": true, "dataPoints": [{
            "asInt": "3", "timeUnixNano": "1764500000000000000",
            "attributes": [{"key": "kind", "value": {"stringValue": "cash"}}]}]}}]}]}]}
      """;

  private final HttpClient client = HttpClient.newHttpClient();
  private Agent agent;

  @BeforeEach
  void startOnePipeline() throws Exception {
    agent = Agent.start(AgentConfig.parse("test.yaml", ONE_PIPELINE, Map.of()));
  }

  @AfterEach
  void everyChunkIsBack() {
    assertThat(agent.chunks().outstandingChunks()).isZero();
  }

  private int port(String component) {
    return Objects.requireNonNull(agent.addresses().get(component), component).getPort();
  }

  private URI uri(String component, String path) {
    return URI.create("http://127.0.0.1:" + port(component) + path);
  }

  private HttpResponse<String> send(byte[] body, String... headers)
      throws IOException, InterruptedException {
    return client.send(
        HttpRequest.newBuilder(uri("receivers: otlp", "/v1/metrics"))
            .headers(headers)
            .POST(HttpRequest.BodyPublishers.ofByteArray(body))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private HttpResponse<String> sendOrders() throws IOException, InterruptedException {
    return send(ORDERS.getBytes(StandardCharsets.UTF_8), "Content-Type", "application/json");
  }

  private String scrape(String exporter, String accept) throws IOException, InterruptedException {
    HttpResponse<String> reply =
        client.send(
            HttpRequest.newBuilder(uri(exporter, "/metrics")).header("Accept", accept).build(),
            HttpResponse.BodyHandlers.ofString());
    assertThat(reply.statusCode()).isEqualTo(200);
    return reply.body();
  }

  @Test
  void whatIsSentIsScraped() throws Exception {
    HttpResponse<String> reply = sendOrders();
    assertThat(reply.statusCode()).isEqualTo(200);
    assertThat(reply.headers().firstValue("Content-Type")).contains("application/json");
    assertThat(scrape("exporters: prometheus", "*/*"))
        .contains("# TYPE orders_total counter")
        .containsPattern("orders_total\\{[^}]*job=\"shop\"[^}]*} 3\n");
    assertThat(scrape("exporters: prometheus", OPENMETRICS))
        .contains("# TYPE orders counter")
        .endsWith("# EOF\n");
    ByteArrayOutputStream zipped = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(zipped)) {
      gzip.write(ORDERS.replace("\"3\"", "\"4\"").getBytes(StandardCharsets.UTF_8));
    }
    send(zipped.toByteArray(), "Content-Type", "application/json", "Content-Encoding", "gzip");
    assertThat(scrape("exporters: prometheus", "*/*")).containsPattern("orders_total\\{[^}]*} 4\n");
    assertThat(agent.stop()).isTrue();
  }

  @Test
  void theAgentsOwnMetricsStandBesideWhatWasReceived() throws Exception {
    sendOrders();
    send(new byte[] {1}, "Content-Type", "text/plain");
    String first = scrape("exporters: prometheus", "*/*");
    assertThat(first)
        .containsPattern("process_uptime_seconds\\{[^}]*job=\"millrace-agent\"[^}]*} [0-9.]+\n")
        .containsPattern("process_cpu_time_seconds_total\\{.*} [0-9.]+\n")
        .containsPattern("jvm_memory_used_bytes\\{.*} [1-9][0-9]*\n")
        .containsPattern("millrace_problems_total\\{.*kind=\"otlp_wrong_content_type\".*} 1\n")
        .containsPattern("millrace_problems_total\\{.*kind=\"http_malformed\".*} 0\n")
        .containsPattern(
            "millrace_receiver_requests_total\\{.*http_response_status_code=\"200\".*} 1\n")
        .containsPattern(
            "millrace_receiver_requests_total\\{.*http_response_status_code=\"415\".*} 1\n")
        .containsPattern("millrace_receiver_received_bytes_total\\{.*} [1-9][0-9]*\n")
        .containsPattern("millrace_exporter_points_total\\{.*outcome=\"accepted\".*} 1\n")
        .containsPattern("millrace_exporter_points_total\\{.*outcome=\"rejected\".*} 0\n")
        .containsPattern("millrace_exporter_series\\{.*} 1\n")
        .containsPattern("millrace_exporter_scrapes_total\\{.*} 0\n")
        .containsPattern("millrace_chunks_allocated_total\\{.*} [1-9][0-9]*\n")
        .containsPattern("target_info\\{[^}]*job=\"millrace-agent\"");
    Eventually.isTrue(
        "the first scrape is counted in a later one",
        Duration.ofSeconds(20),
        () ->
            scrape("exporters: prometheus", "*/*")
                .lines()
                .anyMatch(
                    line ->
                        line.startsWith("millrace_exporter_scrapes_total{")
                            && !line.endsWith(" 0")));
    agent.stop();
  }

  @Test
  void pipelinesSendEachReceiverToItsExportersOnce() throws Exception {
    agent.stop();
    String yaml =
        """
        receivers:
          otlp: {protocols: {http: {endpoint: "127.0.0.1:0"}}}
          otlp/other: {protocols: {http: {endpoint: "127.0.0.1:0"}}}
        exporters:
          prometheus: {endpoint: "127.0.0.1:0"}
          prometheus/both: {endpoint: "127.0.0.1:0"}
          prometheus/other: {endpoint: "127.0.0.1:0"}
        service:
          pipelines:
            metrics: {receivers: [otlp], exporters: [prometheus, prometheus/both]}
            metrics/again: {receivers: [otlp], exporters: [prometheus/both]}
            metrics/other: {receivers: [otlp/other], exporters: [prometheus/both, prometheus/other]}
        """;
    agent = Agent.start(AgentConfig.parse("test.yaml", yaml, Map.of()));
    assertThat(agent.addresses()).hasSize(5);
    assertThat(sendOrders().statusCode()).isEqualTo(200);
    assertThat(scrape("exporters: prometheus", "*/*")).contains("orders_total");
    assertThat(scrape("exporters: prometheus/both", "*/*"))
        .contains("orders_total")
        .containsPattern("millrace_exporter_points_total\\{.*outcome=\"accepted\".*} 1\n")
        .contains("receiver=\"otlp/other\"");
    assertThat(scrape("exporters: prometheus/other", "*/*")).doesNotContain("orders_total");
    assertThat(agent.stop()).isTrue();
  }

  @Test
  void aTakenPortStartsNothing() throws Exception {
    int port = port("receivers: otlp");
    String sameReceiver = ONE_PIPELINE.replaceFirst("127.0.0.1:0", "127.0.0.1:" + port);
    assertThatThrownBy(() -> Agent.start(AgentConfig.parse("test.yaml", sameReceiver, Map.of())))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("receivers: otlp: cannot listen on 127.0.0.1:" + port)
        .hasMessageContaining("in use");
    assertThat(sendOrders().statusCode()).isEqualTo(200);
    agent.stop();
  }

  @Test
  void stopCutsOffWhatTakesTooLong() throws Exception {
    try (Socket slow = new Socket(InetAddress.getLoopbackAddress(), port("receivers: otlp"))) {
      slow.getOutputStream()
          .write(
              "POST /v1/metrics HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"
                  .getBytes(StandardCharsets.US_ASCII));
      Eventually.isTrue(
          "a body in flight",
          Duration.ofSeconds(20),
          () -> agent.chunks().outstandingChunks() == 1);
      assertThat(agent.stop()).as("all finished").isFalse();
      assertThat(slow.getInputStream().read()).isEqualTo(-1);
    }
  }

  @Test
  void readinessAndHealthAreTold() throws Exception {
    for (String path : new String[] {"/-/ready", "/-/healthy"}) {
      HttpResponse<String> reply =
          client.send(
              HttpRequest.newBuilder(uri("exporters: prometheus", path)).build(),
              HttpResponse.BodyHandlers.ofString());
      assertThat(reply.statusCode()).isEqualTo(200);
    }
    agent.stop();
  }
}

package dev.millrace.opentelemetry.extension;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.millrace.testkit.Eventually;
import dev.millrace.testkit.ManagedProcess;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.metrics.v1.Metric;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The OTLP exporters of the built jar beside the real Java agent, with all three signals. */
class OtlpExtensionIT {
  private static final Duration LIMIT = Duration.ofSeconds(90);

  /** So many exports that spans of the first ones, if there were any, would have come. */
  private static final int EXPORTS = 12;

  @TempDir Path directory;

  private final List<ExportTraceServiceRequest> traces = new CopyOnWriteArrayList<>();
  private final List<ExportLogsServiceRequest> logs = new CopyOnWriteArrayList<>();
  private final List<ExportMetricsServiceRequest> metrics = new CopyOnWriteArrayList<>();
  private HttpServer sink;

  @BeforeEach
  void startSink() throws IOException {
    sink = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    sink.createContext("/", this::take);
    sink.start();
  }

  @AfterEach
  void stopSink() {
    sink.stop(0);
  }

  private void take(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readAllBytes();
      switch (exchange.getRequestURI().getPath()) {
        case "/v1/traces" -> traces.add(ExportTraceServiceRequest.parseFrom(body));
        case "/v1/logs" -> logs.add(ExportLogsServiceRequest.parseFrom(body));
        case "/v1/metrics" -> metrics.add(ExportMetricsServiceRequest.parseFrom(body));
        default -> throw new IOException("unexpected: " + exchange.getRequestURI());
      }
      exchange.sendResponseHeaders(200, -1);
    }
  }

  @Test
  void allThreeSignalsArriveAndExportsAreNotTraced() {
    try (ManagedProcess bakery =
        Bakery.start(
            directory,
            List.of(
                "-Dotel.traces.exporter=millrace-otlp",
                "-Dotel.logs.exporter=millrace-otlp",
                "-Dotel.metrics.exporter=millrace-otlp",
                "-Dotel.metric.export.interval=500",
                "-Dotel.bsp.schedule.delay=200",
                "-Dotel.exporter.otlp.endpoint=http://127.0.0.1:" + sink.getAddress().getPort()))) {
      Eventually.isTrue(
          "the span; the program printed:\n" + bakery.tail(),
          LIMIT,
          () -> spanNames().contains("bake"));
      Eventually.isTrue(
          "the log record; the program printed:\n" + bakery.tail(), LIMIT, this::hasLogRecord);
      Eventually.isTrue(
          "the counter; the program printed:\n" + bakery.tail(), LIMIT, this::hasCounter);
      Eventually.isTrue("more exports", LIMIT, () -> metrics.size() >= EXPORTS);
      assertThat(spanNames()).containsExactly("bake");
      assertThat(bakery.output()).doesNotContain("ERROR");
    }
  }

  private List<String> spanNames() {
    List<String> names = new ArrayList<>();
    for (ExportTraceServiceRequest request : traces) {
      request
          .getResourceSpansList()
          .forEach(
              resource ->
                  resource
                      .getScopeSpansList()
                      .forEach(
                          scope ->
                              scope.getSpansList().forEach(span -> names.add(span.getName()))));
    }
    return names;
  }

  private boolean hasLogRecord() {
    return logs.stream()
        .flatMap(request -> request.getResourceLogsList().stream())
        .flatMap(resource -> resource.getScopeLogsList().stream())
        .flatMap(scope -> scope.getLogRecordsList().stream())
        .anyMatch(record -> record.getBody().getStringValue().equals("baked"));
  }

  private boolean hasCounter() {
    return metrics.stream()
        .flatMap(request -> request.getResourceMetricsList().stream())
        .flatMap(resource -> resource.getScopeMetricsList().stream())
        .flatMap(scope -> scope.getMetricsList().stream())
        .filter(metric -> metric.getName().equals("bakery.loaves"))
        .map(Metric::getSum)
        .anyMatch(sum -> sum.getDataPoints(0).getAsInt() == BakeryProgram.LOAVES);
  }
}

package dev.millrace.opentelemetry.extension;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.millrace.testkit.Eventually;
import dev.millrace.testkit.ManagedProcess;
import dev.millrace.testkit.RemoteWriteReceiver;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The remote-write exporter of the built jar beside the real Java agent. */
class RemoteWriteExtensionIT {
  private static final Duration LIMIT = Duration.ofSeconds(90);

  /** So many exports that spans of the first ones, if there were any, would have come. */
  private static final int EXPORTS = 12;

  @TempDir Path directory;

  @Test
  void metricsArriveAndExportsAreNotTraced() throws Exception {
    List<String> spans = new CopyOnWriteArrayList<>();
    HttpServer traces =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    traces.createContext(
        "/",
        exchange -> {
          try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            for (ResourceSpans resource :
                ExportTraceServiceRequest.parseFrom(body).getResourceSpansList()) {
              resource
                  .getScopeSpansList()
                  .forEach(
                      scope -> scope.getSpansList().forEach(span -> spans.add(span.getName())));
            }
            exchange.sendResponseHeaders(200, -1);
          }
        });
    traces.start();
    try (RemoteWriteReceiver receiver = RemoteWriteReceiver.start();
        ManagedProcess bakery =
            Bakery.start(
                directory,
                List.of(
                    "-Dotel.metrics.exporter=millrace-remote-write",
                    "-Dotel.metric.export.interval=500",
                    "-Dotel.exporter.millrace.remote.write.endpoint=" + receiver.endpoint(),
                    "-Dotel.traces.exporter=millrace-otlp",
                    "-Dotel.bsp.schedule.delay=200",
                    "-Dotel.exporter.otlp.traces.endpoint=http://127.0.0.1:"
                        + traces.getAddress().getPort()
                        + "/v1/traces"))) {
      Eventually.isTrue(
          "the counter; the program printed:\n" + bakery.tail(),
          LIMIT,
          () ->
              receiver.samples("bakery_loaves_total").stream()
                  .anyMatch(sample -> sample.value() == BakeryProgram.LOAVES));
      Eventually.isTrue("the span", LIMIT, () -> spans.contains("bake"));
      Eventually.isTrue("more exports", LIMIT, () -> receiver.requests().size() >= EXPORTS);
      assertThat(spans).containsExactly("bake");
      assertThat(receiver.samples("bakery_loaves_total").get(0).series())
          .contains("job=\"bakery\"", "kind_of_flour=\"rye\"");
      assertThat(bakery.output()).doesNotContain("ERROR");
    } finally {
      traces.stop(0);
    }
  }
}

package dev.millrace.agent.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testkit.Eventually;
import dev.millrace.testkit.FreePort;
import dev.millrace.testkit.ManagedProcess;
import dev.millrace.testkit.PrometheusServer;
import dev.millrace.testkit.PrometheusServer.Exemplar;
import dev.millrace.testkit.PrometheusServer.Sample;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The whole path with real programs: the OpenTelemetry Java agent sends, Prometheus scrapes and is
 * asked by PromQL.
 */
class AgentEndToEndIT {
  private static final Duration LIMIT = Duration.ofSeconds(90);

  @TempDir Path directory;

  @Test
  void whatAProgramRecordsIsFoundInPrometheus() throws Exception {
    int otlpPort = FreePort.find();
    int scrapePort = FreePort.find();
    try (ManagedProcess agent = startAgent(otlpPort, scrapePort);
        PrometheusServer prometheus =
            PrometheusServer.scraping(
                directory, "127.0.0.1:" + scrapePort, "--enable-feature=exemplar-storage");
        ManagedProcess shop = startShop(otlpPort)) {
      shop.awaitOutput("recorded", LIMIT);

      Sample orders = one(prometheus, "shop_orders_total", LIMIT);
      assertThat(orders.value()).isEqualTo(ShopProgram.ORDERS);
      assertThat(orders.labels())
          .contains("\"job\":\"corner/shop\"", "\"instance\":\"till-1\"")
          .contains("\"payment_kind\":\"cash \\\"only\\\"\\n\"", "\"otel_scope_name\":\"shop\"");
      assertThat(one(prometheus, "shop_basket_items", LIMIT).value()).isEqualTo(-2);
      assertThat(one(prometheus, "shop_till_temperature_celsius", LIMIT).value()).isEqualTo(21.5);
      assertThat(one(prometheus, "shop_checkout_duration_seconds_count", LIMIT).value())
          .isEqualTo(ShopProgram.SECONDS.size());
      assertThat(one(prometheus, "shop_checkout_duration_seconds_sum", LIMIT).value())
          .isEqualTo(27.904);
      assertThat(bucket(prometheus, "0.005")).isEqualTo(1);
      assertThat(bucket(prometheus, "0.25")).isEqualTo(3);
      assertThat(bucket(prometheus, "10.0|10")).isEqualTo(4);
      assertThat(bucket(prometheus, "[+]Inf")).isEqualTo(5);
      assertThat(
              one(
                      prometheus,
                      "target_info{job=\"corner/shop\",telemetry_sdk_language=\"java\"}",
                      LIMIT)
                  .value())
          .isEqualTo(1);
      assertThat(exemplars(prometheus, "shop_orders_total", 1))
          .allSatisfy(exemplar -> assertThat(exemplar.value()).isEqualTo(1));
      // One for each bucket that a value fell into.
      assertThat(exemplars(prometheus, "shop_checkout_duration_seconds_bucket", 4))
          .extracting(Exemplar::value)
          .contains(0.004, 0.2, 7.5, 20.0);
      // The Java agent's own instrumentation comes the same way.
      assertThat(one(prometheus, "jvm_class_count{job=\"corner/shop\"}", LIMIT).value())
          .isGreaterThan(100);
      assertThat(prometheus.query("up{instance=\"127.0.0.1:" + scrapePort + "\"}"))
          .extracting(Sample::value)
          .containsExactly(1.0);
      assertThat(prometheus.targets()).contains("\"lastError\":\"\"");
      assertThat(agent.terminate(Duration.ofSeconds(5)))
          .as("exit code after SIGTERM; output:\n%s", agent.tail())
          .isZero();
    }
  }

  private ManagedProcess startAgent(int otlpPort, int scrapePort) throws Exception {
    Path configuration = directory.resolve("agent.yaml");
    Files.writeString(
        configuration,
        """
        receivers:
          otlp:
            protocols:
              http:
                endpoint: 127.0.0.1:%d
        exporters:
          prometheus:
            endpoint: 127.0.0.1:%d
        service:
          pipelines:
            metrics:
              receivers: [otlp]
              exporters: [prometheus]
        """
            .formatted(otlpPort, scrapePort));
    ManagedProcess agent =
        ManagedProcess.start(
            BuiltAgent.command("--config", configuration.toString()),
            BuiltAgent.ENVIRONMENT,
            directory.resolve("agent.log"));
    BuiltAgent.awaitReady(agent, scrapePort);
    return agent;
  }

  private ManagedProcess startShop(int otlpPort) {
    String javaAgent = System.getProperty("millrace.test.javaagent");
    assertThat(Path.of(javaAgent))
        .as("the OpenTelemetry Java agent that the build brings")
        .isRegularFile();
    List<String> command =
        new ArrayList<>(List.of(ManagedProcess.java(), "-javaagent:" + javaAgent));
    command.add("-Dotel.exporter.otlp.endpoint=http://127.0.0.1:" + otlpPort);
    command.add("-Dotel.exporter.otlp.protocol=http/protobuf");
    command.add("-Dotel.metric.export.interval=1000");
    command.add("-Dotel.traces.exporter=none");
    command.add("-Dotel.logs.exporter=none");
    command.add("-Dotel.service.name=shop");
    command.add("-Dotel.resource.attributes=service.namespace=corner,service.instance.id=till-1");
    command.addAll(List.of("-cp", shopClassPath(), ShopProgram.class.getName()));
    return ManagedProcess.start(command, Map.of(), directory.resolve("shop.log"));
  }

  private static String shopClassPath() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(
            entry ->
                entry.endsWith("test-classes")
                    || entry.contains("opentelemetry-api-")
                    || entry.contains("opentelemetry-context-")
                    || entry.contains("opentelemetry-common-"))
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static double bucket(PrometheusServer prometheus, String le) {
    return one(prometheus, "shop_checkout_duration_seconds_bucket{le=~\"" + le + "\"}", LIMIT)
        .value();
  }

  private static List<Exemplar> exemplars(PrometheusServer prometheus, String promql, int least) {
    List<Exemplar> found =
        Eventually.get(
            least + " exemplars of " + promql,
            LIMIT,
            () -> {
              List<Exemplar> exemplars = prometheus.exemplars(promql);
              return exemplars.size() >= least ? exemplars : null;
            });
    assertThat(found)
        .extracting(Exemplar::labels)
        .allSatisfy(
            labels ->
                assertThat(labels)
                    .contains(
                        "\"trace_id\":\"" + ShopProgram.TRACE + "\"",
                        "\"span_id\":\"" + ShopProgram.SPAN + "\""));
    return found;
  }

  private static Sample one(PrometheusServer prometheus, String promql, Duration limit) {
    return Eventually.get(
        "exactly one sample of " + promql,
        limit,
        () -> {
          List<Sample> samples = prometheus.query(promql);
          return samples.size() == 1 ? samples.get(0) : null;
        });
  }
}

package dev.millrace.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.agent.config.AgentConfig;
import dev.millrace.store.Counter;
import dev.millrace.store.MetricStore;
import dev.millrace.testkit.Eventually;
import dev.millrace.testkit.Promtool;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Directories of other processes, through the whole agent over real sockets. */
class DirectoryReceiverTest {
  @TempDir Path directory;

  private final HttpClient client = HttpClient.newHttpClient();

  private static Agent start(String receivers, String exporters) throws Exception {
    String yaml =
        """
        receivers: {%s}
        exporters: {prometheus: {endpoint: "127.0.0.1:0"}, prometheus/2: {endpoint: "127.0.0.1:0"}}
        service: {pipelines: {metrics: {receivers: [%s], exporters: [%s]}}}
        """
            .formatted(
                receivers,
                receivers.startsWith("otlp")
                    ? "otlp, millrace_store, multiprocess"
                    : receivers.substring(0, receivers.indexOf(':')),
                exporters);
    return Agent.start(AgentConfig.parse("test.yaml", yaml, Map.of()));
  }

  private String scrape(Agent agent, String exporter) throws IOException, InterruptedException {
    int port = Objects.requireNonNull(agent.addresses().get("exporters: " + exporter)).getPort();
    HttpResponse<String> reply =
        client.send(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics")).build(),
            HttpResponse.BodyHandlers.ofString());
    assertThat(reply.statusCode()).isEqualTo(200);
    return reply.body();
  }

  /** One sample, as client_ruby's DirectFileStore writes it. */
  private static void writeRuby(Path file, String key, double value) throws IOException {
    int padded = key.length() + 8 - (key.length() + 4) % 8;
    ByteBuffer bytes = ByteBuffer.allocate(8 + 4 + padded + 16).order(ByteOrder.nativeOrder());
    bytes.putInt(bytes.capacity()).putInt(0).putInt(padded);
    bytes.put((key + " ".repeat(padded - key.length())).getBytes(StandardCharsets.US_ASCII));
    bytes.putDouble(value).putDouble(1);
    Files.write(file, bytes.array());
  }

  @Test
  void directoriesAreScrapedBesideWhatIsReceived() throws Exception {
    Path ruby = Files.createDirectory(directory.resolve("ruby"));
    writeRuby(ruby.resolve("metric_hits_total___7.bin"), "path=%2Fa", 4);
    writeRuby(ruby.resolve("metric_hits_total___8.bin"), "path=%2Fa", 5);
    Files.writeString(
        ruby.resolve("metrics.json"),
        "[{\"name\":\"hits_total\",\"type\":\"counter\",\"help\":\"Hits.\"}]");
    Path store = directory.resolve("store");
    try (MetricStore own = MetricStore.open(store)) {
      Counter orders = own.counter("orders").labelNames("kind").create();
      orders.labels("cash").increment();
      Agent agent =
          start(
              "otlp: {protocols: {http: {endpoint: \"127.0.0.1:0\"}}}, millrace_store: {directory: "
                  + store
                  + ", resource_attributes: {service.name: shop}}, multiprocess: {directory: "
                  + ruby
                  + "}",
              "prometheus, prometheus/2");
      try {
        for (String exporter : new String[] {"prometheus", "prometheus/2", "prometheus"}) {
          assertThat(scrape(agent, exporter))
              .contains("# HELP hits_total Hits.\n# TYPE hits_total counter\n")
              .containsPattern("hits_total\\{[^}]*path=\"/a\"[^}]*} 9(\\.0)?\n")
              .containsPattern("orders_total\\{[^}]*job=\"shop\"[^}]*} 1\n")
              .contains("process_uptime_seconds");
        }
        orders.labels("cash").increment();
        orders.labels("card").increment();
        writeRuby(ruby.resolve("metric_hits_total___9.bin"), "path=%2Fb", 1);
        assertThat(scrape(agent, "prometheus"))
            .containsPattern("orders_total\\{[^}]*kind=\"cash\"[^}]*} 2\n")
            .containsPattern("orders_total\\{[^}]*kind=\"card\"[^}]*} 1\n")
            .containsPattern("hits_total\\{[^}]*path=\"/b\"[^}]*} 1\n");
        Eventually.isTrue(
            "the files are counted",
            Duration.ofSeconds(20),
            () -> {
              String text = scrape(agent, "prometheus/2");
              return text.contains("millrace_receiver_files{")
                  && text.lines()
                      .anyMatch(l -> l.startsWith("millrace_receiver_files{") && l.endsWith(" 3"));
            });
      } finally {
        assertThat(agent.stop()).isTrue();
      }
      assertThat(agent.chunks().outstandingChunks()).isZero();
    }
  }

  @Test
  void promtoolTakesTheDirectoriesOfEachClient() throws Exception {
    Path samples = Path.of("../store/src/test/resources/dev/millrace/store/foreign");
    Promtool promtool = Promtool.require();
    for (String client :
        List.of("client_ruby-4.2.5", "client_python-0.25.0", "prometheus-client-mmap-0.16.2")) {
      Path home = samples.resolve(client).toAbsolutePath().normalize();
      String schema =
          client.startsWith("client_ruby") ? ", schema: " + home.resolve("metrics.json") : "";
      Agent agent =
          start("multiprocess: {directory: " + home.resolve("dir") + schema + "}", "prometheus");
      try {
        String text = scrape(agent, "prometheus");
        assertThat(text)
            .contains("# TYPE requests_total counter\n", "# TYPE query_seconds histogram\n")
            .containsPattern("\nplain_total(\\{.*})? 9\n")
            .contains("path=\"/103\"");
        assertThat(promtool.checkMetrics(text.getBytes(StandardCharsets.UTF_8)))
            .as(client)
            .noneMatch(line -> line.contains("error"));
      } finally {
        agent.stop();
      }
    }
  }

  @Test
  void theAgentRetiresWhereItIsTold() throws Exception {
    try (MetricStore dead = MetricStore.open(directory)) {
      dead.counter("orders").create().labels().add(3);
    }
    Agent agent =
        start("millrace_store: {directory: " + directory + ", retire_interval: 1s}", "prometheus");
    try {
      Eventually.isTrue(
          "the dead are in the totals",
          Duration.ofSeconds(60),
          () ->
              Files.exists(directory.resolve("totals.mill"))
                  && scrape(agent, "prometheus")
                      .lines()
                      .anyMatch(
                          line ->
                              line.startsWith("millrace_receiver_retired_total{")
                                  && line.endsWith(" 1")));
      assertThat(scrape(agent, "prometheus")).containsPattern("\norders_total(\\{.*})? 3\n");
    } finally {
      agent.stop();
    }
  }

  @Test
  void aDirectoryThatCannotBeUsedStopsTheStart() throws Exception {
    Path file = Files.createFile(directory.resolve("file"));
    for (String receiver :
        new String[] {
          "millrace_store: {directory: " + directory.resolve("none") + ", retire: false}",
          "millrace_store: {directory: " + file + "}",
          "multiprocess: {directory: " + file + "}",
          "multiprocess: {directory: " + directory + ", schema: " + directory.resolve("no") + "}",
          "multiprocess: {directory: " + directory + ", schema: " + file + "}",
        }) {
      assertThatThrownBy(() -> start(receiver, "prometheus"))
          .as(receiver)
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("receivers: " + receiver.substring(0, receiver.indexOf(':')))
          .hasMessageContaining(directory.toString());
    }
  }

  @Test
  void aDirectoryOfAnotherClientMayComeLater() throws Exception {
    Path later = directory.resolve("later");
    Agent agent = start("multiprocess: {directory: " + later + "}", "prometheus");
    try {
      assertThat(scrape(agent, "prometheus")).doesNotContain("hits");
      Files.createDirectory(later);
      writeRuby(later.resolve("metric_hits___7.bin"), "", 4);
      assertThat(scrape(agent, "prometheus"))
          .contains("# TYPE hits untyped\n")
          .containsPattern("\nhits(\\{.*})? 4\n");
    } finally {
      agent.stop();
    }
  }

  @Test
  void theStoreCommandLooksAfterADirectory() throws Exception {
    try (MetricStore dead = MetricStore.open(directory)) {
      dead.counter("orders").create().labels().add(3);
    }
    assertThat(store("list", directory.toString())).startsWith("0 ").contains("dead");
    assertThat(store("dump", directory.toString())).startsWith("0 ").contains("orders 3\n");
    assertThat(store("check", directory.toString())).startsWith("0 ").contains("0 not whole");
    assertThat(store("retire", directory.toString())).startsWith("0 ").contains("1 dead");
    assertThat(store("dump", directory.toString())).startsWith("0 ").contains("orders 3\n");
    Files.writeString(directory.resolve("totals.mill"), "broken");
    assertThat(store("check", directory.toString())).startsWith("1 ").contains("1 not whole");
    assertThat(store("list", directory.resolve("none").toString()))
        .startsWith("1 ")
        .contains("none");
    assertThat(store("--help")).startsWith("0 ").contains("retire");
    assertThat(store("dump", "--help")).startsWith("0 ").contains("DIRECTORY");
    assertThat(store()).startsWith("2 ").contains("retire");
    assertThat(store("dump")).startsWith("2 ").contains("DIRECTORY");
    assertThat(store("remove", "x")).startsWith("2 ");
  }

  private static String store(String... args) {
    StringWriter text = new StringWriter();
    PrintWriter printer = new PrintWriter(text, true);
    String[] all = new String[args.length + 1];
    all[0] = "store";
    System.arraycopy(args, 0, all, 1, args.length);
    Invocation invocation = Invocation.of(all, printer, printer);
    assertThat(invocation.config()).isNull();
    printer.flush();
    return invocation.exitCode() + " " + text;
  }
}

package dev.millrace.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testkit.ManagedProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The agent as a process of its own: what it prints, and how it ends. */
class AgentProcessTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  @TempDir Path folder;

  private ManagedProcess start(String name, String... args) {
    List<String> command =
        new ArrayList<>(
            List.of(
                ManagedProcess.java(),
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
    command.addAll(List.of(args));
    return ManagedProcess.start(command, Map.of(), folder.resolve(name + ".log"));
  }

  private String config(int otlpPort) throws IOException {
    Path file = folder.resolve("agent-" + otlpPort + ".yaml");
    Files.writeString(
        file,
        """
        receivers: {otlp: {protocols: {http: {endpoint: "127.0.0.1:%d"}}}}
        exporters: {prometheus: {endpoint: "127.0.0.1:0"}}
        service: {pipelines: {metrics: {receivers: [otlp], exporters: [prometheus]}}}
        """
            .formatted(otlpPort));
    return file.toString();
  }

  private static int port(ManagedProcess agent, String component) {
    Matcher port =
        Pattern.compile(component + " on 127\\.0\\.0\\.1:(\\d+)").matcher(agent.output());
    assertThat(port.find()).as(agent.output()).isTrue();
    return Integer.parseInt(port.group(1));
  }

  @Test
  void startsServesAndStops() throws Exception {
    try (ManagedProcess agent = start("agent", "--config", config(0))) {
      agent.awaitOutput("ready", LIMIT);
      int scrapePort = port(agent, "exporters: prometheus");
      HttpResponse<String> reply =
          HttpClient.newHttpClient()
              .send(
                  HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + scrapePort + "/metrics"))
                      .build(),
                  HttpResponse.BodyHandlers.ofString());
      assertThat(reply.body()).contains("process_memory_usage_bytes");
      assertThat(agent.terminate(LIMIT)).as(agent.output()).isZero();
      assertThat(agent.output().lines())
          .hasSize(2)
          .allSatisfy(line -> assertThat(line).containsPattern("^\\S+Z INFO dev.millrace: "));
      assertThat(agent.output()).contains("ms after the JVM started").endsWith("stopped\n");
    }
  }

  @Test
  void stopsInTimeWithAnOpenConnectionThatIsSlow() throws Exception {
    try (ManagedProcess agent = start("agent", "--config", config(0))) {
      agent.awaitOutput("ready", LIMIT);
      try (Socket slow =
          new Socket(InetAddress.getLoopbackAddress(), port(agent, "receivers: otlp"))) {
        slow.getOutputStream()
            .write("POST /v1/metrics HTTP/1.1\r\nHost:".getBytes(StandardCharsets.US_ASCII));
        // The exit code would be 1 if the stop had taken longer than it may.
        assertThat(agent.terminate(LIMIT)).as(agent.output()).isZero();
      }
    }
  }

  @Test
  void aTakenPortIsOneClearLine() throws Exception {
    try (ManagedProcess first = start("first", "--config", config(0))) {
      first.awaitOutput("ready", LIMIT);
      int taken = port(first, "receivers: otlp");
      try (ManagedProcess second = start("second", "--config", config(taken))) {
        assertThat(second.process().waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(second.process().exitValue()).isEqualTo(1);
        assertThat(second.output().lines())
            .singleElement()
            .asString()
            .startsWith("millrace-agent: receivers: otlp: cannot listen on 127.0.0.1:" + taken)
            .contains("in use");
      }
    }
  }

  @Test
  void aBrokenConfigurationIsExitCode2() throws Exception {
    Path file = folder.resolve("broken.yaml");
    Files.writeString(file, "recievers: {}\n");
    try (ManagedProcess agent = start("agent", "--config", file.toString())) {
      assertThat(agent.process().waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(agent.process().exitValue()).isEqualTo(2);
      assertThat(agent.output()).contains(file + ":1:1:").contains("receivers");
    }
  }
}

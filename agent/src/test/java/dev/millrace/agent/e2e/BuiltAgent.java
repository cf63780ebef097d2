package dev.millrace.agent.e2e;

import dev.millrace.testkit.Eventually;
import dev.millrace.testkit.ManagedProcess;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The agent as {@code ./run} starts it: the folder that the build made, in a process of its own.
 */
final class BuiltAgent {
  private static final Duration START_LIMIT = Duration.ofSeconds(30);

  /** The agent runs on the JDK that the tests run on. */
  static final Map<String, String> ENVIRONMENT =
      Map.of("JAVA_HOME", System.getProperty("java.home"));

  private BuiltAgent() {}

  /** The command line that starts the agent with the given arguments. */
  static List<String> command(String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(
        Path.of("target", "millrace-agent", "bin", "millrace-agent").toAbsolutePath().toString());
    command.addAll(List.of(arguments));
    return command;
  }

  /** Waits until the agent says that it is ready. */
  static void awaitReady(ManagedProcess agent, int scrapePort) {
    HttpClient http = HttpClient.newHttpClient();
    HttpRequest ready =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + scrapePort + "/-/ready")).build();
    Eventually.isTrue(
        "the agent ready",
        START_LIMIT,
        () -> {
          if (!agent.process().isAlive()) {
            throw new IllegalStateException("the agent ended:\n" + agent.tail());
          }
          return http.send(ready, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
        });
  }
}

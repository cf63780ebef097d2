package dev.millrace.opentelemetry.extension;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testkit.ManagedProcess;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Starts {@link BakeryProgram} beside the real Java agent and the extension. */
final class Bakery {
  private Bakery() {}

  /**
   * Starts the program, without exporters unless a property names one.
   *
   * @param properties arguments of the JVM
   */
  static ManagedProcess start(Path directory, List<String> properties) {
    String javaAgent = System.getProperty("millrace.test.javaagent");
    assertThat(Path.of(javaAgent))
        .as("the OpenTelemetry Java agent that the build brings")
        .isRegularFile();
    List<String> command =
        new ArrayList<>(List.of(ManagedProcess.java(), "-javaagent:" + javaAgent));
    command.add("-Dotel.javaagent.extensions=" + extension());
    command.add("-Dotel.traces.exporter=none");
    command.add("-Dotel.logs.exporter=none");
    command.add("-Dotel.service.name=bakery");
    command.addAll(properties);
    command.addAll(List.of("-cp", classPath(), BakeryProgram.class.getName()));
    return ManagedProcess.start(command, Map.of(), directory.resolve("bakery.log"));
  }

  static Path extension() {
    Path jar = Path.of(System.getProperty("millrace.test.extension"));
    assertThat(jar).as("the jar that this module makes").isRegularFile();
    return jar;
  }

  /** The tests' own classes and the OpenTelemetry API: nothing of Millrace, and no SDK. */
  private static String classPath() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(
            entry ->
                entry.endsWith("test-classes")
                    || entry.contains("opentelemetry-api-")
                    || entry.contains("opentelemetry-context-")
                    || entry.contains("opentelemetry-common-"))
        .collect(Collectors.joining(File.pathSeparator));
  }
}

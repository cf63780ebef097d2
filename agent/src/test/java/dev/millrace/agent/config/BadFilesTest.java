package dev.millrace.agent.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every kind of wrong file, each with the exact message that it must get. */
class BadFilesTest {
  private static final String SECRET = "hunter2";

  private static final Map<String, String> ENV =
      Map.of(
          "HOST", "127.0.0.1",
          "PORT", "9464",
          "SECRET", SECRET,
          "ZERO", "0",
          "TYPE", "otlp",
          "NEARLY", "promtheus",
          "NESTED", "${env:HOST}:4318",
          "LIST", "[otlp]",
          "MAPPING", "{otlp: }");

  @TestFactory
  Stream<DynamicTest> notYaml() {
    return tests("bad-yaml.txt");
  }

  @TestFactory
  Stream<DynamicTest> wrongKeysAndValues() {
    return tests("bad-keys-and-values.txt");
  }

  @TestFactory
  Stream<DynamicTest> wrongPipelines() {
    return tests("bad-pipelines.txt");
  }

  @TestFactory
  Stream<DynamicTest> wrongSubstitution() {
    return tests("bad-substitution.txt");
  }

  private static Stream<DynamicTest> tests(String resource) {
    return TableOfFiles.read(resource).stream()
        .map(file -> dynamicTest(file.name(), () -> check(file)));
  }

  private static void check(TableOfFiles.Case file) {
    ConfigException e =
        catchThrowableOfType(
            ConfigException.class, () -> AgentConfig.parse("bad.yaml", file.yaml(), ENV));
    assertThat(e).as(file.yaml()).isNotNull();
    assertThat(e).hasMessage(file.expected());
    assertThat(e.getMessage()).doesNotContain(SECRET);
    assertThat(e.problems()).isSorted();
  }
}

package dev.millrace.agent.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.millrace.agent.config.ConfigException.Problem;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AgentConfigTest {
  private static final String PIPELINE =
      "service: {pipelines: {metrics: {receivers: [otlp], exporters: [prometheus]}}}\n";
  private static final String SMALLEST =
      "receivers: {otlp: }\nexporters: {prometheus: }\n" + PIPELINE;

  @TempDir Path directory;

  @Test
  void theDefaultsAreOtlpToPrometheusOnLoopback() {
    assertThat(GoodFilesTest.shown(AgentConfig.defaults()))
        .isEqualTo(
            """
            otlp -> http 127.0.0.1:4318, 67108864 bytes
            prometheus <- 127.0.0.1:9464, 300000 ms, 1000000 series
            metrics: [otlp] -> [prometheus]""");
  }

  /**
   * The embedded file shows each key with its default; a default that moves in the code must move
   * there too.
   */
  @Test
  void theDefaultFileSaysWhatTheCodeHasByDefault() throws ConfigException {
    assertThat(AgentConfig.defaults()).isEqualTo(parse(SMALLEST));
    assertThat(AgentConfig.defaultYaml())
        .contains("endpoint:", "max_request_body_size:", "metric_expiration:", "max_series:")
        .contains("translation_strategy:", "without_scope_info:", "exponential_histograms:")
        .contains("From 1KiB to 1GiB", "From 1ms to 168h", "From 1 to 100000000");
  }

  @Test
  void readsAFileWithTheVariablesOfTheProcess() throws IOException, ConfigException {
    Map.Entry<String, String> variable =
        System.getenv().entrySet().stream()
            .filter(entry -> entry.getKey().equals("PATH"))
            .findFirst()
            .orElseThrow();
    Path file = write((SMALLEST + "# " + variable.getKey()).getBytes(StandardCharsets.UTF_8));

    assertThat(AgentConfig.load(file)).isEqualTo(AgentConfig.defaults());

    Path wrong =
        write(
            "receivers: {otlp: }\nexporters: {prometheus: {max_series: \"${PATH}\"}}\n" + PIPELINE);
    assertThatThrownBy(() -> AgentConfig.load(wrong))
        .hasMessageEndingWith(
            "max_series: expected a whole number, found the value of \"${PATH}\"; write it in"
                + " digits alone")
        .hasMessageNotContaining(variable.getValue());
  }

  @Test
  void skipsAByteOrderMark() throws IOException, ConfigException {
    assertThat(AgentConfig.load(write("\uFEFF" + SMALLEST))).isEqualTo(AgentConfig.defaults());
    assertThat(parse("\uFEFF" + SMALLEST)).isEqualTo(AgentConfig.defaults());
  }

  @Test
  void readsEveryKindOfLineEnd() throws ConfigException {
    assertThat(parse(SMALLEST.replace("\n", "\r\n"))).isEqualTo(AgentConfig.defaults());
    assertThat(parse(SMALLEST.replace("\n", "\r"))).isEqualTo(AgentConfig.defaults());
  }

  @Test
  void saysThatThereIsNoFile() {
    Path missing = directory.resolve("missing.yaml");

    assertMessage(missing, ": no such file; give the path of a YAML file");
    assertMessage(missing.resolve("below"), ": no such file; give the path of a YAML file");
  }

  @Test
  void saysThatAFileIsADirectory() {
    assertMessage(directory, ": is a directory; give the path of a YAML file");
  }

  @Test
  void saysThatAFileIsNotUtf8() throws IOException {
    byte[] latin1 = "receivers:\n  otlp: # café\n".getBytes(StandardCharsets.ISO_8859_1);

    assertMessage(
        write(latin1),
        ":2:14: expected UTF-8, found the byte 0xE9, which is not UTF-8 here; save the file as"
            + " UTF-8");
    assertMessage(
        write(new byte[] {'a', (byte) 0xC3}),
        ":1:2: expected UTF-8, found the byte 0xC3, which is not UTF-8 here; save the file as"
            + " UTF-8");
    assertMessage(
        write(SMALLEST.getBytes(StandardCharsets.UTF_16)),
        ": expected UTF-8, found UTF-16; save the file as UTF-8");
  }

  @Test
  void saysThatAFileIsTooLarge() throws IOException, ConfigException {
    String comment = "#".repeat(ConfigFile.MAX_BYTES - SMALLEST.length());

    assertThat(AgentConfig.load(write(SMALLEST + comment))).isEqualTo(AgentConfig.defaults());
    String message =
        ": expected a file of at most 1MiB, found a larger one; is it a configuration?";
    assertMessage(write(SMALLEST + comment + "#"), message);
    assertThatThrownBy(() -> parse(SMALLEST + comment + "#")).hasMessage("test.yaml" + message);
  }

  @Test
  void showsControlCharactersOfAFileNameEscapedAndLongNamesWhole() {
    String name = "a\n".repeat(50) + ".yaml";

    assertThatThrownBy(() -> AgentConfig.parse(name, "", Map.of()))
        .hasMessageStartingWith("a\\n".repeat(50) + ".yaml: the file is empty");
  }

  @Test
  void namesTheCharacterThatYamlDoesNotAllow() {
    assertThatThrownBy(() -> parse("receivers:\n  \uD83D\uDE00: a\u0000b\n"))
        .hasMessage(
            "test.yaml:2:7: not valid YAML: the character U+0000 is not allowed; remove it");
    assertThatThrownBy(() -> parse("\uD800"))
        .hasMessage(
            "test.yaml:1:1: not valid YAML: the character U+D800 is not allowed; remove it");
  }

  @Test
  void takesAHundredAliasesAndNoMore() throws ConfigException {
    assertThat(parse(pipelines(YamlReader.MAX_ALIASES)).pipelines()).hasSize(101);
    assertThatThrownBy(() -> parse(pipelines(YamlReader.MAX_ALIASES + 1)))
        .hasMessage("test.yaml:105:17: more than 100 aliases; write the values out");
  }

  private static String pipelines(int aliases) {
    StringBuilder yaml =
        new StringBuilder(
            """
            receivers: {otlp: }
            exporters: {prometheus: }
            service: {pipelines: {
              metrics: &p {receivers: [otlp], exporters: [prometheus]}
            """);
    for (int i = 0; i < aliases; i++) {
      yaml.append(", metrics/").append(i).append(" : *p\n".indent(0));
    }
    return yaml.append("}}\n").toString();
  }

  @Test
  void anExceptionHasItsPartsAndSurvivesSerialization() throws IOException, ClassNotFoundException {
    ConfigException e =
        catchThrowableOfType(
            ConfigException.class,
            () -> parse("a: 1\nreceivers: {b: }\nexporters: {}\n" + PIPELINE));

    assertThat(e.fileName()).isEqualTo("test.yaml");
    assertThat(e.line()).isEqualTo(1);
    assertThat(e.column()).isEqualTo(1);
    assertThat(e.omittedCount()).isZero();
    assertThat(e.problems()).extracting(Problem::line).containsExactly(1, 2, 4, 4);

    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(e);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      assertThat(((ConfigException) in.readObject()).problems()).isEqualTo(e.problems());
    }
  }

  @Test
  void nothingOfAConfigurationCanBeChanged() {
    AgentConfig config = AgentConfig.defaults();

    assertThatThrownBy(() -> config.receivers().clear())
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> config.exporters().clear())
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> config.pipelines().clear())
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> config.pipelines().get(0).receivers().clear())
        .isInstanceOf(UnsupportedOperationException.class);
  }

  private static AgentConfig parse(String yaml) throws ConfigException {
    return AgentConfig.parse("test.yaml", yaml, Map.of());
  }

  private Path write(String text) throws IOException {
    return write(text.getBytes(StandardCharsets.UTF_8));
  }

  private Path write(byte[] bytes) throws IOException {
    return Files.write(directory.resolve("agent.yaml"), bytes);
  }

  private static void assertMessage(Path file, String message) {
    assertThatThrownBy(() -> AgentConfig.load(file))
        .isInstanceOf(ConfigException.class)
        .hasMessage(file + message);
  }
}

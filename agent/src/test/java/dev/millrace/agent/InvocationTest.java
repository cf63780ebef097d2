package dev.millrace.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.agent.config.AgentConfig;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InvocationTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private Invocation invoke(String... args) {
    return Invocation.of(args, new PrintWriter(out, true), new PrintWriter(err, true));
  }

  @Test
  void withoutArgumentsTheDefaultsAreRun() {
    assertThat(invoke().config()).isEqualTo(AgentConfig.defaults());
    assertThat(out.toString()).isEmpty();
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void aFileIsRun(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("agent.yaml");
    Files.writeString(file, AgentConfig.defaultYaml().replace("4318", "14318"));
    Invocation invocation = invoke("--config", file.toString());
    assertThat(invocation.config()).isNotNull().isNotEqualTo(AgentConfig.defaults());
    assertThat(invoke("-c", file.toString())).isEqualTo(invocation);
    assertThat(invoke("--config=" + file)).isEqualTo(invocation);
  }

  @Test
  void aBrokenFileSaysWhatIsWrong(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("agent.yaml");
    Files.writeString(file, AgentConfig.defaultYaml().replace("max_series", "max_serie"));
    Invocation invocation = invoke("--config", file.toString());
    assertThat(invocation.config()).isNull();
    assertThat(invocation.exitCode()).isEqualTo(2);
    assertThat(err.toString()).contains(file + ":").contains("max_serie").contains("max_series");
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void aMissingFileIsWrongUse() {
    assertThat(invoke("--config", "/no/such/file.yaml").exitCode()).isEqualTo(2);
    assertThat(err.toString()).contains("/no/such/file.yaml");
  }

  @Test
  void wrongOptionsAreWrongUse() {
    for (String[] args :
        new String[][] {{"--confg", "x"}, {"--config"}, {"agent.yaml"}, {"-x"}, {"run"}}) {
      Invocation invocation = invoke(args);
      assertThat(invocation.config()).isNull();
      assertThat(invocation.exitCode()).isEqualTo(2);
    }
    assertThat(err.toString().lines())
        .hasSize(5)
        .allSatisfy(line -> assertThat(line).startsWith("millrace-agent: ").contains("--help"));
  }

  @Test
  void helpAndVersionAndDefaultsArePrinted() {
    assertThat(invoke("--help")).isEqualTo(new Invocation(null, 0));
    assertThat(out.toString()).contains("--config", "--print-config", "--version", "Exit codes");
    assertThat(invoke("--version")).isEqualTo(new Invocation(null, 0));
    assertThat(out.toString()).contains("Millrace agent " + AgentVersion.text());
    assertThat(invoke("--print-config")).isEqualTo(new Invocation(null, 0));
    assertThat(out.toString()).endsWith(AgentConfig.defaultYaml());
    assertThat(err.toString()).isEmpty();
  }
}

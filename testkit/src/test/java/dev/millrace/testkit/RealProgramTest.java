package dev.millrace.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

class RealProgramTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  @Test
  void aProgramGetsItsInputAndArguments() throws Exception {
    RealProgram shell = RealProgram.require("sh");
    RealProgram.Result result =
        shell.run(
            LIMIT, "in é".getBytes(UTF_8), "-c", "cat; echo \" $1\" >&2; exit 7", "sh", "arg");
    assertThat(result.exitCode()).isEqualTo(7);
    assertThat(result.output()).isEqualTo("in é arg\n");
  }

  @Test
  void moreOutputThanAPipeHoldsIsNoProblem() throws Exception {
    byte[] input = "x".repeat(1_000_000).getBytes(UTF_8);
    assertThat(RealProgram.require("cat").run(LIMIT, input).output()).hasSize(input.length);
  }

  @Test
  void aProgramThatDoesNotEndIsKilled() {
    RealProgram sleep = RealProgram.require("sleep");
    assertThatThrownBy(() -> sleep.run(Duration.ofMillis(50), new byte[0], "1000"))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("sleep, 1000");
  }

  @Test
  void aMissingProgramSkipsTheTestOrFailsIt() {
    Throwable byName = catchThrowable(() -> RealProgram.require("millrace-no-such-program"));
    Throwable byPath = catchThrowable(() -> RealProgram.require(Path.of("/no/such/program")));
    Class<? extends Throwable> expected =
        "true".equals(System.getenv("CI")) ? AssertionError.class : TestAbortedException.class;
    assertThat(byName).isInstanceOf(expected).hasMessageContaining("millrace-no-such-program");
    assertThat(byPath).isInstanceOf(expected).hasMessageContaining("/no/such/program");
  }
}

package dev.millrace.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Prometheus' own parser of the text format, as {@code promtool check metrics} runs it. */
public final class Promtool {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** The exit code that says that all could be read, but some of it is against good practice. */
  private static final int LINT = 3;

  private final RealProgram program;

  private Promtool(RealProgram program) {
    this.program = program;
  }

  /** The installed {@code promtool}; see {@link RealProgram} for where there is none. */
  public static Promtool require() {
    return new Promtool(RealProgram.require("promtool"));
  }

  /**
   * Reads an exposition in the text format.
   *
   * @return what is against good practice, line by line; empty where nothing is
   * @throws AssertionError if it cannot be read
   */
  public List<String> checkMetrics(byte[] exposition) throws IOException, InterruptedException {
    RealProgram.Result result = program.run(LIMIT, exposition, "check", "metrics");
    if (result.exitCode() != 0 && result.exitCode() != LINT) {
      throw new AssertionError(
          "expected promtool to read this, found exit code "
              + result.exitCode()
              + ": "
              + result.output()
              + "\n"
              + new String(exposition, UTF_8));
    }
    return result.output().lines().toList();
  }
}

package dev.millrace.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/**
 * A program of somebody else's that tests run against, such as {@code promtool}. A test that needs
 * one which is not installed is skipped, with the program's name in the message; where the
 * environment has {@code CI=true} it fails.
 *
 * <pre>{@code
 * RealProgram promtool = RealProgram.require("promtool");
 * assert promtool.run(Duration.ofSeconds(30), new byte[0], "--version").exitCode() == 0;
 * }</pre>
 */
public final class RealProgram {
  /** The environment variable with the folder that newer programs than the machine's lie in. */
  private static final String NEWER = "MILLRACE_NEWER_PROGRAMS";

  private final Path executable;

  /**
   * How a run ended.
   *
   * @param exitCode the program's exit code
   * @param output what it wrote to its standard output and its standard error, as UTF-8
   */
  public record Result(int exitCode, String output) {}

  private RealProgram(Path executable) {
    this.executable = executable;
  }

  /**
   * Finds a program on the path.
   *
   * @param name the file's name
   * @return the program; where it is not installed, the test ends here
   */
  public static RealProgram require(String name) {
    Path found = find(name, System.getenv("PATH"));
    if (found == null) {
      throw missing(name);
    }
    return new RealProgram(found);
  }

  /**
   * Finds a program at a fixed place.
   *
   * @return the program; where it is not installed, the test ends here
   */
  public static RealProgram require(Path executable) {
    if (!Files.isExecutable(executable)) {
      throw missing(executable.toString());
    }
    return new RealProgram(executable);
  }

  /**
   * Finds a program of a newer Debian suite than the machine's, which {@code ./test} brings without
   * installing it where it can be had. Where it cannot, the test is skipped, with {@code CI=true}
   * too: what such a suite has changes from day to day.
   *
   * @param name the file's name
   */
  public static RealProgram requireNewer(String name) {
    String folder = System.getenv(NEWER);
    Path found = folder == null ? null : find(name, Path.of(folder, "usr", "bin").toString());
    if (found == null) {
      return Assumptions.abort(name + " of a newer Debian suite cannot be had here");
    }
    return new RealProgram(found);
  }

  /**
   * Ends the test because something that it needs is not installed: skipped, or failed where the
   * environment has {@code CI=true}.
   *
   * @param name names what is missing
   * @return never; declared so that callers can throw it, for the compiler
   */
  public static AssertionError missing(String name) {
    String message = name + " is not installed; on Debian ./test installs it as root";
    if ("true".equals(System.getenv("CI"))) {
      return new AssertionError("expected nothing to be skipped where CI=true, but " + message);
    }
    return Assumptions.abort(message);
  }

  /** Where the program is. */
  public Path executable() {
    return executable;
  }

  /**
   * Runs the program to its end.
   *
   * @param limit how long it may take at most; after that it is killed and the test fails
   * @param input its standard input
   * @param arguments its arguments
   */
  public Result run(Duration limit, byte[] input, String... arguments)
      throws IOException, InterruptedException {
    // Files, not pipes: nobody has to read and write at once for the program to go on.
    File in = File.createTempFile("millrace-test", ".in");
    File out = File.createTempFile("millrace-test", ".out");
    try {
      Files.write(in.toPath(), input);
      List<String> command = new ArrayList<>();
      command.add(executable.toString());
      command.addAll(List.of(arguments));
      Process process =
          new ProcessBuilder(command)
              .redirectInput(in)
              .redirectErrorStream(true)
              .redirectOutput(out)
              .start();
      if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
        process.destroyForcibly().waitFor();
        throw new AssertionError(
            "expected " + command + " to end within " + limit.toSeconds() + " s; it was killed");
      }
      return new Result(process.exitValue(), Files.readString(out.toPath(), UTF_8));
    } finally {
      Files.delete(in.toPath());
      Files.delete(out.toPath());
    }
  }

  private static @Nullable Path find(String name, @Nullable String path) {
    if (path != null) {
      for (String folder : path.split(File.pathSeparator, -1)) {
        Path candidate = Path.of(folder, name);
        if (!folder.isEmpty() && Files.isExecutable(candidate)) {
          return candidate;
        }
      }
    }
    return null;
  }
}

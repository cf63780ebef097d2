package dev.millrace.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A program that a test started, and stops by its pid. What it prints goes to a file. */
public final class ManagedProcess implements AutoCloseable {
  private static final int KILL_SECONDS = 10;
  private static final int TAIL_CHARS = 4_000;

  private final Process process;
  private final Path log;

  private ManagedProcess(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  /**
   * Starts a program.
   *
   * @param environment set beside what this JVM has
   * @param log takes standard output and standard error
   */
  public static ManagedProcess start(
      List<String> command, Map<String, String> environment, Path log) {
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().putAll(environment);
    builder.redirectErrorStream(true).redirectOutput(log.toFile());
    try {
      return new ManagedProcess(builder.start(), log);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start " + command.get(0), e);
    }
  }

  /** The `java` that runs this JVM. */
  public static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  /** The program's process. */
  public Process process() {
    return process;
  }

  /** All that the program printed so far. */
  public String output() {
    try {
      return Files.readString(log, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + log, e);
    }
  }

  /**
   * Waits until the program printed {@code text}; fails with its output where it ends or takes too
   * long.
   */
  public void awaitOutput(String text, Duration limit) {
    Eventually.isTrue(
        "output with \"" + text + "\"",
        limit,
        () -> {
          boolean alive = process.isAlive();
          if (output().contains(text)) {
            return true;
          }
          if (!alive) {
            throw new AssertionError(
                "ended with "
                    + process.exitValue()
                    + " before it printed "
                    + text
                    + ":\n"
                    + tail());
          }
          return false;
        });
  }

  /**
   * Asks the program to stop (SIGTERM) and waits for its end.
   *
   * @return the exit code, or {@code null} where it still runs after {@code limit}
   */
  public @Nullable Integer terminate(Duration limit) throws InterruptedException {
    process.destroy();
    return process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS) ? process.exitValue() : null;
  }

  /** The memory that the program has resident now, in bytes, as Linux counts it. */
  public long residentBytes() throws IOException {
    for (String line :
        Files.readAllLines(Path.of("/proc", Long.toString(process.pid()), "status"))) {
      if (line.startsWith("VmRSS:")) {
        return Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024;
      }
    }
    throw new IOException("no VmRSS line for pid " + process.pid());
  }

  /** The end of what the program printed, for error messages. */
  public String tail() {
    String all = output();
    return all.substring(Math.max(0, all.length() - TAIL_CHARS));
  }

  /** Ends the program, by force where it does not stop. */
  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(KILL_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        process.waitFor(KILL_SECONDS, TimeUnit.SECONDS);
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}

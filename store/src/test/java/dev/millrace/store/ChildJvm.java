package dev.millrace.store;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Another JVM with the tests' class path. Its standard output comes line by line. */
public final class ChildJvm implements AutoCloseable {
  private final Process process;
  private final BufferedReader output;

  private ChildJvm(Process process) {
    this.process = process;
    this.output =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  /** Starts a main class. */
  public static ChildJvm start(Class<?> main, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElse("java"));
    command.add("-Xmx64m");
    command.add("-XX:+UseSerialGC");
    command.add("-XX:TieredStopAtLevel=1");
    command.add("-Xshare:auto");
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(main.getName());
    command.addAll(List.of(arguments));
    return new ChildJvm(
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  /** The next line that it prints; fails where it ends instead. */
  public String readLine() throws IOException {
    String line = output.readLine();
    if (line == null) {
      throw new IOException("expected a line from the child, found the end of its output");
    }
    return line;
  }

  /** Tells it something, as a line on its standard input. */
  public void writeLine(String line) throws IOException {
    process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().flush();
  }

  /** The process id. */
  public long pid() {
    return process.pid();
  }

  /** Whether it runs. */
  public boolean isAlive() {
    return process.isAlive();
  }

  /** Kills it, as kill -9 does, and waits until it is gone. */
  public void kill() throws InterruptedException {
    process.destroyForcibly();
    process.waitFor();
  }

  /** Waits for its end and gives its exit code. */
  public int waitFor() throws InterruptedException {
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      throw new AssertionError("expected the child to end within 60 s");
    }
    return process.exitValue();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}

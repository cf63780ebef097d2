package dev.millrace.benchmarks.store;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Processes with a store each in one directory; closing this ends them. */
final class StoreWriters implements AutoCloseable {
  private final List<Process> processes = new ArrayList<>();

  /** Starts processes, and returns when each has written the workload. */
  static StoreWriters start(Path directory, Workload workload, int count) throws IOException {
    StoreWriters writers = new StoreWriters();
    for (int i = 0; i < count; i++) {
      writers.run(directory, workload, 0);
    }
    return writers;
  }

  /** Has the files of processes written that ended. */
  void writeDead(Path directory, Workload workload, int count) throws IOException {
    run(directory, workload, count);
  }

  private void run(Path directory, Workload workload, int dead) throws IOException {
    Process process =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElse("java"),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                StoreWriter.class.getName(),
                directory.toString(),
                workload.name(),
                Integer.toString(dead))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    processes.add(process);
    String said =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))
            .readLine();
    if (!StoreWriter.READY.equals(said)) {
      throw new IOException("expected a writer to say " + StoreWriter.READY + ", found " + said);
    }
  }

  @Override
  public void close() {
    processes.forEach(Process::destroyForcibly);
  }
}

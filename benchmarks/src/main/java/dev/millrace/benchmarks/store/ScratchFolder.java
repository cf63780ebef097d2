package dev.millrace.benchmarks.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A folder under {@code java.io.tmpdir}, removed with all that is in it when closed. */
final class ScratchFolder implements AutoCloseable {
  private final Path path;
  private final Path directory;

  ScratchFolder() {
    try {
      path = Files.createTempDirectory("millrace-store-benchmark");
      directory = Files.createDirectory(path.resolve("directory"));
    } catch (IOException e) {
      throw new UncheckedIOException("making a folder for the benchmark", e);
    }
  }

  /** The folder. */
  Path path() {
    return path;
  }

  /** An empty directory in it, for the files of metrics. */
  Path directory() {
    return directory;
  }

  @Override
  public void close() throws IOException {
    List<Path> files;
    try (Stream<Path> tree = Files.walk(path)) {
      files = tree.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path file : files) {
      Files.deleteIfExists(file);
    }
  }
}

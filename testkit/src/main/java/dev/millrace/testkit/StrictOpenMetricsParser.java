package dev.millrace.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The OpenMetrics 1.0.0 parser of Prometheus' Python client (Debian: {@code
 * python3-prometheus-client}), which refuses what the standard does not allow.
 */
public final class StrictOpenMetricsParser {
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final String PACKAGE = "python3-prometheus-client";

  /**
   * Reads each file that is named in the arguments, and says of the first bad one what is wrong.
   */
  private static final String SCRIPT =
      """
      import sys
      from prometheus_client.openmetrics.parser import text_string_to_metric_families
      for name in sys.argv[1:]:
          try:
              with open(name, 'rb') as file:
                  for family in text_string_to_metric_families(file.read().decode('utf-8')):
                      pass
          except Exception as problem:
              print(name)
              print(repr(problem))
              sys.exit(1)
      """;

  private final RealProgram python;

  private StrictOpenMetricsParser(RealProgram python) {
    this.python = python;
  }

  /** The installed parser; see {@link RealProgram} for where there is none. */
  public static StrictOpenMetricsParser require() throws IOException, InterruptedException {
    Path interpreter = Path.of("/usr/bin/python3");
    if (!Files.isExecutable(interpreter)) {
      throw RealProgram.missing(PACKAGE);
    }
    RealProgram python = RealProgram.require(interpreter);
    if (python.run(LIMIT, new byte[0], "-c", "import prometheus_client").exitCode() != 0) {
      throw RealProgram.missing(PACKAGE);
    }
    return new StrictOpenMetricsParser(python);
  }

  /**
   * Reads expositions, all in one run of the parser.
   *
   * @throws AssertionError if one of them cannot be read
   */
  public void check(List<byte[]> expositions) throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("millrace-test");
    List<Path> files = new ArrayList<>();
    try {
      List<String> arguments = new ArrayList<>(List.of("-c", SCRIPT));
      for (int i = 0; i < expositions.size(); i++) {
        Path file = Files.write(folder.resolve(Integer.toString(i)), expositions.get(i));
        files.add(file);
        arguments.add(file.toString());
      }
      RealProgram.Result result = python.run(LIMIT, new byte[0], arguments.toArray(new String[0]));
      if (result.exitCode() != 0) {
        throw new AssertionError(
            "expected the strict parser to read this, found: "
                + result.output()
                + exposition(result.output(), files));
      }
    } finally {
      for (Path file : files) {
        Files.delete(file);
      }
      Files.delete(folder);
    }
  }

  private static String exposition(String output, List<Path> files) throws IOException {
    for (Path file : files) {
      if (output.startsWith(file + "\n")) {
        return Files.readString(file, UTF_8);
      }
    }
    return "";
  }
}

package dev.millrace.store.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.millrace.testkit.Eventually;
import dev.millrace.testkit.ManagedProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Beside processes of a real client (Debian's {@code python3-prometheus-client}, which ./test
 * installs) that write while they are scraped.
 */
class RunningPythonTest {
  private static final Duration LIMIT = Duration.ofSeconds(90);
  private static final int WRITERS = 3;
  private static final int ROUNDS = 2000;
  private static final String PROGRAM =
      """
      import os
      from prometheus_client import Counter, Gauge, Histogram, Summary
      c = Counter('jobs', 'Jobs.', ['kind'])
      h = Histogram('wait_seconds', 'Wait.', ['kind'], buckets=(0.5, 1, 5))
      s = Summary('size', 'Size.')
      g = Gauge('depth', 'Depth.', multiprocess_mode='max')
      for i in range(%d):
          kind = 'k\\u00e9"\\n' + str(i // 20)
          c.labels(kind).inc()
          h.labels(kind).observe(i %% 8)
          s.observe(2)
          g.set(i)
      print('written', flush=True)
      """
          .formatted(ROUNDS);
  private static final String OWN_EXPORTER =
      """
      from prometheus_client import CollectorRegistry, generate_latest, multiprocess
      registry = CollectorRegistry()
      multiprocess.MultiProcessCollector(registry)
      import sys
      sys.stdout.buffer.write(generate_latest(registry))
      print('# written', flush=True)
      """;

  @TempDir Path directory;
  @TempDir Path scratch;

  private ManagedProcess python(String name, String program) throws Exception {
    Path file = Files.writeString(scratch.resolve(name + ".py"), program);
    return ManagedProcess.start(
        List.of("/usr/bin/python3", file.toString()),
        Map.of("PROMETHEUS_MULTIPROC_DIR", directory.toString()),
        scratch.resolve(name + ".log"));
  }

  private boolean hasClient() throws Exception {
    if (!Files.isExecutable(Path.of("/usr/bin/python3"))) {
      return false;
    }
    try (ManagedProcess probe = python("probe", "import prometheus_client")) {
      return probe.process().waitFor() == 0;
    }
  }

  @Test
  void whatItsProcessesWriteIsWhatItsOwnExporterGives() throws Exception {
    assumeTrue(hasClient(), "python3-prometheus-client is not installed; ./test installs it");
    try (ForeignSource source = ForeignSource.of(directory);
        ManagedProcess one = python("w1", PROGRAM);
        ManagedProcess two = python("w2", PROGRAM);
        ManagedProcess three = python("w3", PROGRAM)) {
      Map<String, Double> before = new TreeMap<>();
      Eventually.isTrue(
          "all is written",
          LIMIT,
          () -> {
            Map<String, Double> now = Exposition.of(source);
            before.forEach((key, value) -> assertThat(now.get(key)).as(key).isNotNull());
            before.forEach(
                (key, value) -> assertThat(now.get(key)).as(key).isGreaterThanOrEqualTo(value));
            before.clear();
            before.putAll(now);
            return now.getOrDefault("size_count{}", 0.0) == WRITERS * ROUNDS;
          });
      for (ManagedProcess writer : List.of(one, two, three)) {
        writer.awaitOutput("written", LIMIT);
      }
      try (ManagedProcess exporter = python("own", OWN_EXPORTER)) {
        exporter.awaitOutput("# written", LIMIT);
      }
      assertThat(Exposition.of(source))
          .isEqualTo(Exposition.parse(Files.readString(scratch.resolve("own.log"))));
      assertThat(source.problems().kinds()).allMatch(kind -> kind.count() == 0);
    }
  }
}

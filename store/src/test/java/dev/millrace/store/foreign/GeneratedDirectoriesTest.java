package dev.millrace.store.foreign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.store.foreign.ForeignWriter.Format;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Directories that grow while they are read, against sums that are kept beside in plain maps. */
class GeneratedDirectoriesTest {
  private static final int ROUNDS = 25;
  private static final double[] BOUNDS = {0.005, 0.1, 1, 10};
  private static final String[] TEXTS = {
    "",
    "GET",
    "a+b",
    "a&b=c",
    "100%",
    "%41",
    "~*-._",
    "sp ace ",
    "quo\"te",
    "back\\slash",
    "new\nline",
    "caf\u00e9 \u65e5\u672c \ud83d\ude00",
    "x".repeat(3000),
    "tab\there",
  };

  @TempDir Path directory;

  private final Map<String, Double> expected = new TreeMap<>();
  private final Map<String, Double> values = new HashMap<>();

  @ParameterizedTest
  @EnumSource(Format.class)
  void whatIsReadIsWhatWasWritten(Format format) throws IOException {
    long seed = 20261130L + format.name().hashCode();
    SplittableRandom random = new SplittableRandom(seed);
    if (format.ruby) {
      Files.writeString(
          directory.resolve("metrics.json"),
          """
          [{"name": "hits_total", "type": "counter", "help": "h", "aggregation": "sum"},
           {"name": "wait_seconds", "type": "histogram", "help": "h", "aggregation": "sum",
            "buckets": [0.005, 0.1, 1, 10], "labels": [], "more": {"a": [1, null]}}]
          """);
    }
    List<ForeignWriter> writers = new ArrayList<>();
    Map<Integer, ForeignWriter> counters = new TreeMap<>();
    Map<Integer, ForeignWriter> histograms = new TreeMap<>();
    try (ForeignSource source = ForeignSource.of(directory)) {
      for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < 30; i++) {
          int pid = 1 + random.nextInt(4);
          String text = TEXTS[random.nextInt(TEXTS.length)] + random.nextInt(3);
          if (random.nextBoolean()) {
            add(
                writer(counters, writers, format, "hits_total", "counter", pid),
                pid,
                "hits",
                "hits_total",
                Map.of("text", text, "kind", "x"),
                random.nextInt(100) / 4.0);
          } else {
            observe(
                writer(histograms, writers, format, "wait_seconds", "histogram", pid),
                format,
                pid,
                text,
                random.nextInt(96) / 8.0);
          }
        }
        assertThat(Exposition.of(source)).as("seed %d, round %d", seed, round).isEqualTo(expected);
      }
      assertThat(source.problems().kinds()).isEmpty();
    } finally {
      for (ForeignWriter writer : writers) {
        writer.close();
      }
    }
  }

  private ForeignWriter writer(
      Map<Integer, ForeignWriter> known,
      List<ForeignWriter> all,
      Format format,
      String metric,
      String type,
      int pid)
      throws IOException {
    ForeignWriter found = known.get(pid);
    if (found == null) {
      String name = format.counterFile(metric, pid).replace("counter_", type + "_");
      found = new ForeignWriter(directory.resolve(name), format);
      known.put(pid, found);
      all.add(found);
    }
    return found;
  }

  private void add(
      ForeignWriter writer,
      int pid,
      String metric,
      String sample,
      Map<String, String> labels,
      double more)
      throws IOException {
    String key = writer.key(metric, sample, labels, "Help.");
    double value = values.merge(pid + sample + key, more, Double::sum);
    writer.set(key, value, 1.7e9 + value);
    expected.merge(sample + new TreeMap<>(labels), more, Double::sum);
  }

  private void observe(ForeignWriter writer, Format format, int pid, String text, double value)
      throws IOException {
    Map<String, String> labels = Map.of("text", text);
    String name = "wait_seconds";
    for (double bound : BOUNDS) {
      expected.merge(
          name + "_bucket" + bucket(text, "" + bound), value <= bound ? 1 : 0.0, Double::sum);
    }
    expected.merge(name + "_bucket" + bucket(text, "Infinity"), 1.0, Double::sum);
    expected.merge(name + "_count" + new TreeMap<>(labels), 1.0, Double::sum);
    expected.merge(name + "_sum" + new TreeMap<>(labels), value, Double::sum);
    boolean met = false;
    for (int i = 0; i <= BOUNDS.length; i++) {
      String le = i == BOUNDS.length ? "+Inf" : "" + BOUNDS[i];
      boolean holds = i == BOUNDS.length || value <= BOUNDS[i];
      boolean counts = holds && (format == Format.MMAP || !met);
      met |= holds;
      // client_ruby makes the buckets that are touched, the others make them all.
      if (counts || !format.ruby) {
        raise(
            writer, format, pid, name + "_bucket", Map.of("text", text, "le", le), counts ? 1 : 0);
      }
    }
    if (format == Format.MMAP) {
      raise(writer, format, pid, name + "_count", labels, 1);
    }
    Map<String, String> sum = format.ruby ? Map.of("text", text, "le", "sum") : labels;
    raise(writer, format, pid, name + "_sum", sum, value);
  }

  private static String bucket(String text, String le) {
    return new TreeMap<>(Map.of("text", text, "le", le)).toString();
  }

  private void raise(
      ForeignWriter writer,
      Format format,
      int pid,
      String sample,
      Map<String, String> labels,
      double more)
      throws IOException {
    String key = writer.key("wait_seconds", format.ruby ? "" : sample, labels, "Help.");
    writer.set(key, values.merge(pid + sample + key, more, Double::sum), 1.7e9);
  }
}

package dev.millrace.store.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.model.Problems;
import dev.millrace.store.foreign.ForeignWriter.Format;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Directories whose files come, go, change and grow, and files that do not go together. */
class ForeignDirectoryTest {
  @TempDir Path directory;

  private final List<String> log = new ArrayList<>();
  private final Problems problems = new Problems(() -> 0, log::add);

  private ForeignSource open(ForeignBounds bounds) {
    return ForeignSource.of(
        directory, ForeignOptions.builder().problems(problems).bounds(bounds).build());
  }

  private ForeignSource open() {
    return open(ForeignBounds.DEFAULT);
  }

  private void write(String name, Format format, String sample, double... values)
      throws IOException {
    try (ForeignWriter writer = new ForeignWriter(directory.resolve(name), format)) {
      for (int i = 0; i < values.length; i++) {
        writer.set(writer.key(sample, sample, Map.of("k", "" + i), "Help."), values[i], 1.7e9);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Format.class)
  void filesComeGoAndAreReplaced(Format format) throws IOException {
    String one = format.counterFile("a", 1);
    String two = format.counterFile("a", 2);
    write(one, format, "a", 1, 10);
    try (ForeignSource source = open()) {
      assertThat(Exposition.of(source)).isEqualTo(Map.of("a{k=0}", 1.0, "a{k=1}", 10.0));
      write(two, format, "a", 2);
      assertThat(Exposition.of(source)).isEqualTo(Map.of("a{k=0}", 3.0, "a{k=1}", 10.0));
      Path fresh = directory.resolve("fresh");
      write("fresh", format, "a", 5);
      Files.move(fresh, directory.resolve(one), StandardCopyOption.REPLACE_EXISTING);
      assertThat(Exposition.of(source)).isEqualTo(Map.of("a{k=0}", 7.0));
      Files.delete(directory.resolve(two));
      assertThat(Exposition.of(source)).isEqualTo(Map.of("a{k=0}", 5.0));
      // The same file again, with fewer and with more bytes than before.
      write(one, format, "a");
      assertThat(Exposition.of(source)).isEmpty();
      write(one, format, "a", 1, 2, 3);
      assertThat(Exposition.of(source)).hasSize(3);
      write(one, format, "b", 4, 5, 6);
      assertThat(Exposition.of(source))
          .isEqualTo(
              format.ruby
                  ? Map.of("a{k=0}", 4.0, "a{k=1}", 5.0, "a{k=2}", 6.0)
                  : Map.of("b{k=0}", 4.0, "b{k=1}", 5.0, "b{k=2}", 6.0));
      Files.delete(directory.resolve(one));
      Files.delete(directory);
      assertThat(Exposition.of(source)).isEmpty();
      Files.createDirectory(directory);
      write(one, format, "a", 9);
      assertThat(Exposition.of(source)).isEqualTo(Map.of("a{k=0}", 9.0));
    }
    assertThat(problems.kind(ForeignProblems.FILE_DAMAGED).count()).isZero();
  }

  @ParameterizedTest
  @EnumSource(Format.class)
  void aFileGrowsWhileItIsRead(Format format) throws Exception {
    int series = 3000;
    AtomicReference<Throwable> failure = new AtomicReference<>();
    try (ForeignWriter writer =
            new ForeignWriter(directory.resolve(format.counterFile("a", 1)), format);
        ForeignSource source = open()) {
      Thread writing =
          new Thread(
              () -> {
                try {
                  for (int i = 0; i < series; i++) {
                    String text = "x".repeat(i % 90) + i;
                    writer.set(writer.key("a", "a", Map.of("k", text), "Help."), 7, 1.7e9);
                  }
                } catch (IOException | RuntimeException e) {
                  failure.set(e);
                }
              });
      writing.start();
      int before = 0;
      while (writing.isAlive()) {
        Map<String, Double> samples = Exposition.of(source);
        // A value is 0 for as long as the writer has made the entry but not set it.
        assertThat(samples.values()).allMatch(value -> value == 7 || value == 0);
        assertThat(samples.size()).isGreaterThanOrEqualTo(before);
        before = samples.size();
      }
      assertThat(failure.get()).isNull();
      assertThat(Exposition.of(source)).hasSize(series);
      assertThat(source.problems().kinds()).allMatch(kind -> kind.count() == 0);
    }
  }

  @Test
  void bothSpellingsOfOneLabelSetAreOneSeries() throws IOException {
    for (Format format : new Format[] {Format.RUBY_4, Format.RUBY_5}) {
      try (ForeignWriter writer =
          new ForeignWriter(
              directory.resolve(
                  format.counterFile("a", format.name().length() + format.name().charAt(5))),
              format)) {
        writer.set(writer.key("", "", Map.of("k", "~ * x"), ""), 2, 1);
      }
    }
    try (ForeignSource source = open()) {
      assertThat(Exposition.of(source)).isEqualTo(Map.of("a{k=~ * x}", 4.0));
    }
  }

  @Test
  void gaugesOfEveryMode() throws IOException {
    for (int pid = 1; pid <= 3; pid++) {
      for (String mode : List.of("all", "liveall", "min", "livemin", "max", "sum", "mostrecent")) {
        try (ForeignWriter writer =
            new ForeignWriter(
                directory.resolve("gauge_" + mode + "_" + pid + ".db"), Format.PYTHON_16)) {
          String name = "g_" + mode;
          writer.set(writer.key(name, name, Map.of(), ""), pid, 1000.0 - pid);
          String never = "never_" + mode;
          writer.set(writer.key(never, never, Map.of("pid", "x"), ""), 0, 0);
        }
      }
    }
    try (ForeignSource source = open()) {
      assertThat(Exposition.of(source))
          .containsEntry("g_all{pid=1}", 1.0)
          .containsEntry("g_liveall{pid=3}", 3.0)
          .containsEntry("g_min{}", 1.0)
          .containsEntry("g_livemin{}", 1.0)
          .containsEntry("g_max{}", 3.0)
          .containsEntry("g_sum{}", 6.0)
          .containsEntry("g_mostrecent{}", 1.0)
          .containsEntry("never_sum{}", 0.0)
          .containsEntry("never_all{pid=2}", 0.0)
          .doesNotContainKey("never_mostrecent{}");
      Files.delete(directory.resolve("gauge_livemin_1.db"));
      assertThat(Exposition.of(source)).containsEntry("g_livemin{}", 2.0);
    }
  }

  @Test
  void theFirstDeclarationWinsAndTheOtherIsNamed() throws IOException {
    write("counter_1.db", Format.PYTHON_16, "a", 1);
    write("gauge_max_1.db", Format.PYTHON_16, "a", 5);
    write("gauge_max_2.db", Format.PYTHON_16, "b", 6);
    try (ForeignSource source = open()) {
      for (int scrape = 0; scrape < 3; scrape++) {
        assertThat(Exposition.of(source)).isEqualTo(Map.of("a{k=0}", 1.0, "b{k=0}", 6.0));
      }
      assertThat(problems.kind(ForeignProblems.DECLARATION_CONFLICT).count()).isEqualTo(1);
      assertThat(log).singleElement().asString().contains("metric a", "gauge_max_1.db", "counter");
      Files.delete(directory.resolve("counter_1.db"));
      assertThat(Exposition.of(source)).isEqualTo(Map.of("a{k=0}", 5.0, "b{k=0}", 6.0));
    }
  }

  @Test
  void pastABoundTheRestIsLeftOutAndCounted() throws IOException {
    write("counter_1.db", Format.MMAP, "a", 1, 2, 3);
    write("counter_2.db", Format.MMAP, "b", 1, 2, 3);
    write("gauge_oops_2.db", Format.MMAP, "c", 1);
    try (ForeignSource source = open(new ForeignBounds(1, 4096, 2, 64))) {
      assertThat(Exposition.of(source)).isEqualTo(Map.of("a{k=0}", 1.0, "a{k=1}", 2.0));
      assertThat(source.fileCount()).isEqualTo(1);
      assertThat(source.sampleCount()).isEqualTo(2);
      assertThat(problems.kind(ForeignProblems.SAMPLE_REFUSED).count()).isEqualTo(1);
      assertThat(problems.kind(ForeignProblems.FILE_REFUSED).count()).isPositive();
      Files.delete(directory.resolve("counter_1.db"));
      assertThat(Exposition.of(source)).isEqualTo(Map.of("b{k=0}", 1.0, "b{k=1}", 2.0));
    }
    try (ForeignWriter writer =
        new ForeignWriter(directory.resolve("counter_2.db"), Format.PYTHON_16)) {
      for (int i = 0; i < 100; i++) {
        String text = i == 0 ? "y".repeat(100) : "" + i;
        writer.set(writer.key("b", "b", Map.of("k", text), ""), 1, 1.7e9);
      }
    }
    Files.delete(directory.resolve("gauge_oops_2.db"));
    long refused = problems.kind(ForeignProblems.FILE_REFUSED).count();
    long tooLong = problems.kind(ForeignProblems.SAMPLE_REFUSED).count();
    try (ForeignSource source = open(new ForeignBounds(9, 4096, 1000, 64))) {
      assertThat(Exposition.of(source)).hasSizeBetween(50, 98).containsKey("b{k=1}");
      assertThat(problems.kind(ForeignProblems.FILE_REFUSED).count()).isEqualTo(refused + 1);
      assertThat(problems.kind(ForeignProblems.SAMPLE_REFUSED).count()).isEqualTo(tooLong + 1);
    }
  }

  @Test
  void aSchemaIsReadAgainWhenItChanges() throws IOException {
    write("metric_a___1.bin", Format.RUBY_5, "a", 1);
    write("metric_a___2.bin", Format.RUBY_5, "a", 2);
    Path schema = directory.resolve("metrics.json");
    try (ForeignSource source = open()) {
      assertThat(Exposition.of(source)).isEqualTo(Map.of("a{k=0}", 3.0));
      Files.writeString(schema, "[{\"name\":\"a\",\"type\":\"gauge\",\"aggregation\":\"max\"}]");
      assertThat(Exposition.of(source)).isEqualTo(Map.of("a{k=0}", 2.0));
      Files.writeString(schema, "[{\"name\":");
      Files.setLastModifiedTime(schema, java.nio.file.attribute.FileTime.fromMillis(1));
      assertThat(Exposition.of(source)).isEqualTo(Map.of("a{k=0}", 2.0));
      assertThat(problems.kind(ForeignProblems.SCHEMA_UNREADABLE).count()).isEqualTo(1);
      Files.delete(schema);
      assertThat(Exposition.of(source)).isEqualTo(Map.of("a{k=0}", 3.0));
      Files.writeString(schema, "[{\"name\":\"a\",\"type\":\"timer\"}]");
      assertThatThrownBy(this::open)
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining(schema.toString())
          .hasMessageContaining("timer");
    }
  }

  @Test
  void nothingIsWritten() throws IOException {
    write("counter_1.db", Format.PYTHON_8, "a", 1);
    Path file = directory.resolve("counter_1.db");
    byte[] before = Files.readAllBytes(file);
    assertThat(file.toFile().setWritable(false)).isTrue();
    try (ForeignSource source = open()) {
      assertThat(Exposition.of(source)).isEqualTo(Map.of("a{k=0}", 1.0));
    }
    assertThat(file).hasBinaryContent(before);
    assertThat(directory.toFile().list()).hasSize(1);
  }
}

package dev.millrace.store.foreign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.model.Problems;
import dev.millrace.store.foreign.ForeignWriter.Format;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * One damaged file costs that file's samples from its last good entry on, is counted and named, and
 * changes nothing else: every damage on every format, found at the first read and at a later one.
 */
class ForeignDamageTest {
  private static final int SERIES = 20;
  private static final String METRIC = "orders_total";

  @TempDir Path directory;

  private final List<String> log = new ArrayList<>();
  private final Problems problems = new Problems(() -> 0, log::add);

  /** What is done to a file, and how many of its samples are still good. */
  private record Damaged(String name, int goodSamples, Change change) {
    @Override
    public String toString() {
      return name;
    }
  }

  private interface Change {
    void apply(FileChannel file, Format format, List<Integer> ends) throws IOException;
  }

  private static final List<Damaged> DAMAGES =
      List.of(
          new Damaged("no bytes", 0, (file, format, ends) -> file.truncate(0)),
          new Damaged("two bytes", 0, (file, format, ends) -> file.truncate(2)),
          new Damaged("a header of zero", 0, (file, format, ends) -> putInt(file, 0, 0)),
          new Damaged(
              "cut inside an entry", 10, (file, format, ends) -> file.truncate(ends.get(9) + 13L)),
          new Damaged(
              "the last 8 bytes missing",
              SERIES - 1,
              (file, format, ends) -> file.truncate(ends.get(SERIES - 1) - 8L)),
          new Damaged(
              "a length past the file",
              7,
              (file, format, ends) -> putInt(file, ends.get(6), 0x7fffff00)),
          new Damaged("a length of 0", 7, (file, format, ends) -> putInt(file, ends.get(6), 0)),
          new Damaged("a length of -5", 7, (file, format, ends) -> putInt(file, ends.get(6), -5)),
          new Damaged("a first length of -5", 0, (file, format, ends) -> putInt(file, 8, -5)),
          new Damaged(
              "a second length of 0", 1, (file, format, ends) -> putInt(file, ends.get(0), 0)),
          new Damaged(
              "a key that is not UTF-8",
              12,
              (file, format, ends) ->
                  file.write(ByteBuffer.wrap(new byte[] {(byte) 0xFF}), ends.get(11) + 7L)),
          new Damaged(
              "24 bytes too many in use",
              SERIES,
              (file, format, ends) -> putInt(file, 0, ends.get(SERIES - 1) + 24)),
          new Damaged("-1 bytes in use", 0, (file, format, ends) -> putInt(file, 0, -1)));

  private static void putInt(FileChannel file, long position, int value) throws IOException {
    file.write(
        ByteBuffer.allocate(4).order(ByteOrder.nativeOrder()).putInt(value).flip(), position);
  }

  static Stream<Arguments> cases() {
    return Arrays.stream(Format.values())
        .flatMap(
            format ->
                DAMAGES.stream()
                    .flatMap(
                        damage ->
                            Stream.of(
                                Arguments.of(format, damage, true),
                                Arguments.of(format, damage, false))));
  }

  private List<Integer> write(Format format, int pid) throws IOException {
    List<Integer> ends = new ArrayList<>();
    try (ForeignWriter writer =
        new ForeignWriter(directory.resolve(format.counterFile(METRIC, pid)), format)) {
      for (int i = 0; i < SERIES; i++) {
        writer.set(
            writer.key("orders", METRIC, Map.of("kind", "k" + i, "pid_of", "" + pid), "Help."),
            i + 1,
            1.7e9 + i);
        ends.add(writer.used());
      }
    }
    return ends;
  }

  private static Map<String, Double> expected(int pid, int count) {
    Map<String, Double> samples = new TreeMap<>();
    for (int i = 0; i < count; i++) {
      samples.put(METRIC + "{kind=k" + i + ", pid_of=" + pid + "}", i + 1.0);
    }
    return samples;
  }

  @ParameterizedTest
  @MethodSource("cases")
  void aDamagedFileCostsItsOwnSamplesOnly(Format format, Damaged damage, boolean atFirst)
      throws IOException {
    write(format, 1);
    List<Integer> ends = write(format, 2);
    write(format, 3);
    String name = format.counterFile(METRIC, 2);
    try (ForeignSource source =
        ForeignSource.of(directory, ForeignOptions.builder().problems(problems).build())) {
      if (!atFirst) {
        assertThat(Exposition.of(source)).hasSize(3 * SERIES);
      }
      try (FileChannel file = FileChannel.open(directory.resolve(name), StandardOpenOption.WRITE)) {
        damage.change().apply(file, format, ends);
      }
      int good = atFirst || isSeenLater(damage) ? damage.goodSamples() : SERIES;
      Map<String, Double> expected = expected(2, good);
      expected.putAll(expected(1, SERIES));
      expected.putAll(expected(3, SERIES));
      for (int scrape = 0; scrape < 3; scrape++) {
        assertThat(Exposition.of(source)).isEqualTo(expected);
      }
      boolean told = good < SERIES || damage.goodSamples() == SERIES;
      assertThat(problems.kind(ForeignProblems.FILE_DAMAGED).count()).isEqualTo(told ? 1 : 0);
      assertThat(source.damagedFileCount()).isEqualTo(told ? 1 : 0);
      if (told) {
        assertThat(log).singleElement().asString().contains(name);
      }
    }
  }

  /** A key is read once, so what happens to it later than that does no harm. */
  private static boolean isSeenLater(Damaged damage) {
    return !damage.name().startsWith("a length")
        && !damage.name().startsWith("a second")
        && !damage.name().startsWith("a key");
  }

  @ParameterizedTest
  @MethodSource("cases")
  void aFileThatIsWholeAgainIsReadWhole(Format format, Damaged damage, boolean atFirst)
      throws IOException {
    List<Integer> ends = write(format, 2);
    Path file = directory.resolve(format.counterFile(METRIC, 2));
    byte[] whole = Files.readAllBytes(file);
    try (ForeignSource source =
        ForeignSource.of(directory, ForeignOptions.builder().problems(problems).build())) {
      if (!atFirst) {
        Exposition.of(source);
      }
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
        damage.change().apply(channel, format, ends);
        Exposition.of(source);
        channel.write(ByteBuffer.wrap(whole), 0);
      }
      assertThat(Exposition.of(source)).isEqualTo(expected(2, SERIES));
    }
  }
}

package dev.millrace.format.prometheus;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.testkit.GivenBack;
import dev.millrace.testkit.Promtool;
import dev.millrace.testkit.StrictOpenMetricsParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Compares expositions with the files of {@link Goldens}, which a person reviews. With {@code
 * -Dmillrace.goldens=write} the files are written instead.
 */
class GoldenTest {
  private static final Path FOLDER = Path.of("src/test/resources/prometheus");

  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(16), ChunkPool::outstandingChunks);

  @ParameterizedTest
  @EnumSource
  void text(Goldens golden) throws IOException {
    Expositions exporter = new Expositions(chunks.pool(), golden.options());
    compare(exporter.text(golden.source()), file(golden, "txt"));
  }

  @ParameterizedTest
  @EnumSource
  void openMetrics(Goldens golden) throws IOException {
    Expositions exporter = new Expositions(chunks.pool(), golden.options());
    compare(exporter.openMetrics(golden.source()), file(golden, "om"));
  }

  @ParameterizedTest
  @EnumSource
  void goldensKeepWhatHoldsForAllExpositions(Goldens golden) throws IOException {
    assertThat(
            ParsedExposition.parse(Files.readString(file(golden, "txt"), UTF_8), false).samples())
        .isNotEmpty();
    assertThat(ParsedExposition.parse(Files.readString(file(golden, "om"), UTF_8), true).samples())
        .isNotEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void promtoolReadsTheText(Goldens golden) throws Exception {
    List<String> lint = Promtool.require().checkMetrics(Files.readAllBytes(file(golden, "txt")));
    if (golden == Goldens.APPLICATION) {
      assertThat(lint).isEmpty();
    }
  }

  @Test
  void theStrictParserReadsOpenMetrics() throws Exception {
    StrictOpenMetricsParser.require()
        .check(
            List.of(
                Files.readAllBytes(file(Goldens.APPLICATION, "om")),
                Files.readAllBytes(file(Goldens.AGENT, "om")),
                Files.readAllBytes(file(Goldens.EXEMPLARS, "om")),
                Files.readAllBytes(file(Goldens.HOSTILE, "om"))));
  }

  private static Path file(Goldens golden, String extension) {
    return FOLDER.resolve(golden.name().toLowerCase(Locale.ROOT) + "." + extension);
  }

  static void compare(String exposition, Path file) throws IOException {
    if ("write".equals(System.getProperty("millrace.goldens"))) {
      Files.createDirectories(file.getParent());
      Files.writeString(file, exposition, UTF_8);
    }
    assertThat(exposition)
        .as("%s; if the change is meant, run with -Dmillrace.goldens=write and review it", file)
        .isEqualTo(Files.readString(file, UTF_8));
  }
}

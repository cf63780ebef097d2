package dev.millrace.store.foreign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.model.MetricCursor;
import dev.millrace.model.Problem;
import dev.millrace.model.TypeHint;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Directories that the clients wrote, against what their own exporters gave. */
class SampleDirectoriesTest {
  static Path samples(String name) throws URISyntaxException {
    URL found = SampleDirectoriesTest.class.getResource(name);
    return Path.of(Objects.requireNonNull(found, name).toURI());
  }

  @ParameterizedTest
  @CsvSource({
    "client_python-0.25.0,dir,expected.txt,AUTO",
    "client_python-0.25.0,dir,expected.txt,CLIENT_PYTHON",
    "client_python-0.25.0,dir-after-103-died,expected-after-103-died.txt,AUTO",
    "prometheus-client-mmap-0.16.2,dir,expected.txt,AUTO",
    "prometheus-client-mmap-0.16.2,dir,expected.txt,PROMETHEUS_CLIENT_MMAP",
    "client_ruby-4.2.5,dir,expected.txt,AUTO",
    "client_ruby-4.2.5,dir,expected.txt,CLIENT_RUBY",
  })
  void aDirectoryGivesWhatItsClientGives(
      String client, String folder, String expected, ForeignClient asked) throws Exception {
    Path home = samples(client);
    ForeignOptions.Builder options = ForeignOptions.builder().client(asked);
    if (client.startsWith("client_ruby")) {
      options.schema(home.resolve("metrics.json"));
    }
    try (ForeignSource source = ForeignSource.of(home.resolve(folder), options.build())) {
      for (int scrape = 0; scrape < 3; scrape++) {
        assertThat(Exposition.of(source))
            .isEqualTo(Exposition.parse(Files.readString(home.resolve(expected))));
      }
      assertThat(source.problems().kinds()).extracting(Problem::count).containsOnly();
    }
  }

  @Test
  void helpAndTypeAreTheClients() throws Exception {
    Path home = samples("client_ruby-4.2.5");
    ForeignOptions options = ForeignOptions.builder().schema(home.resolve("metrics.json")).build();
    try (ForeignSource source = ForeignSource.of(home.resolve("dir"), options);
        MetricCursor cursor = source.open()) {
      cursor.seekMetric(cursor.metricCount() - 2);
      assertThat(cursor.metric().name()).isEqualTo("requests_total");
      assertThat(cursor.metric().description())
          .isEqualTo("Requests \\ with backslash\nand newline");
      assertThat(cursor.metric().monotonic()).isTrue();
    }
  }

  @Test
  void rubysFilesWithoutASchemaAreSamplesOfUnknownType() throws Exception {
    try (ForeignSource source = ForeignSource.of(samples("client_ruby-4.2.5").resolve("dir"))) {
      assertThat(Exposition.of(source))
          .containsEntry("plain_total{}", 9.0)
          .containsEntry("g_all{pid=102, q=GET}", -10.25)
          .containsEntry("query_seconds{le=0.005, statement=GET}", 3.0)
          .containsEntry("size_bytes{kind=GET, quantile=count}", 6.0);
      try (MetricCursor cursor = source.open()) {
        cursor.seekMetric(0);
        assertThat(cursor.metric().typeHint()).isEqualTo(TypeHint.UNKNOWN);
      }
    }
  }

  @Test
  void oneClientsFilesAloneAreReadWhereOnlyItIsAskedFor() throws Exception {
    ForeignOptions options = ForeignOptions.builder().client(ForeignClient.CLIENT_RUBY).build();
    try (ForeignSource source =
        ForeignSource.of(samples("client_python-0.25.0").resolve("dir"), options)) {
      assertThat(Exposition.of(source)).isEmpty();
    }
  }
}

package dev.millrace.benchmarks.scrape;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ServedContestantTest {
  @ParameterizedTest
  @ValueSource(strings = {Contestants.MILLRACE, Contestants.OTEL_EXPORTER, Contestants.CLIENT_JAVA})
  void servesTheWholeWorkloadToAll(String contestant) throws IOException {
    int series = 200;
    try (ServedContestant server =
        new ServedContestant(contestant, series, PrometheusHeaders.PROMETHEUS_2, 3)) {
      assertThat(server.samples()).isEqualTo(new ScrapeWorkload(series).sampleLines());
      ServedContestant.Spent before = server.spent();
      assertThat(server.scrape()).isGreaterThan(3L * series);
      assertThat(server.spent().allocatedBytes()).isGreaterThan(before.allocatedBytes());
    }
  }
}

package dev.millrace.export.server;

import static dev.millrace.format.prometheus.TranslationStrategy.NO_UTF8_ESCAPING_WITH_SUFFIXES;

import dev.millrace.format.prometheus.PrometheusOptions;
import dev.millrace.store.MetricStore;
import dev.millrace.testkit.Eventually;
import dev.millrace.testkit.RealProgram;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A Prometheus that asks for names in UTF-8 first. */
class NewerPrometheusTest {
  private static final Duration LIMIT = Duration.ofMinutes(2);

  private static void expectValue(
      dev.millrace.testkit.PrometheusServer prometheus, String query, double expected) {
    Eventually.isTrue(
        query + " = " + expected,
        LIMIT,
        () -> {
          List<dev.millrace.testkit.PrometheusServer.Sample> samples = prometheus.query(query);
          return samples.size() == 1 && samples.get(0).value() == expected;
        });
  }

  @Test
  void keepsNamesAsTheyAre(@TempDir Path directory) throws Exception {
    RealProgram program = RealProgram.requireNewer("prometheus");
    try (MetricStore store = MetricStore.inMemory()) {
      store
          .counter("shop.orders.\u00e9t\u00e9")
          .labelNames("payment.kind")
          .create()
          .labels("cash")
          .add(42);
      store.gauge("temperature_celsius").create().set(-1.5);
      store.histogram("wait.time").unit("s").bounds(0.1, 1, 10).create().observe(0.5);
      try (PrometheusServer server =
              PrometheusServer.builder()
                  .port(0)
                  .prometheusOptions(
                      PrometheusOptions.DEFAULT.withTranslationStrategy(
                          NO_UTF8_ESCAPING_WITH_SUFFIXES))
                  .start(store);
          dev.millrace.testkit.PrometheusServer prometheus =
              dev.millrace.testkit.PrometheusServer.start(
                  program, directory, "127.0.0.1:" + server.port(), "")) {
        expectValue(
            prometheus, "{\"shop.orders.\u00e9t\u00e9_total\", \"payment.kind\"=\"cash\"}", 42);
        expectValue(prometheus, "temperature_celsius", -1.5);
        expectValue(prometheus, "{\"wait.time_seconds_bucket\", le=\"1.0\"}", 1);
        expectValue(prometheus, "{\"wait.time_seconds_sum\"}", 0.5);
        expectValue(prometheus, "up", 1);
      }
    }
  }
}

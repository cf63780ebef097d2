package dev.millrace.export.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.export.tls.Tls;
import dev.millrace.model.Problems;
import dev.millrace.store.MetricStore;
import dev.millrace.testkit.Eventually;
import dev.millrace.testkit.TestIdentity;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The real Prometheus, with what its configuration offers to get in. */
class RealPrometheusTest {
  private static final Duration LIMIT = Duration.ofMinutes(2);

  private final MetricStore store = MetricStore.inMemory();
  private final Problems problems = new Problems();

  @TempDir private Path directory;

  @AfterEach
  void closeStore() {
    store.close();
  }

  private void record() {
    store.counter("orders").help("Orders taken.").create().add(42);
    store.gauge("temperature_celsius").create().set(-1.5);
    store.histogram("wait_seconds").bounds(0.1, 1, 10).create().observe(0.5);
  }

  private static void expectValues(dev.millrace.testkit.PrometheusServer prometheus) {
    expectValue(prometheus, "orders_total", 42);
    expectValue(prometheus, "temperature_celsius", -1.5);
    expectValue(prometheus, "wait_seconds_bucket{le=~\"1|1.0\"}", 1);
    expectValue(prometheus, "wait_seconds_count", 1);
    // Two in a row over one kept-alive connection.
    expectValue(prometheus, "count_over_time(up[3s]) > bool 1 and min_over_time(up[3s]) == 1", 1);
  }

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
  void scrapesWithBasicAuthentication() throws Exception {
    record();
    try (PrometheusServer server =
        PrometheusServer.builder()
            .port(0)
            .problems(problems)
            .basicAuthentication(BasicAuthentication.of("prometheus", "correct: hörse"))
            .start(store)) {
      String credentials =
          """
          basic_auth:
            username: prometheus
            password: 'correct: hörse'
          """;
      try (dev.millrace.testkit.PrometheusServer prometheus =
          dev.millrace.testkit.PrometheusServer.scrapingWith(
              directory, "127.0.0.1:" + server.port(), credentials)) {
        expectValues(prometheus);
      }
    }
    assertThat(problems.kind("scrape_unauthorized").count()).isZero();
  }

  @Test
  void isKeptOutWithTheWrongPassword() throws Exception {
    record();
    try (PrometheusServer server =
            PrometheusServer.builder()
                .port(0)
                .problems(problems)
                .basicAuthentication(BasicAuthentication.of("prometheus", "another"))
                .start(store);
        dev.millrace.testkit.PrometheusServer prometheus =
            dev.millrace.testkit.PrometheusServer.scraping(
                directory, "127.0.0.1:" + server.port())) {
      expectValue(prometheus, "up", 0);
      assertThat(prometheus.targets()).contains("401");
    }
  }

  @Test
  void scrapesOverMutualTls() throws Exception {
    record();
    TestIdentity identity = TestIdentity.selfSigned(directory, "server", "EC");
    TestIdentity scraper = TestIdentity.selfSigned(directory, "scraper", "RSA");
    Path chain = Files.writeString(directory.resolve("tls.crt"), identity.certificatePem());
    Path key = Files.writeString(directory.resolve("tls.key"), identity.keyPem());
    Path client = Files.writeString(directory.resolve("client.crt"), scraper.certificatePem());
    Path clientKey = Files.writeString(directory.resolve("client.key"), scraper.keyPem());
    String security =
        """
        scheme: https
        tls_config:
          ca_file: %s
          cert_file: %s
          key_file: %s
        """
            .formatted(chain, client, clientKey);
    try (PrometheusServer server =
            PrometheusServer.builder()
                .port(0)
                .problems(problems)
                .tls(Tls.server(chain, key).withClientAuthorities(client))
                .start(store);
        dev.millrace.testkit.PrometheusServer prometheus =
            dev.millrace.testkit.PrometheusServer.scrapingWith(
                directory, "127.0.0.1:" + server.port(), security)) {
      expectValues(prometheus);
    }
  }
}

package dev.millrace.export.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.export.server.RawConnection.Reply;
import dev.millrace.model.Problems;
import dev.millrace.store.Counter;
import dev.millrace.store.MetricStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PrometheusServerTest {
  private static final String OPEN_METRICS = "Accept: application/openmetrics-text;version=1.0.0";

  private final MetricStore store = MetricStore.inMemory();
  private final Problems problems = new Problems();

  @AfterEach
  void closeStore() {
    store.close();
  }

  private PrometheusServer start() {
    return PrometheusServer.builder().port(0).problems(problems).start(store);
  }

  @Test
  void servesTheStoreOnLoopback() throws Exception {
    Counter orders = store.counter("orders").help("Orders taken.").create();
    orders.add(3);
    try (PrometheusServer server = PrometheusServer.create(0, store);
        RawConnection client = RawConnection.to(server.address())) {
      assertThat(server.address().getAddress().isLoopbackAddress()).isTrue();
      assertThat(server.port()).isPositive();

      Reply text = client.get("/metrics");
      assertThat(text.status()).isEqualTo(200);
      assertThat(text.header("Content-Type")).startsWith("text/plain; version=0.0.4");
      assertThat(text.text()).contains("# TYPE orders_total counter\norders_total 3\n");

      orders.increment();
      Reply openMetrics = client.get("/metrics?x=y", OPEN_METRICS, "Accept-Encoding: gzip");
      assertThat(openMetrics.header("Content-Type"))
          .startsWith("application/openmetrics-text; version=1.0.0");
      assertThat(openMetrics.header("Content-Encoding")).isEqualTo("gzip");
      assertThat(openMetrics.header("Vary")).isEqualTo("Accept, Accept-Encoding");
      assertThat(openMetrics.gunzipped()).contains("orders_total 4\n").endsWith("# EOF\n");
    }
  }

  @Test
  void aTakenPortIsNamed() {
    try (PrometheusServer first = start()) {
      assertThatThrownBy(() -> PrometheusServer.create(first.port(), store))
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining("127.0.0.1 port " + first.port())
          .hasMessageContaining("set another port");
    }
  }

  @Test
  void anUnknownHostIsNamed() {
    assertThatThrownBy(() -> PrometheusServer.builder().host("no.such.host.invalid").start(store))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no.such.host.invalid");
  }

  @Test
  void otherPathsHaveAnIndexToGoTo() throws Exception {
    try (PrometheusServer server =
            PrometheusServer.builder().port(0).path("/m/x").problems(problems).start(store);
        RawConnection client = RawConnection.to(server.address())) {
      assertThat(client.get("/m/x").status()).isEqualTo(200);
      Reply index = client.get("/");
      assertThat(index.status()).isEqualTo(200);
      assertThat(index.text()).contains("/m/x");
      for (String path : new String[] {"/metrics", "/m/xy", "/m/x/", "/m"}) {
        Reply unknown = client.get(path);
        assertThat(unknown.status()).as(path).isEqualTo(404);
        assertThat(unknown.text()).contains("/m/x").contains(path);
      }
      assertThat(problems.kind("scrape_unknown_path").count()).isEqualTo(4);
    }
  }

  @Test
  void thePathMayBeTheRoot() throws Exception {
    try (PrometheusServer server =
            PrometheusServer.builder().port(0).path("/").problems(problems).start(store);
        RawConnection client = RawConnection.to(server.address())) {
      assertThat(client.get("/").header("Content-Type")).startsWith("text/plain; version=0.0.4");
      assertThat(client.get("/metrics").status()).isEqualTo(404);
    }
  }

  @Test
  void nothingListensAfterClose() throws Exception {
    PrometheusServer server = start();
    server.close();
    server.close();
    assertThatThrownBy(() -> RawConnection.to(server.address())).isInstanceOf(IOException.class);
    try (PrometheusServer again = PrometheusServer.create(server.port(), store)) {
      assertThat(again.port()).isEqualTo(server.port());
    }
  }
}

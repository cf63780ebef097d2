package dev.millrace.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.ChunkWriter;
import dev.millrace.bytes.Payload;
import dev.millrace.format.MetricEncoder;
import dev.millrace.format.prometheus.EscapingScheme;
import dev.millrace.format.prometheus.PrometheusFormat;
import dev.millrace.format.prometheus.PrometheusFormats;
import dev.millrace.format.prometheus.PrometheusOptions;
import dev.millrace.model.MetricCursor;
import dev.millrace.model.Problems;
import dev.millrace.testkit.AllocationMeter;
import dev.millrace.testkit.GivenBack;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What a scrape of a store gives, through the real encoder. */
class PrometheusTextTest {
  /** What a warm scrape may allocate, the encoder's share included. */
  private static final long MOST_BYTES_A_SCRAPE = 32 * 1024;

  @TempDir Path directory;

  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(16), ChunkPool::outstandingChunks);

  private final MetricEncoder encoder =
      new PrometheusFormats(PrometheusOptions.DEFAULT, new Problems())
          .encoder(PrometheusFormat.TEXT_0_0_4, EscapingScheme.UNDERSCORES);

  private String scrape(MetricStore store) {
    try (Payload payload = encode(store)) {
      return new String(payload.toByteArray(), StandardCharsets.UTF_8);
    }
  }

  private Payload encode(MetricStore store) {
    try (MetricCursor cursor = store.open();
        ChunkWriter out = new ChunkWriter(chunks.pool())) {
      encoder.encode(cursor, out);
      return out.finish();
    }
  }

  private MetricStore open(String name) {
    return MetricStore.open(
        directory, StoreOptions.builder().processName(name).retireInterval(Duration.ZERO).build());
  }

  @Test
  void aScrapeInText() {
    try (MetricStore store = open("a");
        MetricStore other = open("b")) {
      for (MetricStore one : new MetricStore[] {store, other}) {
        one.counter("orders")
            .help("Orders taken.")
            .labelNames("kind")
            .create()
            .labels("cash")
            .increment();
        one.histogram("wait").unit("s").bounds(0.1, 1).create().observe(0.5);
        one.gauge("heap").unit("By").create().set(7);
        one.info("build").labelNames("version").create().set("1.2");
        one.stateSet("phase").states("up", "down").create().only("up");
      }
      assertThat(scrape(store))
          .contains("# HELP orders_total Orders taken.\n# TYPE orders_total counter\n")
          .contains("orders_total{kind=\"cash\"} 2\n")
          .contains("wait_seconds_bucket{le=\"0.1\"} 0\n")
          .contains("wait_seconds_bucket{le=\"1.0\"} 2\n")
          .contains("wait_seconds_bucket{le=\"+Inf\"} 2\n")
          .contains("wait_seconds_sum 1\n")
          .contains("wait_seconds_count 2\n")
          .contains("heap_bytes{pid=\"a\"} 7\n")
          .contains("heap_bytes{pid=\"b\"} 7\n")
          .contains("version=\"1.2\"} 1\n")
          .contains("phase{phase=\"up\"} 1\n");
    }
  }

  @Test
  void aWarmScrapeOfTenProcessesAllocatesLittle() throws Exception {
    MetricStore[] stores = new MetricStore[10];
    for (int p = 0; p < stores.length; p++) {
      stores[p] = open("p" + p);
      Histogram histogram = stores[p].histogram("h").labelNames("db", "statement").create();
      for (int i = 0; i < 150; i++) {
        Histogram.Series series = histogram.labels("db", "statement " + i);
        series.observe(0.003);
        series.observe(3);
      }
    }
    assertThat(AllocationMeter.bytesPerOperation(30, 20, () -> encode(stores[0]).close()))
        .isLessThanOrEqualTo(MOST_BYTES_A_SCRAPE);
    for (MetricStore store : stores) {
      store.close();
    }
  }
}

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
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What a scrape of a store gives, through the real encoder. */
class PrometheusTextTest {
  /** What a warm scrape may allocate, the encoder's share included. */
  private static final long MOST_BYTES_A_SCRAPE = 32 * 1024;

  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String SPAN = "00f067aa0ba902b7";

  private final AtomicLong unixMillis = new AtomicLong(1_700_000_000_000L);

  @TempDir Path directory;

  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(16), ChunkPool::outstandingChunks);

  private final PrometheusFormats formats =
      new PrometheusFormats(PrometheusOptions.DEFAULT, new Problems());
  private final MetricEncoder text =
      formats.encoder(PrometheusFormat.TEXT_0_0_4, EscapingScheme.UNDERSCORES);
  private final MetricEncoder openMetrics =
      formats.encoder(PrometheusFormat.OPEN_METRICS_1_0_0, EscapingScheme.UNDERSCORES);

  private String scrape(MetricStore store, MetricEncoder encoder) {
    try (Payload payload = encode(store, encoder)) {
      return new String(payload.toByteArray(), StandardCharsets.UTF_8);
    }
  }

  private Payload encode(MetricStore store, MetricEncoder encoder) {
    try (MetricCursor cursor = store.open();
        ChunkWriter out = new ChunkWriter(chunks.pool())) {
      encoder.encode(cursor, out);
      return out.finish();
    }
  }

  private MetricStore open(String name) {
    return MetricStore.open(
        directory,
        StoreOptions.builder()
            .processName(name)
            .retireInterval(Duration.ZERO)
            .clock(unixMillis::get)
            .build());
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
      assertThat(scrape(store, text))
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
  void aScrapeInOpenMetricsHasTheNewestExemplarsOfAllProcesses() {
    try (MetricStore plain = open("a");
        MetricStore store = open("b");
        MetricStore other = open("c")) {
      // The first declaration has none; it is one metric all the same.
      plain.histogram("wait").unit("s").bounds(0.1, 1).create().observe(0.5);
      for (MetricStore one : new MetricStore[] {store, other}) {
        Counter orders = one.counter("orders").exemplars().create();
        Histogram wait = one.histogram("wait").unit("s").bounds(0.1, 1).exemplars().create();
        unixMillis.addAndGet(250);
        String span = one == store ? SPAN : SPAN.replace('0', '1');
        orders.labels().add(2, TRACE, span);
        wait.labels().observe(one == store ? 0.05 : 0.5, TRACE, span);
        wait.labels().observe(7);
      }
      assertThat(scrape(plain, openMetrics))
          .contains(
              "orders_total 4 # {trace_id=\"4bf92f3577b34da6a3ce929d0e0e4736\","
                  + "span_id=\"11f167aa1ba912b7\"} 2 1700000000.5\n")
          .contains(
              "wait_seconds_bucket{le=\"0.1\"} 1 # {trace_id=\"4bf92f3577b34da6a3ce929d0e0e4736\","
                  + "span_id=\"00f067aa0ba902b7\"} 0.05 1700000000.25\n")
          .contains(
              "wait_seconds_bucket{le=\"1.0\"} 3 # {trace_id=\"4bf92f3577b34da6a3ce929d0e0e4736\","
                  + "span_id=\"11f167aa1ba912b7\"} 0.5 1700000000.5\n")
          .contains("wait_seconds_bucket{le=\"+Inf\"} 5\n");
      assertThat(scrape(plain, text)).contains("orders_total 4\n").doesNotContain(" # {");
    }
  }

  @Test
  void aWarmScrapeWithExemplarsAllocatesLittle() throws Exception {
    try (MetricStore store = open("a")) {
      Histogram histogram = store.histogram("h").labelNames("k").exemplars().create();
      Counter counter = store.counter("c").labelNames("k").exemplars().create();
      for (int i = 0; i < 500; i++) {
        histogram.labels("" + i).observe(i, TRACE, SPAN);
        counter.labels("" + i).add(1, TRACE, SPAN);
      }
      assertThat(
              AllocationMeter.bytesPerOperation(30, 20, () -> encode(store, openMetrics).close()))
          .isLessThanOrEqualTo(MOST_BYTES_A_SCRAPE);
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
    // A directory that changed a moment ago is listed again each time.
    Files.setLastModifiedTime(directory, FileTime.from(Instant.now().minusSeconds(60)));
    assertThat(AllocationMeter.bytesPerOperation(30, 20, () -> encode(stores[0], text).close()))
        .isLessThanOrEqualTo(MOST_BYTES_A_SCRAPE);
    for (MetricStore store : stores) {
      store.close();
    }
  }
}

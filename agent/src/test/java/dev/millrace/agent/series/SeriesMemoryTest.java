package dev.millrace.agent.series;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.model.Labels;
import dev.millrace.model.MetricKind;
import dev.millrace.model.Problems;
import dev.millrace.model.Temporality;
import dev.millrace.testkit.AllocationMeter;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What a series takes of the heap, and that it is given back. */
class SeriesMemoryTest {
  private static final int SERIES = 100_000;

  private final AtomicLong clock = new AtomicLong();

  @Test
  void aSeriesTakesAFewHundredBytesAndGivesThemBack() {
    SeriesTable table =
        new SeriesTable(SeriesTableOptions.DEFAULTS, clock::get, new Problems(() -> 0, line -> {}));
    Feed feed = new Feed(table);
    fill(feed, 1);
    long before = usedBytes();
    fill(feed, SERIES);
    long held = usedBytes() - before;
    assertThat(table.seriesCount()).isEqualTo(SERIES);
    // Five labels of 100 bytes in all, and what holds them and the value.
    assertThat(held / SERIES).isBetween(150L, 380L);
    clock.addAndGet(SeriesTableOptions.DEFAULT_EXPIRATION_NANOS + (1 << 22));
    table.expire();
    assertThat(table.seriesCount()).isZero();
    assertThat(usedBytes() - before).isLessThan(held / 20);
  }

  @Test
  void whatIsRefusedTakesNothing() throws Exception {
    SeriesTable table =
        new SeriesTable(
            SeriesTableOptions.DEFAULTS.withMaxSeries(1),
            clock::get,
            new Problems(() -> 0, line -> {}));
    Feed feed = new Feed(table);
    feed.gauge("g", "a", 1, 1);
    long before = usedBytes();
    for (int i = 0; i < SERIES; i++) {
      feed.resource("service.name", "s" + i).scope("scope" + i);
      assertThat(feed.gauge("metric" + i, "a" + i, 1, 1)).isEqualTo(Outcome.TOO_MANY_SERIES);
    }
    assertThat(usedBytes() - before).isLessThan(1 << 20);
    assertThat(table.metricCount()).isEqualTo(1);
    assertThat(AllocationMeter.bytesPerOperation(10, 10, () -> table.expire())).isLessThan(1_000);
  }

  private static void fill(Feed feed, int count) {
    for (int i = 0; i < count; i++) {
      feed.point.clear();
      feed.point.timeUnixNanos = 1;
      feed.point.setDouble(i);
      feed.record(
          "http.server.active_requests",
          "",
          "",
          MetricKind.GAUGE,
          Temporality.UNSPECIFIED,
          Labels.of(
              "http.request.method",
              "GET",
              "http.route",
              "/api/users/" + (1_000_000 + i),
              "network.protocol",
              "1.1",
              "server.port",
              "8080",
              "url.scheme",
              "https"));
    }
  }

  private static long usedBytes() {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 5; i++) {
      System.gc();
      Runtime runtime = Runtime.getRuntime();
      least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
    }
    return least;
  }
}

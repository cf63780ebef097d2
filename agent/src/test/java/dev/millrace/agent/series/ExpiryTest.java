package dev.millrace.agent.series;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.model.EncodedLabelsBudget;
import dev.millrace.model.MetricCursor;
import dev.millrace.model.MetricKind;
import dev.millrace.model.Problems;
import dev.millrace.model.Series;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ExpiryTest {
  private static final long SECOND_NANOS = 1_000_000_000L;

  private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 100 * SECOND_NANOS);
  private final SeriesTable table =
      new SeriesTable(
          SeriesTableOptions.DEFAULTS.withMaxSeries(1_000).withExpirationNanos(300 * SECOND_NANOS),
          clock::get,
          new Problems(() -> 0, line -> {}));
  private final Feed feed = new Feed(table);

  @Test
  void aSeriesLeavesWhenNothingWasHeardOfItForTheWholeTime() {
    feed.gauge("g", "a", 1, 1);
    clock.addAndGet(200 * SECOND_NANOS);
    feed.gauge("g", "b", 1, 1);
    clock.addAndGet(99 * SECOND_NANOS);
    table.expire();
    assertThat(table.seriesCount()).isEqualTo(2);
    clock.addAndGet(2 * SECOND_NANOS);
    table.expire();
    assertThat(SeriesTableTest.lines(table)).containsExactly("g{l=b} 0..1 1");
    assertThat(table.seriesCount()).isEqualTo(1);
    clock.addAndGet(198 * SECOND_NANOS);
    table.expire();
    assertThat(table.seriesCount()).isEqualTo(1);
    clock.addAndGet(2 * SECOND_NANOS);
    table.expire();
    assertThat(table.seriesCount()).isZero();
    assertThat(table.metricCount()).isZero();
  }

  @Test
  void onlyPointsThatAreTakenKeepASeries() {
    feed.gauge("g", "a", 100, 1);
    feed.delta("d", "a", 50, 100, 1);
    for (int i = 0; i < 4; i++) {
      clock.addAndGet(80 * SECOND_NANOS);
      feed.gauge("g", "a", 99, 1);
      feed.delta("d", "a", 60, 99, 1);
      table.expire();
    }
    assertThat(table.seriesCount()).isZero();
    // A sender whose clock was set back is read again after that.
    assertThat(feed.gauge("g", "a", 99, 1)).isEqualTo(Outcome.RECORDED);
  }

  @Test
  void whatComesBackIsANewSeriesAndEncodedLabelsAreLetGo() {
    feed.gauge("g", "a", 1, 1);
    Series old;
    EncodedLabelsBudget budget;
    try (MetricCursor cursor = table.open()) {
      cursor.seekMetric(0);
      cursor.nextPoint();
      old = cursor.series();
      budget = cursor.encodedLabelsBudget();
      old.keepEncodedLabels(this, new byte[10], budget);
      assertThat(budget.usedBytes()).isPositive();
      clock.addAndGet(301 * SECOND_NANOS);
      table.expire();
      assertThat(budget.usedBytes()).isZero();
      // The cursor that was open does not show what has left.
      cursor.rewindPoints();
      assertThat(cursor.nextPoint()).isFalse();
      feed.gauge("g", "a", 1, 1);
      cursor.seekMetric(0);
      assertThat(cursor.nextPoint()).isFalse();
    }
    old.keepEncodedLabels(this, new byte[10], budget);
    assertThat(budget.usedBytes()).isZero();
    try (MetricCursor cursor = table.open()) {
      cursor.seekMetric(0);
      assertThat(cursor.nextPoint()).isTrue();
      assertThat(cursor.series()).isNotSameAs(old);
      assertThat(cursor.series().labels()).isEqualTo(old.labels());
    }
  }

  @Test
  void makesRoomForOthers() {
    for (int i = 0; i < 1_000; i++) {
      assertThat(feed.gauge("g", "a" + i, 1, 1)).isEqualTo(Outcome.RECORDED);
    }
    assertThat(feed.gauge("g", "b", 1, 1)).isEqualTo(Outcome.TOO_MANY_SERIES);
    clock.addAndGet(301 * SECOND_NANOS);
    feed.gauge("g", "a0", 1, 1);
    table.expire();
    assertThat(table.seriesCount()).isEqualTo(1);
    for (int i = 1; i < 1_000; i++) {
      assertThat(feed.gauge("g", "c" + i, 1, 1)).isEqualTo(Outcome.RECORDED);
    }
    assertThat(feed.gauge("g", "d", 1, 1)).isEqualTo(Outcome.TOO_MANY_SERIES);
  }

  @Test
  void agreesWithAPlainMapWhateverComesAndGoes() {
    for (int seed = 0; seed < 30; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      TreeMap<String, Long> heard = new TreeMap<>();
      for (int step = 0; step < 2_000; step++) {
        clock.addAndGet(random.nextLong(5 * SECOND_NANOS));
        String name = "m" + random.nextInt(5);
        String label = "l" + random.nextInt(60);
        String job = "s" + random.nextInt(3);
        feed.resource("service.name", job).gauge(name, label, step + 1, step);
        heard.put(job + name + label, clock.get());
        if (random.nextInt(20) == 0) {
          clock.addAndGet(random.nextLong(200 * SECOND_NANOS));
          table.expire();
          heard.values().removeIf(at -> clock.get() - at > 300 * SECOND_NANOS + (1 << 21));
          List<String> young =
              heard.entrySet().stream()
                  .filter(e -> clock.get() - e.getValue() <= 300 * SECOND_NANOS)
                  .map(Map.Entry::getKey)
                  .toList();
          List<String> found = new ArrayList<>();
          try (MetricCursor cursor = table.open()) {
            for (int i = 0; i < cursor.metricCount(); i++) {
              cursor.seekMetric(i);
              while (cursor.nextPoint()) {
                found.add(
                    cursor.resource().attributes().text(0)
                        + cursor.metric().name()
                        + cursor.series().labels().text(0));
              }
            }
          }
          assertThat(found).as("seed %d, step %d", seed, step).doesNotHaveDuplicates();
          assertThat(heard.keySet()).as("seed %d, step %d", seed, step).containsAll(found);
          assertThat(found).as("seed %d, step %d", seed, step).containsAll(young);
          assertThat(table.seriesCount()).isEqualTo(found.size());
        }
      }
      clock.addAndGet(302 * SECOND_NANOS);
      table.expire();
      assertThat(table.metricCount()).isZero();
    }
  }

  @Test
  void anEndedSeriesLeavesTooThoughItsEndIsRepeated() {
    feed.gauge("g", "a", 1, 1);
    for (int i = 0; i < 4; i++) {
      clock.addAndGet(80 * SECOND_NANOS);
      feed.end("g", MetricKind.GAUGE, "a", 2 + i);
      table.expire();
    }
    assertThat(table.seriesCount()).isZero();
  }
}

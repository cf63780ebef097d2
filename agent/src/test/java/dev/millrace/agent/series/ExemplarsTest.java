package dev.millrace.agent.series;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.model.Labels;
import dev.millrace.model.MetricCursor;
import dev.millrace.model.MetricKind;
import dev.millrace.model.Problems;
import dev.millrace.model.Temporality;
import dev.millrace.testkit.AllocationMeter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Which exemplars a series holds, when they go, and what they cost. */
class ExemplarsTest {
  private final AtomicLong clock = new AtomicLong();
  private final Problems problems = new Problems(() -> 0, line -> {});
  private SeriesTable table = new SeriesTable(SeriesTableOptions.DEFAULTS, clock::get, problems);
  private Feed feed = new Feed(table);

  /** Sets the budget for exemplars. */
  private void useBytes(long exemplarBytes) {
    table =
        new SeriesTable(
            SeriesTableOptions.DEFAULTS.withExemplarBytes(exemplarBytes), clock::get, problems);
    feed = new Feed(table);
  }

  private void point(long start, long time) {
    feed.point.clear();
    feed.point.startTimeUnixNanos = start;
    feed.point.timeUnixNanos = time;
  }

  private void offer(int slot, long value, long time) {
    feed.point.exemplars.offer(slot, true, value, time, 1, 2, 3, 0);
  }

  private void counter(long start, long time) {
    feed.point.setLong(9);
    feed.point.startTimeUnixNanos = start;
    feed.point.timeUnixNanos = time;
    assertThat(feed.record("c", MetricKind.SUM, Temporality.CUMULATIVE, "a").rejected()).isFalse();
  }

  private void histogram(Temporality temporality, double... bounds) {
    for (double bound : bounds) {
      feed.point.addBound(bound);
      feed.point.addBucket(1);
    }
    feed.point.addBucket(1);
    assertThat(feed.record("h", MetricKind.HISTOGRAM, temporality, "a").rejected()).isFalse();
  }

  /** Values and times of what the first series of the first metric holds. */
  private List<String> held() {
    List<String> held = new ArrayList<>();
    try (MetricCursor cursor = table.open()) {
      cursor.seekMetric(0);
      assertThat(cursor.nextPoint()).isTrue();
      for (int i = 0; i < cursor.exemplarCount(); i++) {
        assertThat(cursor.exemplarIsLong(i)).isTrue();
        assertThat(cursor.exemplarTraceIdHigh(i)).isEqualTo(1);
        assertThat(cursor.exemplarTraceIdLow(i)).isEqualTo(2);
        assertThat(cursor.exemplarSpanId(i)).isEqualTo(3);
        held.add(
            cursor.exemplarLongValue(i)
                + "@"
                + cursor.exemplarTimeUnixNanos(i)
                + (cursor.exemplarLabels(i).size() == 0 ? "" : cursor.exemplarLabels(i)));
      }
    }
    return held;
  }

  @Test
  void aSeriesKeepsTheNewest() {
    point(1, 10);
    offer(0, 1, 8);
    counter(1, 10);
    assertThat(held()).containsExactly("1@8");
    point(1, 20);
    counter(1, 20);
    assertThat(held()).as("a point without exemplars").containsExactly("1@8");
    point(1, 30);
    offer(0, 2, 7);
    counter(1, 30);
    assertThat(held()).as("an older exemplar").containsExactly("1@8");
    offer(0, 3, 25);
    counter(1, 40);
    assertThat(held()).containsExactly("3@25");
    point(1, 50);
    offer(0, 4, 0);
    counter(1, 50);
    assertThat(held()).as("one whose time is not known").containsExactly("4@0");
  }

  @Test
  void ofOnePointTheNewestAndLastHolds() {
    point(1, 10);
    offer(0, 1, 8);
    offer(0, 2, 9);
    offer(0, 3, 9);
    offer(0, 4, 7);
    counter(1, 10);
    assertThat(held()).containsExactly("3@9");
  }

  @Test
  void anExemplarFromTheFutureIsNotKeptForGood() {
    point(1, 10);
    offer(0, 1, 1_000_000);
    counter(1, 10);
    point(1, 20);
    offer(0, 2, 9);
    counter(1, 20);
    assertThat(held()).as("older than the point before").containsExactly("1@1000000");
    point(1, 30);
    offer(0, 3, 25);
    counter(1, 30);
    assertThat(held()).containsExactly("3@25");
  }

  @Test
  void anOlderPointBringsNoExemplar() {
    point(1, 10);
    offer(0, 1, 8);
    counter(1, 10);
    point(1, 5);
    offer(0, 2, 9);
    counter(1, 5);
    assertThat(held()).containsExactly("1@8");
  }

  @Test
  void exemplarsGoWhenTheSeriesBeginsAnewOrEnds() {
    point(1, 10);
    offer(0, 1, 8);
    counter(1, 10);
    point(12, 20);
    counter(12, 20);
    assertThat(held()).as("another start time").isEmpty();
    offer(0, 2, 25);
    counter(12, 30);
    assertThat(held()).containsExactly("2@25");
    feed.end("c", MetricKind.SUM, "a", 40);
    assertThat(held()).isEmpty();
    point(12, 50);
    counter(12, 50);
    assertThat(held()).as("after the end").isEmpty();
  }

  @Test
  void eachBucketKeepsItsOwn() {
    point(1, 10);
    offer(2, 30, 8);
    offer(0, 1, 8);
    histogram(Temporality.CUMULATIVE, 10, 20);
    point(1, 20);
    offer(1, 15, 18);
    offer(0, 2, 17);
    histogram(Temporality.CUMULATIVE, 10, 20);
    assertThat(held()).containsExactly("2@17", "15@18", "30@8");
    point(1, 30);
    offer(1, 16, 27);
    histogram(Temporality.CUMULATIVE, 10, 25);
    assertThat(held()).as("other bounds").containsExactly("16@27");
  }

  @Test
  void deltasAddExemplars() {
    point(1, 10);
    offer(0, 1, 8);
    histogram(Temporality.DELTA, 10, 20);
    point(10, 20);
    offer(2, 30, 18);
    histogram(Temporality.DELTA, 10, 20);
    assertThat(held()).containsExactly("1@8", "30@18");
  }

  @Test
  void slotsAreBucketsOrPowersOfTwo() {
    PointValues point = feed.point;
    point.addBound(1);
    point.addBound(2);
    assertThat(point.exemplarSlot(MetricKind.HISTOGRAM, 1)).isZero();
    assertThat(point.exemplarSlot(MetricKind.HISTOGRAM, 1.5)).isEqualTo(1);
    assertThat(point.exemplarSlot(MetricKind.HISTOGRAM, Double.POSITIVE_INFINITY)).isEqualTo(2);
    assertThat(point.exemplarSlot(MetricKind.HISTOGRAM, Double.NaN)).isEqualTo(-1);
    assertThat(point.exemplarSlot(MetricKind.SUM, Double.NaN)).isZero();
    assertThat(point.exemplarSlot(MetricKind.EXPONENTIAL_HISTOGRAM, Double.NaN)).isEqualTo(-1);
    for (double value = Double.MIN_VALUE; value < Double.MAX_VALUE / 2; value *= 2) {
      assertThat(point.exemplarSlot(MetricKind.EXPONENTIAL_HISTOGRAM, value)).isBetween(0, 7);
    }
    assertThat(point.exemplarSlot(MetricKind.EXPONENTIAL_HISTOGRAM, 1.9)).isZero();
    assertThat(point.exemplarSlot(MetricKind.EXPONENTIAL_HISTOGRAM, -2)).isEqualTo(1);
  }

  @Test
  void whatFindsNoRoomIsCounted() {
    useBytes(1_000);
    for (int i = 0; i < 100; i++) {
      point(1, 10);
      feed.point.setLong(1);
      offer(0, i, 5);
      feed.point.exemplars.setLabels(0, Labels.of("user.id", "u" + i));
      feed.record("c", MetricKind.SUM, Temporality.CUMULATIVE, "series " + i);
    }
    assertThat(table.seriesCount()).isEqualTo(100);
    assertThat(table.exemplarBytes()).isBetween(800L, 1_000L);
    long lost = problems.kind("too_many_exemplars").count();
    assertThat(lost).isBetween(90L, 99L);
    assertThat(held()).containsExactly("0@5{user.id=u0}");
  }

  @Test
  void withoutRoomForAttributesTheExemplarStays() {
    useBytes(200);
    point(1, 10);
    offer(0, 1, 5);
    feed.point.exemplars.setLabels(0, Labels.of("k", "v".repeat(100)));
    counter(1, 10);
    assertThat(held()).containsExactly("1@5");
    assertThat(problems.kind("too_many_exemplars").count()).isEqualTo(1);
  }

  @Test
  void everythingIsGivenBackWhenSeriesLeave() {
    for (int i = 0; i < 1_000; i++) {
      point(1, 10);
      for (int slot = 0; slot < i % 7; slot++) {
        offer(slot, i, 5);
        feed.point.exemplars.setLabels(slot, Labels.of("k", "v".repeat(slot)));
      }
      feed.point.addBound(1);
      feed.point.addBucket(1);
      feed.point.addBucket(1);
      feed.record("h", MetricKind.HISTOGRAM, Temporality.CUMULATIVE, "s" + i % 500);
    }
    assertThat(table.exemplarBytes()).isPositive();
    clock.addAndGet(SeriesTableOptions.DEFAULT_EXPIRATION_NANOS + (1 << 22));
    table.expire();
    assertThat(table.seriesCount()).isZero();
    assertThat(table.exemplarBytes()).isZero();
  }

  @Test
  void replacingExemplarsAllocatesNothing() throws Exception {
    AtomicLong time = new AtomicLong(1);
    SeriesTableTimes times = new SeriesTableTimes(feed, time);
    long with = AllocationMeter.bytesPerOperation(2_000, 500, () -> times.next(8));
    long without = AllocationMeter.bytesPerOperation(2_000, 500, () -> times.next(0));
    assertThat(held()).hasSize(8);
    // The feed itself makes labels and slices.
    assertThat(with).isLessThanOrEqualTo(without);
  }

  /** Points of one histogram, one after the other. */
  private record SeriesTableTimes(Feed feed, AtomicLong time) {
    void next(int exemplars) {
      PointValues point = feed.point;
      point.clear();
      point.startTimeUnixNanos = 1;
      point.timeUnixNanos = time.addAndGet(10);
      for (int i = 0; i < 7; i++) {
        point.addBound(i);
        point.addBucket(1);
      }
      point.addBucket(1);
      for (int i = 0; i < exemplars; i++) {
        point.exemplars.offer(i, true, i, point.timeUnixNanos - 1, 1, 2, 3, 0);
      }
      feed.record("h", MetricKind.HISTOGRAM, Temporality.CUMULATIVE, "a");
    }
  }
}

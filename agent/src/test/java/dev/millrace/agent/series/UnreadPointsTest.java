package dev.millrace.agent.series;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.model.Labels;
import dev.millrace.model.MetricCursor;
import dev.millrace.model.MetricKind;
import dev.millrace.model.Problems;
import dev.millrace.model.Temporality;
import dev.millrace.model.TypeHint;
import dev.millrace.testkit.AllocationMeter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Each point that is taken over is shown once, in the order of time. */
class UnreadPointsTest {
  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1_000 * MILLI;

  private final AtomicLong clock = new AtomicLong();
  private final SeriesTable table = table(PointPolicy.LATEST.withEveryPoint(true));
  private final Feed feed = new Feed(table);
  private final List<String> shown = Collections.synchronizedList(new ArrayList<>());

  private SeriesTable table(PointPolicy points) {
    SeriesTable made =
        new SeriesTable(
            SeriesTableOptions.DEFAULTS.withExpirationNanos(300 * SECOND).withPoints(points),
            clock::get,
            new Problems(() -> 0, line -> {}));
    made.unreadPoints().readBy(this::read);
    return made;
  }

  /** Shows each point as {@code name label time value}; the time in milliseconds. */
  private void read() {
    try (MetricCursor cursor = table.unreadPoints().open()) {
      for (int i = 0; i < cursor.metricCount(); i++) {
        cursor.seekMetric(i);
        while (cursor.nextPoint()) {
          shown.add(
              cursor.metric().name()
                  + " "
                  + cursor.series().labels().text(0)
                  + " "
                  + cursor.timeUnixNanos() / MILLI
                  + " "
                  + (cursor.noRecordedValue() ? "end" : cursor.longValue()));
        }
      }
    }
  }

  private List<String> shownSince() {
    read();
    List<String> since = List.copyOf(shown);
    shown.clear();
    return since;
  }

  @Test
  void aPointIsShownOnce() {
    feed.gauge("g", "a", 1 * MILLI, 10);
    feed.gauge("g", "b", 2 * MILLI, 20);
    assertThat(shownSince()).containsExactly("g a 1 10", "g b 2 20");
    assertThat(shownSince()).isEmpty();
    feed.gauge("g", "b", 3 * MILLI, 21);
    assertThat(shownSince()).containsExactly("g b 3 21");
  }

  @Test
  void theNextPointOfASeriesWaitsUntilTheLastWasShown() {
    for (int i = 1; i <= 4; i++) {
      assertThat(feed.gauge("g", "a", i * MILLI, i)).isEqualTo(Outcome.RECORDED);
    }
    assertThat(shown).containsExactly("g a 1 1", "g a 2 2", "g a 3 3");
    shown.clear();
    assertThat(shownSince()).containsExactly("g a 4 4");
  }

  @Test
  void olderPointsAreNotShown() {
    feed.gauge("g", "a", 5 * MILLI, 5);
    assertThat(feed.gauge("g", "a", 4 * MILLI, 4)).isEqualTo(Outcome.OLDER_POINT);
    assertThat(shownSince()).containsExactly("g a 5 5");
    assertThat(feed.gauge("g", "a", 4 * MILLI, 4)).isEqualTo(Outcome.OLDER_POINT);
    assertThat(shownSince()).isEmpty();
  }

  @Test
  void ofAMillisecondOnePointIsShownAndTheOtherCounted() {
    feed.gauge("g", "a", MILLI, 1);
    assertThat(feed.gauge("g", "a", MILLI + 1, 2)).isEqualTo(Outcome.SAME_MILLISECOND);
    assertThat(shownSince()).containsExactly("g a 1 2");
    assertThat(feed.gauge("g", "a", MILLI + 2, 3)).isEqualTo(Outcome.SAME_MILLISECOND);
    assertThat(shownSince()).isEmpty();
    assertThat(SeriesTableTest.lines(table)).containsExactly("g{l=a} 0.." + (MILLI + 1) + " 2");
  }

  @Test
  void deltaPointsAreAccumulatedAndEachSumIsShown() {
    feed.delta("d", "a", 1 * MILLI, 2 * MILLI, 5);
    feed.delta("d", "a", 2 * MILLI, 3 * MILLI, 6);
    feed.delta("d", "a", 3 * MILLI, 4 * MILLI, 7);
    assertThat(shownSince()).containsExactly("d a 2 5", "d a 3 11", "d a 4 18");
    assertThat(feed.delta("d", "a", 3 * MILLI, 4 * MILLI, 7)).isEqualTo(Outcome.OVERLAPPING_DELTA);
    assertThat(shownSince()).isEmpty();
  }

  @Test
  void deltaPointsOfAMillisecondAreNotLost() {
    feed.delta("d", "a", MILLI, 2 * MILLI, 5);
    assertThat(feed.delta("d", "a", 2 * MILLI, 2 * MILLI + 1, 6)).isEqualTo(Outcome.RECORDED);
    assertThat(shownSince()).containsExactly("d a 2 11");
    assertThat(feed.delta("d", "a", 2 * MILLI + 1, 2 * MILLI + 2, 7)).isEqualTo(Outcome.RECORDED);
    feed.delta("d", "a", 2 * MILLI + 2, 3 * MILLI, 1);
    assertThat(shownSince()).containsExactly("d a 3 19");
  }

  @Test
  void refusedDeltaPointsAreCounted() {
    SeriesTable refusing = table(PointPolicy.LATEST.withEveryPoint(true).withRefusesDelta(true));
    Feed to = new Feed(refusing);
    assertThat(to.delta("d", "a", MILLI, 2 * MILLI, 5)).isEqualTo(Outcome.DELTA_REFUSED);
    assertThat(to.cumulative("d", "a", MILLI, 2 * MILLI, 5)).isEqualTo(Outcome.RECORDED);
    assertThat(refusing.rejectedPoints()).isEqualTo(1);
    assertThat(refusing.acceptedPoints()).isEqualTo(1);
  }

  @Test
  void anEndIsShownOnceAfterTheLastValue() {
    feed.gauge("g", "a", 1 * MILLI, 1);
    feed.end("g", MetricKind.GAUGE, "a", 2 * MILLI);
    feed.end("g", MetricKind.GAUGE, "a", 3 * MILLI);
    assertThat(shownSince()).containsExactly("g a 1 1", "g a 2 end");
    feed.end("g", MetricKind.GAUGE, "a", 4 * MILLI);
    assertThat(shownSince()).isEmpty();
    feed.gauge("g", "a", 5 * MILLI, 5);
    assertThat(shownSince()).containsExactly("g a 5 5");
  }

  @Test
  void anEndInTheMillisecondOfTheLastValueIsShownALittleLater() {
    feed.gauge("g", "a", MILLI, 1);
    feed.end("g", MetricKind.GAUGE, "a", MILLI);
    assertThat(shownSince()).containsExactly("g a 1 1", "g a 2 end");
    assertThat(feed.gauge("g", "a", MILLI + 1, 5)).isEqualTo(Outcome.OLDER_POINT);
  }

  @Test
  void aSeriesThatExpiresShowsItsEndOnTheClockOfItsSenderAndThenLeaves() {
    feed.gauge("g", "a", 1_000 * SECOND, 1);
    clock.addAndGet(301 * SECOND);
    table.expire();
    assertThat(table.seriesCount()).as("what was not shown stays").isEqualTo(1);
    assertThat(shownSince()).containsExactly("g a 1000000 1");
    table.expire();
    assertThat(table.seriesCount()).as("its end was not shown").isEqualTo(1);
    List<String> end = shownSince();
    assertThat(end).hasSize(1);
    assertThat(end.get(0)).startsWith("g a 130").endsWith("end");
    table.expire();
    assertThat(table.seriesCount()).isZero();
    assertThat(table.metricCount()).isZero();
    assertThat(shownSince()).isEmpty();
  }

  @Test
  void aSeriesThatHasEndedLeavesWithoutASecondEnd() {
    feed.gauge("g", "a", SECOND, 1);
    feed.end("g", MetricKind.GAUGE, "a", 2 * SECOND);
    assertThat(shownSince()).hasSize(2);
    clock.addAndGet(301 * SECOND);
    table.expire();
    assertThat(table.seriesCount()).isZero();
    assertThat(shownSince()).isEmpty();
  }

  @Test
  void whatIsNotWalkedIsNotShownAndHoldsNothingUp() {
    feed.gauge("g", "a", MILLI, 1);
    feed.gauge("g", "b", MILLI, 1);
    try (MetricCursor cursor = table.unreadPoints().open()) {
      cursor.seekMetric(0);
      assertThat(cursor.nextPoint()).isTrue();
    }
    assertThat(shownSince()).isEmpty();
    feed.gauge("g", "b", 2 * MILLI, 2);
    assertThat(shownSince()).containsExactly("g b 2 2");
  }

  @Test
  void aSecondCursorOfOneThreadIsAMistake() {
    MetricCursor cursor = table.unreadPoints().open();
    assertThatThrownBy(() -> table.unreadPoints().open()).hasMessageContaining("close it first");
    cursor.close();
    table.unreadPoints().open().close();
  }

  @Test
  void exemplarsAreShownWithTheirPointOnly() {
    feed.point.clear();
    feed.point.timeUnixNanos = MILLI;
    feed.point.setLong(1);
    feed.point.exemplars.offer(0, true, 7, MILLI, 1, 2, 3, 0);
    feed.record("c", MetricKind.SUM, Temporality.CUMULATIVE, "a");
    assertThat(exemplarsOfNext()).isEqualTo(1);
    feed.cumulative("c", "a", 0, 2 * MILLI, 2);
    assertThat(exemplarsOfNext()).isZero();
  }

  private int exemplarsOfNext() {
    try (MetricCursor cursor = table.unreadPoints().open()) {
      cursor.seekMetric(0);
      assertThat(cursor.nextPoint()).isTrue();
      return cursor.exemplarCount();
    }
  }

  @Test
  void losesNothingAndRepeatsNothingWhileThreadsRecordReadAndExpire() throws Exception {
    int writers = 4;
    int pointsOfEach = 20_000;
    AtomicBoolean stop = new AtomicBoolean();
    ExecutorService threads = Executors.newFixedThreadPool(writers + 2);
    try {
      List<Future<?>> all = new ArrayList<>();
      for (int w = 0; w < writers; w++) {
        int writer = w;
        all.add(threads.submit(() -> write(writer, pointsOfEach)));
      }
      List<Future<?>> others = new ArrayList<>();
      others.add(threads.submit(() -> until(stop, this::read)));
      others.add(threads.submit(() -> until(stop, table::expire)));
      for (Future<?> writer : all) {
        writer.get(5, TimeUnit.MINUTES);
      }
      stop.set(true);
      for (Future<?> other : others) {
        other.get(1, TimeUnit.MINUTES);
      }
    } finally {
      stop.set(true);
      threads.shutdownNow();
    }
    read();
    Map<String, List<Long>> times = new HashMap<>();
    for (String line : shown) {
      String[] words = line.split(" ", -1);
      times
          .computeIfAbsent(words[0] + words[1], key -> new ArrayList<>())
          .add(Long.parseLong(words[2]));
    }
    assertThat(times.values())
        .allSatisfy(list -> assertThat(list).isSorted().doesNotHaveDuplicates());
    assertThat(shown).hasSize(writers * pointsOfEach);
  }

  private void write(int writer, int points) {
    SplittableRandom random = new SplittableRandom(writer);
    Feed own = new Feed(table);
    for (int i = 1; i <= points; i++) {
      String label = "w" + writer + "-" + random.nextInt(3);
      Outcome outcome = own.gauge("m" + random.nextInt(3), label, i * MILLI, i);
      if (outcome != Outcome.RECORDED) {
        throw new AssertionError("seed " + writer + ", point " + i + ": " + outcome);
      }
    }
  }

  private static void until(AtomicBoolean stop, Runnable task) {
    while (!stop.get()) {
      task.run();
    }
  }

  @Test
  void readingWhatHasComeAllocatesNothing() throws Exception {
    SeriesTable quiet = table(PointPolicy.LATEST.withEveryPoint(true));
    Recording recording = new Recording(quiet, 500);
    long bytes =
        AllocationMeter.bytesPerOperation(
            200,
            100,
            () -> {
              recording.recordAll();
              int points = 0;
              try (MetricCursor cursor = quiet.unreadPoints().open()) {
                for (int i = 0; i < cursor.metricCount(); i++) {
                  cursor.seekMetric(i);
                  while (cursor.nextPoint()) {
                    points++;
                  }
                }
              }
              if (points != 500) {
                throw new AssertionError("expected 500 points, found " + points);
              }
            });
    assertThat(bytes).isZero();
  }

  /** Records a point of each of so many series, each time a millisecond later. */
  private static final class Recording {
    private final Recorder recorder;
    private final PointValues point;
    private final List<AttributeSet> series = new ArrayList<>();
    private final AttributeSet resource;
    private final ByteSlice name = new ByteSlice();
    private final ByteSlice none = new ByteSlice();
    private long now;

    Recording(SeriesTable table, int count) {
      recorder = table.recorder();
      point = new PointValues(table.options().maxBuckets());
      resource = set(table, "service.name", "shop");
      name.set("m");
      for (int i = 0; i < count; i++) {
        series.add(set(table, "l", "v" + i));
      }
    }

    private static AttributeSet set(SeriesTable table, String key, String value) {
      return new LabelsAttributeSet(Labels.of(key, value), table.labelHash());
    }

    void recordAll() {
      now += MILLI;
      recorder.begin();
      recorder.resource(resource, none);
      recorder.metric(
          name, none, none, MetricKind.GAUGE, false, Temporality.UNSPECIFIED, TypeHint.NONE);
      for (int i = 0; i < series.size(); i++) {
        point.clear();
        point.timeUnixNanos = now;
        point.setLong(i);
        recorder.record(series.get(i), point);
      }
      recorder.end();
    }
  }
}

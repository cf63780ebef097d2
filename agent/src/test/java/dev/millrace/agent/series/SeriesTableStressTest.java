package dev.millrace.agent.series;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.model.MetricCursor;
import dev.millrace.model.MetricKind;
import dev.millrace.model.Problems;
import dev.millrace.model.Series;
import dev.millrace.model.Temporality;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Eight writers, two readers and an expiring thread at once, on few metrics so that they meet. */
class SeriesTableStressTest {
  private static final int WRITERS = 8;
  private static final int ROUNDS = 6_000;
  private static final int PHASE_ROUNDS = 20;
  private static final long EXPIRATION_NANOS = 64L << 20;

  private final AtomicLong clock = new AtomicLong();
  private final SeriesTable table =
      new SeriesTable(
          SeriesTableOptions.DEFAULTS.withExpirationNanos(EXPIRATION_NANOS),
          clock::get,
          new Problems(() -> 0, line -> {}));
  private final AtomicBoolean stop = new AtomicBoolean();
  private final AtomicLong points = new AtomicLong();
  private final AtomicLong left = new AtomicLong();

  /** The clock moves by an eighth of a series' life when all writers are through a phase. */
  private final CyclicBarrier phase =
      new CyclicBarrier(WRITERS, () -> clock.addAndGet(EXPIRATION_NANOS / 8));

  @Test
  void losesNothingAndShowsNothingTwiceNorTorn() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(WRITERS + 3);
    try {
      List<Future<?>> readers = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        readers.add(threads.submit(this::readUntilStopped));
      }
      readers.add(threads.submit(this::expireUntilStopped));
      List<Future<?>> writers = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        int writer = i;
        writers.add(
            threads.submit(
                () -> {
                  write(writer);
                  return null;
                }));
      }
      for (Future<?> writer : writers) {
        writer.get(5, TimeUnit.MINUTES);
      }
      stop.set(true);
      for (Future<?> reader : readers) {
        reader.get(1, TimeUnit.MINUTES);
      }
    } finally {
      stop.set(true);
      threads.shutdownNow();
    }
    assertThat(points.get()).isPositive();
    assertThat(left.get()).isGreaterThan(100);
    assertThat(SeriesTableTest.lines(table)).hasSize(table.seriesCount());
    checkTotals();
    clock.addAndGet(2 * EXPIRATION_NANOS);
    table.expire();
    assertThat(table.seriesCount()).isZero();
    assertThat(table.metricCount()).isZero();
  }

  /** The series that was written in every round has never left, so that nothing of it is lost. */
  private void checkTotals() {
    int found = 0;
    try (MetricCursor cursor = table.open()) {
      for (int i = 0; i < cursor.metricCount(); i++) {
        cursor.seekMetric(i);
        while (cursor.nextPoint()) {
          if (cursor.metric().name().equals("steady")) {
            assertThat(cursor.longValue()).isEqualTo(ROUNDS);
            found++;
          }
        }
      }
    }
    assertThat(found).isEqualTo(WRITERS);
  }

  private void write(int writer) throws Exception {
    Feed feed = new Feed(table);
    SplittableRandom random = new SplittableRandom(writer);
    for (int round = 1; round <= ROUNDS; round++) {
      feed.resource("service.name", "job" + writer % 2);
      // A steady delta, which only this writer sends.
      require(feed.delta("steady", "w" + writer, round, round + 1, 1));
      // A series that all write, and that comes and goes with its metric.
      feed.gauge("shared" + random.nextInt(400), "s", round, round);
      // Series of one metric that come and go.
      feed.gauge("churn", "c" + random.nextInt(300), round, round);
      // A histogram whose values say whether they belong together.
      histogram(feed, "h" + random.nextInt(3), round);
      if (random.nextInt(50) == 0) {
        feed.resource("service.name", "job" + writer % 2, "pid", "" + random.nextInt(2));
        feed.gauge("shared0", "s", round, round);
      }
      if (round % PHASE_ROUNDS == 0) {
        phase.await(2, TimeUnit.MINUTES);
      }
    }
  }

  private static void histogram(Feed feed, String label, int value) {
    feed.point.clear();
    feed.point.startTimeUnixNanos = value;
    feed.point.timeUnixNanos = value;
    for (int i = 0; i < 20; i++) {
      feed.point.addBound(i);
      feed.point.addBucket(value);
    }
    feed.point.addBucket(value);
    feed.point.count = 21L * value;
    feed.point.hasSum = true;
    feed.point.sum = value;
    feed.record("histogram", MetricKind.HISTOGRAM, Temporality.CUMULATIVE, label);
  }

  private static void require(Outcome outcome) {
    if (outcome != Outcome.RECORDED) {
      throw new AssertionError("expected RECORDED, found " + outcome);
    }
  }

  private void expireUntilStopped() {
    while (!stop.get()) {
      int before = table.seriesCount();
      table.expire();
      left.addAndGet(Math.max(0, before - table.seriesCount()));
    }
  }

  private void readUntilStopped() {
    Set<String> seen = new HashSet<>();
    Set<Series> objects = new HashSet<>();
    while (!stop.get()) {
      seen.clear();
      objects.clear();
      try (MetricCursor cursor = table.open()) {
        for (int i = 0; i < cursor.metricCount(); i++) {
          cursor.seekMetric(i);
          while (cursor.nextPoint()) {
            points.incrementAndGet();
            String key =
                cursor
                        .resource()
                        .attributes()
                        .text(cursor.resource().attributes().indexOf("service.name"))
                    + cursor.metric()
                    + cursor.series().labels();
            if (!seen.add(key) || !objects.add(cursor.series())) {
              throw new AssertionError("shown twice in one reading: " + key);
            }
            if (cursor.metric().kind() == MetricKind.HISTOGRAM) {
              checkHistogram(cursor);
            }
          }
        }
      }
    }
  }

  private static void checkHistogram(MetricCursor cursor) {
    long value = cursor.timeUnixNanos();
    boolean whole =
        cursor.bucketCount() == 21
            && cursor.count() == 21 * value
            && cursor.sum() == value
            && cursor.startTimeUnixNanos() == value;
    for (int i = 0; i < cursor.bucketCount(); i++) {
      whole &= cursor.bucket(i) == value;
    }
    if (!whole) {
      throw new AssertionError("values of several points in one, at " + value);
    }
  }
}

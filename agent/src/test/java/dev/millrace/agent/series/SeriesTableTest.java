package dev.millrace.agent.series;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.millrace.model.Labels;
import dev.millrace.model.MetricCursor;
import dev.millrace.model.MetricDescriptor;
import dev.millrace.model.MetricKind;
import dev.millrace.model.Problems;
import dev.millrace.model.Resource;
import dev.millrace.model.Scope;
import dev.millrace.model.Series;
import dev.millrace.model.Temporality;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SeriesTableTest {
  private static final long MINUTE_NANOS = 60_000_000_000L;

  private final AtomicLong clock = new AtomicLong(-5 * MINUTE_NANOS);
  private final Problems problems = new Problems(() -> 0, line -> {});
  private final SeriesTable table =
      new SeriesTable(SeriesTableOptions.DEFAULTS, clock::get, problems);
  private final Feed feed = new Feed(table);

  @Test
  void keepsTheLatestByTime() {
    assertThat(feed.gauge("g", "a", 10, 1)).isEqualTo(Outcome.RECORDED);
    assertThat(feed.gauge("g", "a", 20, 2)).isEqualTo(Outcome.RECORDED);
    assertThat(feed.gauge("g", "a", 15, 3)).isEqualTo(Outcome.OLDER_POINT);
    assertThat(feed.gauge("g", "b", 5, 4)).isEqualTo(Outcome.RECORDED);
    assertThat(lines()).containsExactly("g{l=a} 0..20 2", "g{l=b} 0..5 4");
    assertThat(feed.gauge("g", "a", 20, 5)).isEqualTo(Outcome.RECORDED);
    assertThat(lines()).contains("g{l=a} 0..20 5");
    assertThat(problems.kind("older_point").count()).isEqualTo(1);
  }

  @Test
  void takesARestartAsItIs() {
    feed.cumulative("c", "a", 10, 100, 50);
    feed.cumulative("c", "a", 105, 110, 2);
    assertThat(lines()).containsExactly("c{l=a} 105..110 2");
  }

  @Test
  void accumulatesDeltasFromTheStartOfTheFirst() {
    feed.delta("d", "a", 10, 20, 5);
    feed.delta("d", "a", 20, 30, 7);
    assertThat(lines()).containsExactly("d{l=a} 10..30 12");
    // A gap, and one that does not say when it began.
    feed.delta("d", "a", 50, 60, 1);
    feed.delta("d", "a", 0, 70, 1);
    assertThat(lines()).containsExactly("d{l=a} 10..70 14");
    // The same again, one that came late, one that reaches into the last.
    assertThat(feed.delta("d", "a", 0, 70, 1)).isEqualTo(Outcome.OVERLAPPING_DELTA);
    assertThat(feed.delta("d", "a", 30, 40, 1)).isEqualTo(Outcome.OVERLAPPING_DELTA);
    assertThat(feed.delta("d", "a", 69, 80, 1)).isEqualTo(Outcome.OVERLAPPING_DELTA);
    assertThat(lines()).containsExactly("d{l=a} 10..70 14");
    assertThat(problems.kind("overlapping_delta").count()).isEqualTo(3);
  }

  @Test
  void keepsWholeNumbersWholeUntilTheyDoNotFit() {
    feed.delta("d", "a", 1, 2, Long.MAX_VALUE - 1);
    feed.delta("d", "a", 2, 3, 1);
    assertThat(lines()).containsExactly("d{l=a} 1..3 " + Long.MAX_VALUE);
    feed.delta("d", "a", 3, 4, 1);
    assertThat(lines()).containsExactly("d{l=a} 1..4 9.223372036854776E18");
  }

  @Test
  void startsAnewWhereTheTemporalityChanges() {
    feed.cumulative("c", "a", 1, 10, 100);
    assertThat(feed.delta("c", "a", 10, 20, 5)).isEqualTo(Outcome.TEMPORALITY_CHANGED);
    assertThat(feed.delta("c", "a", 20, 30, 5)).isEqualTo(Outcome.RECORDED);
    assertThat(lines()).containsExactly("c{l=a} 10..30 10");
    assertThat(feed.cumulative("c", "a", 1, 40, 115)).isEqualTo(Outcome.TEMPORALITY_CHANGED);
    assertThat(lines()).containsExactly("c{l=a} 1..40 115");
    assertThat(problems.kind("temporality_changed").count()).isEqualTo(2);
  }

  @Test
  void startsAHistogramAnewWhereItsBoundsChange() {
    assertThat(histogram(1, 2, new double[] {1, 2}, 1, 1, 1)).isEqualTo(Outcome.RECORDED);
    assertThat(histogram(2, 3, new double[] {1, 2}, 1, 0, 2)).isEqualTo(Outcome.RECORDED);
    assertThat(lines()).containsExactly("h{l=a} 1..3 count 6 [2, 1, 3]");
    assertThat(histogram(3, 4, new double[] {1, 3}, 5, 0, 0)).isEqualTo(Outcome.BOUNDS_CHANGED);
    assertThat(histogram(4, 5, new double[] {1, 3}, 1, 0, 0)).isEqualTo(Outcome.RECORDED);
    assertThat(lines()).containsExactly("h{l=a} 3..5 count 6 [6, 0, 0]");
    assertThat(histogram(5, 6, new double[] {}, 9)).isEqualTo(Outcome.BOUNDS_CHANGED);
    assertThat(problems.kind("bounds_changed").count()).isEqualTo(2);
  }

  private Outcome histogram(long start, long time, double[] bounds, long... buckets) {
    feed.point.clear();
    feed.point.startTimeUnixNanos = start;
    feed.point.timeUnixNanos = time;
    for (double bound : bounds) {
      feed.point.addBound(bound);
    }
    for (long bucket : buckets) {
      feed.point.addBucket(bucket);
      feed.point.count += bucket;
    }
    return feed.record("h", MetricKind.HISTOGRAM, Temporality.DELTA, "a");
  }

  @Test
  void givesSeriesWithTheSameBoundsTheSameArray() {
    for (String label : new String[] {"a", "b"}) {
      for (int time = 1; time < 4; time++) {
        feed.point.clear();
        feed.point.timeUnixNanos = time;
        feed.point.addBound(0.5);
        feed.point.addBucket(1);
        feed.point.addBucket(1);
        feed.record("h", MetricKind.HISTOGRAM, Temporality.CUMULATIVE, label);
      }
    }
    List<double[]> bounds = new ArrayList<>();
    try (MetricCursor cursor = table.open()) {
      cursor.seekMetric(0);
      while (cursor.nextPoint()) {
        bounds.add(cursor.explicitBounds());
      }
    }
    assertThat(bounds).hasSize(2);
    assertThat(bounds.get(0)).isSameAs(bounds.get(1)).containsExactly(0.5);
  }

  @Test
  void endsASeriesUntilItsNextValue() {
    feed.delta("d", "a", 10, 20, 5);
    assertThat(feed.end("d", MetricKind.SUM, "a", 30)).isEqualTo(Outcome.RECORDED);
    assertThat(lines()).containsExactly("d{l=a} 10..30 ended");
    assertThat(feed.end("d", MetricKind.SUM, "a", 25)).isEqualTo(Outcome.OLDER_POINT);
    // What comes then is a new accumulation.
    feed.delta("d", "a", 40, 50, 3);
    assertThat(lines()).containsExactly("d{l=a} 40..50 3");
    // What was never there does not begin by ending.
    assertThat(feed.end("d", MetricKind.SUM, "b", 30)).isEqualTo(Outcome.RECORDED);
    assertThat(feed.end("e", MetricKind.GAUGE, "a", 30)).isEqualTo(Outcome.RECORDED);
    assertThat(table.seriesCount()).isEqualTo(1);
    assertThat(table.metricCount()).isEqualTo(1);
  }

  @Test
  void tellsMetricsApartByWhatIdentifiesThem() {
    feed.gauge("m", "a", 1, 1);
    feed.cumulative("m", "a", 1, 1, 2);
    feed.scope("s").gauge("m", "a", 1, 3);
    feed.scope("s", "k", "v").gauge("m", "a", 1, 4);
    feed.scope("").gauge("n", "a", 1, 5);
    feed.point.clear();
    feed.point.timeUnixNanos = 1;
    feed.point.setLong(6);
    feed.record("m", "s", "", MetricKind.GAUGE, Temporality.UNSPECIFIED, Labels.EMPTY);
    assertThat(table.metricCount()).isEqualTo(6);
    // Neither another description nor another temporality makes another metric.
    feed.point.setLong(7);
    feed.record("m", "s", "new", MetricKind.GAUGE, Temporality.UNSPECIFIED, Labels.EMPTY);
    feed.delta("m", "a", 1, 2, 8);
    assertThat(table.metricCount()).isEqualTo(6);
    try (MetricCursor cursor = table.open()) {
      cursor.seekMetric(5);
      assertThat(cursor.metric())
          .isEqualTo(
              new MetricDescriptor("m", "", "s", MetricKind.GAUGE, false, Temporality.UNSPECIFIED));
      cursor.seekMetric(1);
      assertThat(cursor.metric())
          .isEqualTo(
              new MetricDescriptor("m", "", "", MetricKind.SUM, true, Temporality.CUMULATIVE));
    }
  }

  @Test
  void isATargetForEachResourceWherePointsCarryItsAttributes() {
    SeriesTable apart =
        new SeriesTable(
            SeriesTableOptions.DEFAULTS.withPoints(PointPolicy.LATEST.withResourcesApart(true)),
            clock::get,
            problems);
    Feed pods = new Feed(apart);
    for (int round = 1; round <= 2; round++) {
      for (String pod : new String[] {"p1", "p2"}) {
        pods.resource("service.name", "shop", "pod", pod).gauge("g", "a", round, round);
      }
      assertThat(apart.metricCount()).isEqualTo(2);
    }
    try (MetricCursor cursor = apart.open()) {
      List<String> seen = new ArrayList<>();
      for (int i = 0; i < cursor.metricCount(); i++) {
        cursor.seekMetric(i);
        Labels resource = cursor.resource().attributes();
        while (cursor.nextPoint()) {
          seen.add(resource.text(resource.indexOf("pod")) + " " + cursor.longValue());
        }
      }
      assertThat(seen).containsExactlyInAnyOrder("p1 2", "p2 2");
    }
  }

  @Test
  void isOneTargetForResourcesOfOneJobAndInstance() {
    feed.resource("service.name", "shop", "host", "a").gauge("g", "a", 1, 1);
    long version = version();
    feed.gauge("g", "b", 1, 2);
    assertThat(version()).isEqualTo(version);
    feed.resource("service.name", "shop", "host", "b").gauge("g", "a", 2, 3);
    assertThat(version()).isNotEqualTo(version);
    assertThat(lines()).containsExactly("g{l=a} 0..2 3", "g{l=b} 0..1 2");
    try (MetricCursor cursor = table.open()) {
      cursor.seekMetric(0);
      assertThat(cursor.resource().attributes())
          .isEqualTo(Labels.of("service.name", "shop", "host", "b"));
    }
    // These are other targets.
    feed.resource("service.name", "shop", "service.namespace", "x").gauge("g", "a", 1, 1);
    feed.resource("service.name", "shop", "service.instance.id", "1").gauge("g", "a", 1, 1);
    feed.resource("service.name", "other").gauge("g", "a", 1, 1);
    assertThat(table.metricCount()).isEqualTo(4);
    // And this is one of them, by the job that Prometheus sees.
    feed.resource("service.name", "x/shop").gauge("g", "a", 2, 2);
    assertThat(table.metricCount()).isEqualTo(4);
  }

  @Test
  void showsACursorTheResourcesOfItsOpening() {
    feed.resource("service.name", "shop", "host", "a").gauge("g", "a", 1, 1);
    try (MetricCursor cursor = table.open()) {
      feed.resource("service.name", "shop", "host", "b").gauge("h", "a", 1, 1);
      assertThat(cursor.metricCount()).isEqualTo(1);
      cursor.seekMetric(0);
      assertThat(cursor.resource().attributes().text(0)).isEqualTo("a");
    }
  }

  @Test
  void keepsTheMembershipVersionWhileOnlySeriesComeAndGo() {
    feed.gauge("g", "a", 1, 1);
    long version = version();
    clock.addAndGet(4 * MINUTE_NANOS);
    feed.gauge("g", "b", 1, 1);
    clock.addAndGet(2 * MINUTE_NANOS);
    table.expire();
    assertThat(lines()).containsExactly("g{l=b} 0..1 1");
    assertThat(version()).isEqualTo(version);
    feed.gauge("h", "b", 1, 1);
    assertThat(version()).isNotEqualTo(version);
  }

  @Test
  void showsTheSameSeriesObjectForAsLongAsItLives() {
    feed.gauge("g", "a", 1, 1);
    Series first = onlySeries();
    feed.gauge("g", "a", 2, 2);
    assertThat(onlySeries()).isSameAs(first);
    assertThat(first.labels()).isEqualTo(Labels.of("l", "a"));
  }

  private Series onlySeries() {
    try (MetricCursor cursor = table.open()) {
      assertThat(cursor.metricCount()).isEqualTo(1);
      cursor.seekMetric(0);
      assertThat(cursor.nextPoint()).isTrue();
      Series series = cursor.series();
      assertThat(cursor.nextPoint()).isFalse();
      return series;
    }
  }

  @Test
  void walksAMetricAgainAndInAnyOrder() {
    feed.gauge("g", "a", 1, 1);
    feed.gauge("h", "a", 1, 2);
    try (MetricCursor cursor = table.open()) {
      cursor.seekMetric(1);
      assertThat(cursor.nextPoint()).isTrue();
      assertThat(cursor.longValue()).isEqualTo(2);
      cursor.seekMetric(0);
      assertThat(cursor.nextPoint()).isTrue();
      assertThat(cursor.longValue()).isEqualTo(1);
      assertThat(cursor.nextPoint()).isFalse();
      assertThat(cursor.nextPoint()).isFalse();
      cursor.rewindPoints();
      assertThat(cursor.nextPoint()).isTrue();
      assertThat(cursor.longValue()).isEqualTo(1);
      cursor.rewindPoints();
      assertThatExceptionOfType(IllegalStateException.class)
          .isThrownBy(cursor::series)
          .withMessage("expected the cursor on a point; call nextPoint first");
    }
    try (MetricCursor cursor = table.open()) {
      assertThatExceptionOfType(IllegalStateException.class)
          .isThrownBy(cursor::metric)
          .withMessage("expected the cursor on a metric; call seekMetric first");
      assertThatExceptionOfType(IndexOutOfBoundsException.class)
          .isThrownBy(() -> cursor.seekMetric(2));
    }
  }

  @Test
  void holdsSeriesOfItsOwnThatNeverExpire() {
    Resource resource = new Resource(Labels.of("service.name", "millrace-agent"), "");
    MetricDescriptor requests =
        new MetricDescriptor(
            "requests", "Requests.", "", MetricKind.SUM, true, Temporality.CUMULATIVE);
    OwnSeries ok = table.own(resource, Scope.EMPTY, requests, Labels.of("l", "ok"), 7);
    OwnSeries bad = table.own(resource, Scope.EMPTY, requests, Labels.of("l", "bad"), 7);
    ok.set(5);
    bad.set(0.5);
    assertThat(lines()).containsExactly("requests{l=bad} 7..0 0.5", "requests{l=ok} 7..0 5");
    assertThat(table.seriesCount()).isZero();
    // The same again is the same series.
    table.own(resource, Scope.EMPTY, requests, Labels.of("l", "ok"), 9).set(6);
    // Nobody else's resource replaces the agent's, and what they send expires alone.
    feed.resource("service.name", "millrace-agent", "host", "x").gauge("g", "a", 1, 1);
    clock.addAndGet(60 * MINUTE_NANOS);
    table.expire();
    assertThat(lines()).containsExactly("requests{l=bad} 7..0 0.5", "requests{l=ok} 7..0 6");
    try (MetricCursor cursor = table.open()) {
      cursor.seekMetric(0);
      assertThat(cursor.resource()).isEqualTo(resource);
      assertThat(cursor.metric()).isEqualTo(requests);
    }
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(
            () ->
                table.own(
                    resource,
                    Scope.EMPTY,
                    new MetricDescriptor(
                        "h", "", "", MetricKind.HISTOGRAM, false, Temporality.CUMULATIVE),
                    Labels.EMPTY,
                    0))
        .withMessage("expected a gauge or a sum as a series of the agent's own, found HISTOGRAM h");
  }

  @Test
  void checksItsOptions() {
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> SeriesTableOptions.DEFAULTS.withMaxSeries(0))
        .withMessage("maxSeries: expected 1 to 100000000, found 0");
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> SeriesTableOptions.DEFAULTS.withExpirationNanos(1))
        .withMessage("expirationNanos: expected 1000000 to 604800000000000, found 1");
  }

  private long version() {
    try (MetricCursor cursor = table.open()) {
      return cursor.membershipVersion();
    }
  }

  private List<String> lines() {
    return lines(table);
  }

  /** All series, sorted. */
  static List<String> lines(SeriesTable table) {
    List<String> lines = new ArrayList<>();
    try (MetricCursor cursor = table.open()) {
      for (int i = 0; i < cursor.metricCount(); i++) {
        cursor.seekMetric(i);
        while (cursor.nextPoint()) {
          lines.add(
              cursor.metric().name()
                  + cursor.series().labels()
                  + " "
                  + cursor.startTimeUnixNanos()
                  + ".."
                  + cursor.timeUnixNanos()
                  + " "
                  + value(cursor));
        }
      }
    }
    lines.sort(null);
    return lines;
  }

  private static String value(MetricCursor cursor) {
    if (cursor.noRecordedValue()) {
      return "ended";
    }
    if (cursor.metric().kind() == MetricKind.HISTOGRAM) {
      List<Long> buckets = new ArrayList<>();
      for (int i = 0; i < cursor.bucketCount(); i++) {
        buckets.add(cursor.bucket(i));
      }
      return "count " + cursor.count() + " " + buckets;
    }
    return cursor.isLong() ? "" + cursor.longValue() : "" + cursor.doubleValue();
  }
}

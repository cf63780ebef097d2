package dev.millrace.agent.series;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.model.MetricCursor;
import dev.millrace.model.MetricKind;
import dev.millrace.model.Problems;
import dev.millrace.model.Temporality;
import org.junit.jupiter.api.Test;

/** Delta points of exponential histograms whose scale, range or zero bucket differ. */
class ExponentialSeriesTest {
  private final SeriesTable table =
      new SeriesTable(SeriesTableOptions.DEFAULTS, () -> 0, new Problems(() -> 0, line -> {}));
  private final Feed feed = new Feed(table);
  private long time = 1;

  @Test
  void mergesDownToTheLowerScale() {
    add(3, 0, 0, 8, 1, 2, 3, 4);
    add(2, 0, 0, 4, 10, 20);
    assertThat(text()).isEqualTo("scale 2 zero 0 to 0.0: 4:13 5:27");
    add(5, 0, 0, 0, 7);
    assertThat(text()).isEqualTo("scale 2 zero 0 to 0.0: 0:7 4:13 5:27");
    // Scale 0 has [1, 2), which is all of it.
    add(-1, 0, 0, 0, 100);
    assertThat(text()).isEqualTo("scale -1 zero 0 to 0.0: 0:147");
  }

  @Test
  void mergesNegativeIndexesTowardsTheLowerOne() {
    add(1, 0, 0, -3, 1, 2, 4);
    add(0, 0, 0, -2, 0);
    assertThat(text()).isEqualTo("scale 1 zero 0 to 0.0: -3:1 -2:2 -1:4");
    add(0, 0, 0, -2, 8);
    assertThat(text()).isEqualTo("scale 0 zero 0 to 0.0: -2:9 -1:6");
  }

  @Test
  void lowersTheScaleWhereTheBucketsGetTooMany() {
    add(10, 0, 0, 0, 1);
    add(10, 0, 0, ExponentialSeries.MAX_ACCUMULATED_BUCKETS - 1, 1);
    assertThat(text()).isEqualTo("scale 10 zero 0 to 0.0: 0:1 319:1");
    add(10, 0, 0, ExponentialSeries.MAX_ACCUMULATED_BUCKETS, 1);
    assertThat(text()).isEqualTo("scale 9 zero 0 to 0.0: 0:1 159:1 160:1");
    add(20, 0, 0, 1_000_000_000, 1);
    add(20, 0, 0, -1_000_000_000, 1);
    assertThat(text()).startsWith("scale -3 ");
  }

  @Test
  void takesTheScaleOfTheFirstThatHasBuckets() {
    add(20, 2, 0, 0);
    add(3, 1, 0, 8, 5);
    add(-4, 1, 0, 0);
    assertThat(text()).isEqualTo("scale 3 zero 4 to 0.0: 8:5");
  }

  @Test
  void mergesZeroBucketsOfDifferentWidths() {
    // Buckets (0.125, 0.25], (0.25, 0.5], (0.5, 1].
    add(0, 1, 0, -3, 1, 2, 4);
    // 0.3 lies inside the second, so the zero bucket reaches to its end.
    add(0, 10, 0.3, -1, 8);
    assertThat(text()).isEqualTo("scale 0 zero 14 to 0.5: -1:12");
    // What comes later with a narrower zero bucket is put into the wider one.
    add(0, 0, 0, -3, 16, 0, 32);
    assertThat(text()).isEqualTo("scale 0 zero 30 to 0.5: -1:44");
    // An empty bucket does not widen it.
    add(0, 0, 0.6, 3, 1);
    assertThat(text()).isEqualTo("scale 0 zero 74 to 1.0: 3:1");
    add(0, 0, 3, 3, 1);
    assertThat(text()).isEqualTo("scale 0 zero 74 to 3.0: 3:2");
  }

  @Test
  void replacesWhatIsCumulative() {
    add(3, 0, 0, 8, 1, 2, 3, 4);
    put(Temporality.CUMULATIVE, 2, 5, 0.5, 1, 9);
    assertThat(text()).isEqualTo("scale 2 zero 5 to 0.5: 1:9");
    put(Temporality.CUMULATIVE, 4, 0, 0, 0);
    assertThat(text()).isEqualTo("scale 4 zero 0 to 0.0:");
  }

  private void add(int scale, long zeroCount, double zeroThreshold, int offset, long... counts) {
    put(Temporality.DELTA, scale, zeroCount, zeroThreshold, offset, counts);
  }

  private void put(
      Temporality temporality,
      int scale,
      long zeroCount,
      double zeroThreshold,
      int offset,
      long... counts) {
    PointValues point = feed.point;
    point.clear();
    point.startTimeUnixNanos = time;
    point.timeUnixNanos = ++time;
    point.scale = scale;
    point.zeroCount = zeroCount;
    point.zeroThreshold = zeroThreshold;
    point.positive.setOffset(offset);
    for (long count : counts) {
      point.addPositive(count);
    }
    Outcome outcome = feed.record("e", MetricKind.EXPONENTIAL_HISTOGRAM, temporality, "a");
    assertThat(outcome.rejected()).isFalse();
  }

  private String text() {
    try (MetricCursor cursor = table.open()) {
      cursor.seekMetric(0);
      assertThat(cursor.nextPoint()).isTrue();
      StringBuilder text = new StringBuilder("scale " + cursor.scale());
      text.append(" zero ").append(cursor.zeroCount());
      text.append(" to ").append(cursor.zeroThreshold()).append(':');
      for (int i = 0; i < cursor.positiveBucketCount(); i++) {
        if (cursor.positiveBucket(i) != 0) {
          text.append(' ').append(cursor.positiveOffset() + i);
          text.append(':').append(cursor.positiveBucket(i));
        }
      }
      assertThat(cursor.positiveBucketCount())
          .isLessThanOrEqualTo(ExponentialSeries.MAX_ACCUMULATED_BUCKETS);
      return text.toString();
    }
  }
}

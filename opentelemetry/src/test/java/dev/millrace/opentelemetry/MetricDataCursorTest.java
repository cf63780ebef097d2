package dev.millrace.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.model.EncodedLabelsBudget;
import dev.millrace.model.MetricCursor;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.data.GaugeData;
import io.opentelemetry.sdk.metrics.data.HistogramData;
import io.opentelemetry.sdk.metrics.data.HistogramPointData;
import io.opentelemetry.sdk.metrics.data.LongPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.testing.metrics.TestMetricData;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class MetricDataCursorTest {
  private final AtomicReference<List<? extends MetricData>> collection =
      new AtomicReference<>(List.of());
  private final MetricDataSource source =
      new MetricDataSource(collection::get, new EncodedLabelsBudget(1 << 20));

  @Test
  void showsEveryKindOfDataAsItIs() {
    for (long seed = 0; seed < 60; seed++) {
      List<MetricData> metrics = new RandomMetrics(seed).metrics();
      collection.set(metrics);
      try (MetricCursor cursor = source.open()) {
        CursorChecks.assertShows(cursor, metrics);
      } catch (AssertionError e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
  }

  @Test
  void showsMetricsInAnyOrderAndAgain() {
    collection.set(
        List.of(
            TestData.longSum("a", Attributes.of(TestData.KEY, "1")),
            TestData.longSum("b", Attributes.of(TestData.KEY, "2"))));
    try (MetricCursor cursor = source.open()) {
      for (int metric : new int[] {1, 0, 1, 1, 0}) {
        cursor.seekMetric(metric);
        assertThat(cursor.nextPoint()).isTrue();
        assertThat(cursor.metric().name()).isEqualTo(metric == 0 ? "a" : "b");
        assertThat(cursor.series().labels().text(0)).isEqualTo(metric == 0 ? "1" : "2");
      }
    }
  }

  @Test
  void readsPointsOfCollectionsThatAreNoLists() {
    Set<LongPointData> points = new LinkedHashSet<>();
    points.add(LongPointData.create(1, 2, Attributes.of(TestData.KEY, "x"), 3));
    points.add(LongPointData.create(1, 2, Attributes.of(TestData.KEY, "y"), 4));
    List<MetricData> metrics =
        List.of(
            TestMetricData.builder()
                .setName("g")
                .setDescription("")
                .setUnit("")
                .setLongGaugeData(GaugeData.createLongGaugeData(points))
                .build());
    collection.set(metrics);
    try (MetricCursor cursor = source.open()) {
      CursorChecks.assertShows(cursor, metrics);
    }
  }

  @Test
  void givesTheSameBoundsArrayForEqualBounds() {
    List<HistogramPointData> points = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      points.add(histogramPoint(i, List.of(1.0, 2.0)));
    }
    points.add(histogramPoint(4, List.of(1.0, 3.0)));
    collection.set(List.of(histogram("h", points), histogram("i", points)));
    double[] first = {};
    for (int round = 0; round < 3; round++) {
      try (MetricCursor cursor = source.open()) {
        for (int metric = 0; metric < 2; metric++) {
          cursor.seekMetric(metric);
          for (int i = 0; i < 4; i++) {
            cursor.nextPoint();
            first = first.length == 0 ? cursor.explicitBounds() : first;
            assertThat(cursor.explicitBounds()).isSameAs(first);
          }
          cursor.nextPoint();
          assertThat(cursor.explicitBounds()).isNotSameAs(first).containsExactly(1.0, 3.0);
        }
      }
    }
  }

  @Test
  void givesRightBoundsHoweverManyDifferentOnesThereAre() {
    List<HistogramPointData> points = new ArrayList<>();
    int count = 2 * HistogramBounds.MAX_REMEMBERED + 10;
    for (int i = 0; i < count; i++) {
      points.add(histogramPoint(i, List.of((double) i)));
    }
    collection.set(List.of(histogram("h", points)));
    try (MetricCursor cursor = source.open()) {
      cursor.seekMetric(0);
      for (int i = 0; i < count; i++) {
        cursor.nextPoint();
        assertThat(cursor.explicitBounds()).containsExactly(i);
      }
    }
  }

  private static HistogramPointData histogramPoint(int number, List<Double> bounds) {
    List<Long> counts = new ArrayList<>();
    for (int i = 0; i <= bounds.size(); i++) {
      counts.add(1L);
    }
    return HistogramPointData.create(
        1, 2, TestData.attributes(number), 1, false, 0, false, 0, bounds, counts);
  }

  private static MetricData histogram(String name, List<HistogramPointData> points) {
    return TestMetricData.builder()
        .setName(name)
        .setDescription("")
        .setUnit("s")
        .setHistogramData(HistogramData.create(AggregationTemporality.CUMULATIVE, points))
        .build();
  }
}

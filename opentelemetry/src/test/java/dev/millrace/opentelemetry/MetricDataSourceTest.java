package dev.millrace.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.model.EncodedLabelsBudget;
import dev.millrace.model.MetricCursor;
import dev.millrace.model.MetricDescriptor;
import dev.millrace.model.Resource;
import dev.millrace.model.Scope;
import dev.millrace.model.Series;
import dev.millrace.testkit.Eventually;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.metrics.data.MetricData;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class MetricDataSourceTest {
  private static final Object ENCODING = new Object();
  private static final int ENCODED_BYTES = 100;

  private final EncodedLabelsBudget budget = new EncodedLabelsBudget(1 << 20);
  private final AtomicReference<List<MetricData>> collection = new AtomicReference<>(List.of());
  private final MetricDataSource source = new MetricDataSource(collection::get, budget);

  private final Attributes a = TestData.attributes(1);
  private final Attributes b = TestData.attributes(2);
  private final Attributes c = TestData.attributes(3);
  private final Attributes d = TestData.attributes(4);

  @Test
  void findsSeriesByPosition() {
    List<Series> first = collect(a, b, c);
    assertThat(first.get(0).labels().text(0)).isEqualTo("value 1");
    assertSameSeries(collect(a, b, c), first.get(0), first.get(1), first.get(2));
  }

  @Test
  void findsSeriesByEquality() {
    List<Series> first = collect(a, b, c);
    Attributes equalToB = TestData.attributes(2);
    List<Series> second = collect(a, equalToB, c);
    assertSameSeries(second, first.get(0), first.get(1), first.get(2));
    assertSameSeries(collect(equalToB, b), first.get(1), first.get(1));
  }

  @Test
  void neverGoesByPositionAlone() {
    List<Series> first = collect(a, b);
    assertSameSeries(collect(b, a), first.get(1), first.get(0));
    List<Series> third = collect(c, d);
    assertThat(third).doesNotContainAnyElementsOf(first);
    assertThat(third.get(0).labels().text(0)).isEqualTo("value 3");
    assertThat(third.get(1).labels().text(0)).isEqualTo("value 4");
  }

  @Test
  void findsSeriesAroundThoseThatComeAndGo() {
    List<Series> first = collect(a, b, c);
    assertSameSeries(collect(b, c), first.get(1), first.get(2));
    List<Series> third = collect(d, b, c);
    assertSameSeries(third.subList(1, 3), first.get(1), first.get(2));
    List<Series> fourth = collect(d, b, a, c);
    assertThat(fourth.get(2)).isNotSameAs(first.get(0));
    assertSameSeries(
        List.of(fourth.get(0), fourth.get(1), fourth.get(3)),
        third.get(0),
        first.get(1),
        first.get(2));
    assertSameSeries(collect(d), third.get(0));
    assertThat(collect()).isEmpty();
    assertThat(source.seriesCount()).isZero();
    assertThat(budget.usedBytes()).isZero();
  }

  @Test
  void letsGoOfEncodedLabelsWithTheSeries() {
    collect(a, b, c);
    long used = budget.usedBytes();
    assertThat(used).isGreaterThanOrEqualTo(3 * ENCODED_BYTES);
    Series gone = collect(a, b, c).get(1);
    collect(a, c);
    assertThat(budget.usedBytes()).isEqualTo(used / 3 * 2);
    assertThat(gone.encodedLabels(ENCODING)).isNull();
    gone.keepEncodedLabels(ENCODING, new byte[ENCODED_BYTES], budget);
    assertThat(budget.usedBytes()).isEqualTo(used / 3 * 2);
    assertThat(collect(a, b, c).get(1)).isNotSameAs(gone);
    assertThat(budget.usedBytes()).isEqualTo(used);
  }

  @Test
  void keepsOneSeriesForPointsOfEqualAttributes() {
    List<Series> first = collect(a, TestData.attributes(1), b, TestData.attributes(1));
    assertSameSeries(first, first.get(0), first.get(0), first.get(2), first.get(0));
    List<Series> second = collect(b, TestData.attributes(1));
    assertSameSeries(second, first.get(2), first.get(0));
    assertThat(first.get(0).encodedLabels(ENCODING)).isNotNull();
    List<Series> third = collect(c, TestData.attributes(3));
    assertSameSeries(third, third.get(0), third.get(0));
  }

  @Test
  void tellsAttributesOfOneHashCodeApart() {
    Attributes one = Attributes.of(TestData.KEY, "Aa");
    Attributes other = Attributes.of(TestData.KEY, "BB");
    assertThat(one.hashCode()).isEqualTo(other.hashCode());
    List<Series> first = collect(one, other);
    assertThat(first.get(0).labels()).isNotEqualTo(first.get(1).labels());
    assertSameSeries(
        collect(Attributes.of(TestData.KEY, "BB"), Attributes.of(TestData.KEY, "Aa")),
        first.get(1),
        first.get(0));
  }

  @Test
  void findsWhatASlowModelFinds() {
    for (long seed = 0; seed < 200; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Map<Attributes, Series> model = new HashMap<>();
      List<Attributes> present = new ArrayList<>();
      for (int round = 0; round < 30; round++) {
        change(present, random);
        List<Series> found = collect(present.toArray(Attributes[]::new));
        Map<Attributes, Series> next = new HashMap<>();
        for (int i = 0; i < present.size(); i++) {
          Attributes attributes = present.get(i);
          Series expected = model.getOrDefault(attributes, next.get(attributes));
          String where = "seed " + seed + ", round " + round + ", point " + i;
          if (expected == null) {
            assertThat(model.values()).as(where).doesNotContain(found.get(i));
          } else {
            assertThat(found.get(i)).as(where).isSameAs(expected);
          }
          assertThat(found.get(i).labels())
              .as(where)
              .isEqualTo(new AttributeLabels().of(attributes));
          next.put(attributes, found.get(i));
        }
        assertBudgetIsThatOf(next.size());
        model = next;
      }
      collect();
    }
  }

  /** Adds, drops, swaps and renews some attributes. */
  private static void change(List<Attributes> present, SplittableRandom random) {
    int changes = random.nextInt(6);
    for (int i = 0; i < changes; i++) {
      int at = random.nextInt(present.size() + 1);
      switch (random.nextInt(present.isEmpty() ? 1 : 4)) {
        case 0 -> present.add(at, TestData.attributes(random.nextInt(40)));
        case 1 -> present.remove(at % present.size());
        case 2 -> {
          Attributes moved = present.remove(at % present.size());
          present.add(random.nextInt(present.size() + 1), moved);
        }
        default -> {
          int renewed = at % present.size();
          present.set(renewed, present.get(renewed).toBuilder().build());
        }
      }
    }
  }

  private void assertBudgetIsThatOf(int seriesCount) {
    long used = budget.usedBytes();
    assertThat(used).isGreaterThanOrEqualTo((long) seriesCount * ENCODED_BYTES);
    assertThat(used).isLessThanOrEqualTo((long) seriesCount * (ENCODED_BYTES + 64));
  }

  @Test
  void letsGoOfSeriesInMetricsThatTheReaderDoesNotFinish() {
    collect(a, b, c);
    Series kept = collect(a, b, c).get(2);
    collection.set(List.of(TestData.longSum("m", c, d)));
    try (MetricCursor cursor = source.open()) {
      assertThat(cursor.metricCount()).isEqualTo(1);
    }
    assertThat(source.seriesCount()).isEqualTo(2);
    assertThat(budget.usedBytes()).isLessThan(2 * ENCODED_BYTES);
    assertThat(collect(c).get(0)).isSameAs(kept);

    collection.set(List.of(TestData.longSum("m", a, c, b)));
    try (MetricCursor cursor = source.open()) {
      cursor.seekMetric(0);
      cursor.nextPoint();
    }
    assertThat(source.seriesCount()).isEqualTo(3);
    assertThat(collect(c).get(0)).isSameAs(kept);
  }

  @Test
  void makesNoSeriesForAMetricThatIsNeverRead() {
    collection.set(List.of(TestData.longSum("read", a), TestData.longSum("unread", b, c)));
    for (int round = 0; round < 2; round++) {
      try (MetricCursor cursor = source.open()) {
        cursor.seekMetric(0);
        while (cursor.nextPoint()) {
          assertThat(cursor.series().labels().size()).isEqualTo(1);
        }
      }
      assertThat(source.seriesCount()).isEqualTo(1);
    }
  }

  @Test
  void changesTheMembershipVersionWithTheListOfMetricsOnly() {
    collection.set(List.of(TestData.longSum("m", a), TestData.longSum("n", a)));
    long first = membershipVersion();
    collection.set(List.of(TestData.longSum("m", b, c), TestData.longSum("n")));
    assertThat(membershipVersion()).isEqualTo(first);

    List<List<MetricData>> others =
        List.of(
            List.of(TestData.longSum("n", a), TestData.longSum("m", a)),
            List.of(TestData.longSum("m", a)),
            List.of(),
            List.of(TestData.longSum("m", "other", 0, List.of(a))),
            List.of(TestData.longSum("m", "other", 1, List.of(a))),
            List.of(TestData.longSum("m2", "other", 1, List.of(a))));
    long last = first;
    for (List<MetricData> other : others) {
      collection.set(other);
      long version = membershipVersion();
      assertThat(version).isNotEqualTo(last);
      assertThat(membershipVersion()).isEqualTo(version);
      last = version;
    }
  }

  private long membershipVersion() {
    try (MetricCursor cursor = source.open()) {
      return cursor.membershipVersion();
    }
  }

  @Test
  void keepsTheObjectsOfAMetricWhereverItStands() {
    collection.set(
        List.of(
            TestData.longSum("m", "s", 0, List.of(a)), TestData.longSum("n", "s", 0, List.of(b))));
    List<Series> first = new ArrayList<>();
    MetricDescriptor descriptor;
    Scope scope;
    Resource resource;
    try (MetricCursor cursor = source.open()) {
      cursor.seekMetric(0);
      descriptor = cursor.metric();
      scope = cursor.scope();
      resource = cursor.resource();
      cursor.nextPoint();
      first.add(cursor.series());
      cursor.seekMetric(1);
      assertThat(cursor.scope()).isSameAs(scope);
      assertThat(cursor.resource()).isSameAs(resource);
    }
    collection.set(
        List.of(
            TestData.longSum("l", "s", 0, List.of(a)),
            TestData.longSum("n", "s", 0, List.of(b)),
            TestData.longSum("m", "s", 0, List.of(a))));
    try (MetricCursor cursor = source.open()) {
      cursor.seekMetric(2);
      assertThat(cursor.metric()).isSameAs(descriptor);
      assertThat(cursor.scope()).isSameAs(scope);
      assertThat(cursor.resource()).isSameAs(resource);
      cursor.nextPoint();
      assertThat(cursor.series()).isSameAs(first.get(0));
    }
  }

  @Test
  void letsGoOfTheSeriesOfMetricsThatAreGone() {
    collection.set(List.of(TestData.longSum("m", a, b), TestData.longSum("n", c)));
    readAll();
    assertThat(source.seriesCount()).isEqualTo(3);
    collection.set(List.of(TestData.longSum("n", c)));
    readAll();
    assertThat(source.seriesCount()).isEqualTo(1);
    assertBudgetIsThatOf(1);
  }

  @Test
  void keepsMetricsThatNothingTellsApart() {
    collection.set(List.of(TestData.longSum("m", a), TestData.longSum("m", b)));
    List<Series> first = readAll();
    collection.set(
        List.of(TestData.longSum("m", a), TestData.longSum("l"), TestData.longSum("m", b)));
    assertSameSeries(readAll(), first.get(0), first.get(1));
  }

  @Test
  void letsASecondThreadWaitUntilTheFirstCloses() throws Exception {
    collection.set(List.of(TestData.longSum("m", a)));
    AtomicReference<Series> seen = new AtomicReference<>();
    MetricCursor cursor = source.open();
    Thread second =
        new Thread(
            () -> {
              try (MetricCursor other = source.open()) {
                other.seekMetric(0);
                other.nextPoint();
                seen.set(other.series());
              }
            },
            "second");
    Series series;
    try {
      second.start();
      Eventually.isTrue(
          "the second thread waits",
          Duration.ofSeconds(20),
          () -> second.getState() == Thread.State.WAITING);
      cursor.seekMetric(0);
      assertThat(cursor.nextPoint()).isTrue();
      series = cursor.series();
      assertThat(seen.get()).isNull();
    } finally {
      cursor.close();
    }
    second.join();
    assertThat(seen.get()).isSameAs(series);
  }

  @Test
  void refusesToOpenTwiceInOneThread() {
    try (MetricCursor cursor = source.open()) {
      assertThat(cursor.metricCount()).isZero();
      assertThatThrownBy(source::open)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("close it first");
    }
    readAll();
  }

  @Test
  void refusesToCloseTwice() {
    MetricCursor cursor = source.open();
    cursor.close();
    assertThatThrownBy(cursor::close)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("second close");
  }

  @Test
  void canBeOpenedAgainAfterACollectionThatFailed() throws Exception {
    AtomicReference<RuntimeException> failure = new AtomicReference<>(new RuntimeException("no"));
    MetricDataSource failing =
        new MetricDataSource(
            () -> {
              RuntimeException present = failure.get();
              if (present != null) {
                throw present;
              }
              return collection.get();
            },
            budget);
    assertThatThrownBy(failing::open).hasMessage("no");
    failure.set(null);
    Thread other = new Thread(() -> failing.open().close(), "other");
    other.start();
    other.join();
    failing.open().close();
  }

  /** Collects one metric with these points and reads it to its end. */
  private List<Series> collect(Attributes... attributes) {
    collection.set(List.of(TestData.longSum("m", attributes)));
    return readAll();
  }

  private List<Series> readAll() {
    List<Series> series = new ArrayList<>();
    try (MetricCursor cursor = source.open()) {
      for (int metric = 0; metric < cursor.metricCount(); metric++) {
        cursor.seekMetric(metric);
        while (cursor.nextPoint()) {
          Series found = cursor.series();
          found.keepEncodedLabels(ENCODING, new byte[ENCODED_BYTES], cursor.encodedLabelsBudget());
          series.add(found);
        }
      }
    }
    assertThat(source.seriesCount()).isEqualTo(series.size());
    return series;
  }

  private static void assertSameSeries(List<Series> found, Series... expected) {
    assertThat(found).hasSize(expected.length);
    for (int i = 0; i < expected.length; i++) {
      assertThat(found.get(i)).as("point " + i).isSameAs(expected[i]);
    }
  }
}

package dev.millrace.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.model.MetricCursor;
import dev.millrace.model.MetricKind;
import dev.millrace.model.Problem;
import dev.millrace.model.Problems;
import dev.millrace.store.file.StoreProblems;
import dev.millrace.testkit.AllocationMeter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What holds for every store, in a directory or not. */
abstract class StoreContract {
  private static final int WARMUPS = 20_000;
  private static final int OPERATIONS = 20_000;

  private final List<MetricStore> opened = new ArrayList<>();
  final AtomicLong clockMillis = new AtomicLong(1_700_000_000_000L);
  final Problems problems = new Problems(() -> 0, line -> {});

  /** A new store, empty. */
  abstract MetricStore newStore(StoreOptions options);

  /** How a gauge that each process has is told apart, after its name. */
  abstract String processLabel();

  MetricStore open() {
    return open(StoreBounds.DEFAULT);
  }

  MetricStore open(StoreBounds bounds) {
    MetricStore store =
        newStore(
            StoreOptions.builder()
                .processName("worker")
                .problems(problems)
                .bounds(bounds)
                .retireInterval(Duration.ZERO)
                .sampleInterval(Duration.ofMillis(5))
                .clock(clockMillis::get)
                .build());
    opened.add(store);
    return store;
  }

  @AfterEach
  void close() {
    opened.forEach(MetricStore::close);
  }

  final long problems(String kind) {
    return problems.kinds().stream()
        .filter(problem -> problem.name().equals(kind))
        .mapToLong(Problem::count)
        .sum();
  }

  @Test
  void membershipVersionChangesWithMetricsOnly() {
    MetricStore store = open();
    Counter counter = store.counter("a").labelNames("k").create();
    counter.labels("1").increment();
    long before = membershipVersion(store);
    counter.labels("2").increment();
    assertThat(membershipVersion(store)).isEqualTo(before);
    store.counter("b").create();
    assertThat(membershipVersion(store)).isNotEqualTo(before);
  }

  private static long membershipVersion(MetricStore store) {
    try (MetricCursor cursor = store.open()) {
      return cursor.membershipVersion();
    }
  }

  @Test
  void newSeriesPastTheBoundAreRefusedAndOldOnesGoOn() {
    MetricStore store = open(new StoreBounds(3, 1 << 20, 10));
    Counter counter = store.counter("c").labelNames("k").create();
    for (int i = 0; i < 10; i++) {
      counter.labels("" + i).increment();
    }
    Histogram.Series refused = store.histogram("h").exponential().create().labels();
    refused.observe(1);
    counter.labels("0").increment();
    assertThat(Samples.of(store))
        .containsEntry("c{k=0}", "2")
        .containsEntry("c{k=2}", "1")
        .hasSize(3);
    assertThat(problems(StoreProblems.SERIES_REFUSED)).isGreaterThanOrEqualTo(8);
  }

  @Test
  void recordingAfterTheEndDoesNoHarm() {
    MetricStore store = open();
    Counter counter = store.counter("c").labelNames("k").create();
    Counter.Series series = counter.labels("a");
    store.close();
    series.increment();
    counter.labels("b").increment();
    store.gauge("g").create().sampledBy(() -> 1);
    assertThatThrownBy(store::open).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void manySeries() {
    MetricStore store = open();
    Counter counter = store.counter("c").labelNames("a", "b").create();
    for (int i = 0; i < 20_000; i++) {
      counter.labels("value " + i, "x").add(i);
    }
    var samples = Samples.of(store);
    assertThat(samples).hasSize(20_000);
    for (int i = 0; i < 20_000; i++) {
      assertThat(samples.get("c{a=value " + i + ",b=x}")).isEqualTo("" + i);
    }
    assertThat(store.seriesCount()).isEqualTo(20_000);
  }

  @Test
  void fourThreadsLoseNothing() throws Exception {
    MetricStore store = open();
    Counter counter = store.counter("c").labelNames("k").create();
    Histogram histogram = store.histogram("h").bounds(10, 100).create();
    Histogram exponential = store.histogram("e").exponential().create();
    List<Thread> threads = new ArrayList<>();
    int each = 20_000;
    for (int t = 0; t < 4; t++) {
      Thread thread =
          new Thread(
              () -> {
                for (int i = 0; i < each; i++) {
                  counter.labels(Integer.toString(i % 100)).increment();
                  histogram.observe(i % 200);
                  exponential.observe(i + 1);
                }
              });
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    var samples = Samples.of(store);
    for (int i = 0; i < 100; i++) {
      assertThat(samples).containsEntry("c{k=" + i + "}", "" + 4 * each / 100);
    }
    assertThat(samples)
        .containsEntry("h_count", "" + 4 * each)
        .containsEntry("h_sum", Double.toString(4.0 * each * 199 / 2))
        .containsEntry("e_count", "" + 4 * each)
        .containsEntry("e_sum", Double.toString(2.0 * each * (each + 1)));
  }

  @Test
  void recordingAndLookingUpAllocateNothing() throws Exception {
    MetricStore store = open();
    Counter counter = store.counter("c").labelNames("a", "b", "c").exemplars().create();
    Counter.Series series = counter.labels("1", "2", "3");
    Gauge.Series gauge = store.gauge("g").latest().create().labels();
    Histogram.Series histogram = store.histogram("h").exemplars().create().labels();
    Histogram.Series exponential = store.histogram("e").exponential().create().labels();
    Summary.Series summary = store.summary("s").create().labels();
    String trace = "0af7651916cd43dd8448eb211c80319c";
    String span = "b7ad6b7169203331";
    assertThat(
            AllocationMeter.bytesPerOperation(
                WARMUPS,
                OPERATIONS,
                () -> {
                  series.increment();
                  series.add(0.5);
                  series.add(1, trace, span);
                  counter.labels("1", "2", "3").increment();
                  gauge.set(2.5);
                  gauge.add(1);
                  gauge.max(7);
                  histogram.observe(0.3);
                  histogram.observe(0.3, trace, span);
                  exponential.observe(0.3);
                  summary.observe(4);
                }))
        .isZero();
  }

  @Test
  void aWarmReadAllocatesLittle() throws Exception {
    MetricStore store = open();
    Counter counter = store.counter("c").labelNames("k").create();
    Histogram histogram = store.histogram("h").labelNames("k").create();
    for (int i = 0; i < 1000; i++) {
      counter.labels("" + i).increment();
      histogram.labels("" + i).observe(i);
    }
    assertThat(AllocationMeter.bytesPerOperation(50, 20, () -> walk(store)))
        .isLessThanOrEqualTo(32 * 1024);
  }

  private static void walk(MetricStore store) {
    long count = 0;
    try (MetricCursor cursor = store.open()) {
      for (int i = 0; i < cursor.metricCount(); i++) {
        cursor.seekMetric(i);
        while (cursor.nextPoint()) {
          count +=
              cursor.metric().kind() == MetricKind.HISTOGRAM ? cursor.count() : cursor.longValue();
        }
      }
    }
    assertThat(count).isEqualTo(2000);
  }

  @Test
  void oneCollectionAtATime() {
    MetricStore store = open();
    try (MetricCursor cursor = store.open()) {
      assertThat(cursor.metricCount()).isZero();
      assertThatThrownBy(store::open).isInstanceOf(IllegalStateException.class);
    }
    assertThat(Samples.of(store)).isEmpty();
  }
}

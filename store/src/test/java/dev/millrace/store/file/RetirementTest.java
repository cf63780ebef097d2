package dev.millrace.store.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.model.MetricCursor;
import dev.millrace.model.Problem;
import dev.millrace.model.Problems;
import dev.millrace.store.Counter;
import dev.millrace.store.Gauge;
import dev.millrace.store.MetricStore;
import dev.millrace.store.Samples;
import dev.millrace.store.StoreOptions;
import dev.millrace.store.StoreSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Dead processes become totals: each counts once, whatever happens in between. */
class RetirementTest {
  @TempDir Path directory;

  private final Problems problems = new Problems(() -> 0, line -> {});
  private final AtomicLong clockMillis = new AtomicLong(1_700_000_000_000L);

  private MetricStore open(String name) {
    return MetricStore.open(
        directory,
        StoreOptions.builder()
            .processName(name)
            .problems(problems)
            .retireInterval(Duration.ZERO)
            .clock(clockMillis::get)
            .build());
  }

  /** A process that records everything once and ends. */
  private void live(String name, double value) {
    try (MetricStore store = open(name)) {
      record(store, value);
    }
  }

  private static void record(MetricStore store, double value) {
    Counter counter = store.counter("counter").labelNames("k").create();
    counter.labels("shared").add((long) value);
    counter.labels("of " + value).add(0.1);
    store.upDownCounter("up_down").create().add(-1);
    store.upDownCounter("up_down_live").liveOnly().create().add(-1);
    store.histogram("histogram").bounds(1, 5).exemplars().create().observe(value);
    store.histogram("exponential").exponential(4, 20).create().observe(value);
    store.summary("summary").create().observe(value);
    store.gauge("sum").sum().create().set(value);
    store.gauge("min").min().create().set(value);
    store.gauge("max").max().wholeNumbers().create().set(value);
    store.gauge("latest").latest().create().set(value);
    store.gauge("each").eachProcess().create().set(value);
    store.gauge("sum_live").sum().liveOnly().create().set(value);
    store.gauge("min_live").min().liveOnly().create().set(value);
    store.gauge("max_live").max().liveOnly().create().set(value);
    store.gauge("latest_live").latest().liveOnly().create().set(value);
    store.gauge("each_live").create().set(value);
    store.info("info").labelNames("v").create().set("" + value);
    store.stateSet("state").states("on", "off").create().only("on");
  }

  private static Map<String, String> expectedOfTwoDead() {
    Map<String, String> expected = new TreeMap<>();
    expected.put("counter{k=of 2.0}", "0.1");
    expected.put("counter{k=of 8.0}", "0.1");
    expected.put("counter{k=shared}", "10");
    expected.put("up_down", "-2");
    expected.put("histogram_bucket0", "0");
    expected.put("histogram_bucket1", "1");
    expected.put("histogram_bucket2", "1");
    expected.put("histogram_count", "2");
    expected.put("histogram_sum", "10.0");
    expected.put("exponential_scale", "3");
    expected.put("exponential_zero", "0");
    expected.put("exponential_positive7", "1");
    expected.put("exponential_positive23", "1");
    expected.put("exponential_count", "2");
    expected.put("exponential_sum", "10.0");
    expected.put("summary_count", "2");
    expected.put("summary_sum", "10.0");
    expected.put("sum", "10.0");
    expected.put("min", "2.0");
    expected.put("max", "8");
    expected.put("latest", "2.0");
    expected.put("each{pid=a}", "8.0");
    expected.put("each{pid=b}", "2.0");
    return expected;
  }

  @Test
  void everyModeBeforeAndAfterRetirement() throws IOException {
    live("a", 8);
    clockMillis.addAndGet(1000);
    live("b", 2);
    try (StoreSource source = StoreSource.of(directory)) {
      assertThat(Samples.of(source)).isEqualTo(expectedOfTwoDead());
      assertThat(source.retire()).isEqualTo(2);
      assertThat(Samples.of(source)).isEqualTo(expectedOfTwoDead());
      try (MetricStore living = open("a")) {
        record(living, 3);
        Map<String, String> expected = expectedOfTwoDead();
        expected.put("counter{k=of 3.0}", "0.1");
        expected.put("counter{k=shared}", "13");
        expected.put("up_down", "-3");
        expected.put("up_down_live", "-1");
        expected.put("histogram_bucket1", "2");
        expected.put("histogram_count", "3");
        expected.put("histogram_sum", "13.0");
        expected.put("exponential_positive12", "1");
        expected.put("exponential_count", "3");
        expected.put("exponential_sum", "13.0");
        expected.put("summary_count", "3");
        expected.put("summary_sum", "13.0");
        expected.put("sum", "13.0");
        expected.put("latest", "3.0");
        expected.put("each{pid=a}", "3.0");
        expected.put("sum_live", "3.0");
        expected.put("min_live", "3.0");
        expected.put("max_live", "3.0");
        expected.put("latest_live", "3.0");
        expected.put("each_live{pid=a}", "3.0");
        expected.put("info{v=3.0}", "1");
        expected.put("state{state=on}", "1");
        expected.put("state{state=off}", "0");
        assertThat(Samples.of(source)).isEqualTo(expected);
        assertThat(Samples.of(living)).isEqualTo(expected);
        assertThat(source.retire()).isZero();
      }
    }
    assertThat(problems.kinds()).isEmpty();
    try (Stream<Path> files = Files.list(directory)) {
      // Totals, the rights to retire and to take a name, and the last process's file and lock.
      assertThat(files).hasSize(5);
    }
  }

  /** What a machine that loses power leaves: nothing runs after the step. */
  private static final class Crash extends Error {
    private static final long serialVersionUID = 1L;
  }

  @ParameterizedTest
  @EnumSource(Retirement.Step.class)
  void aCrashAtEachStepCountsEachProcessOnce(Retirement.Step crashAt) throws IOException {
    live("a", 8);
    clockMillis.addAndGet(1000);
    live("b", 2);
    try (StoreSource warm = StoreSource.of(directory)) {
      assertThat(Samples.of(warm)).isEqualTo(expectedOfTwoDead());
      assertThatThrownBy(
              () ->
                  new Retirement(
                          StoreDirectory.forWriting(directory),
                          problems,
                          step -> {
                            if (step == crashAt) {
                              throw new Crash();
                            }
                          })
                      .run((done, left) -> {}))
          .isInstanceOf(Crash.class);
      assertThat(Samples.of(warm)).isEqualTo(expectedOfTwoDead());
      try (StoreSource cold = StoreSource.of(directory)) {
        assertThat(Samples.of(cold)).isEqualTo(expectedOfTwoDead());
        cold.retire();
        assertThat(Samples.of(cold)).isEqualTo(expectedOfTwoDead());
        assertThat(Samples.of(warm)).isEqualTo(expectedOfTwoDead());
      }
    }
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder("totals.mill", "retire.lock", "name.lock");
    }
    assertThat(problems.kinds()).isEmpty();
  }

  @Test
  void createdTimestampsAreThoseOfTheFirst() throws IOException {
    live("a", 8);
    clockMillis.addAndGet(60_000);
    live("b", 2);
    try (StoreSource source = StoreSource.of(directory)) {
      source.retire();
      try (var cursor = source.open()) {
        cursor.seekMetric(0);
        assertThat(cursor.nextPoint()).isTrue();
        assertThat(cursor.startTimeUnixNanos()).isEqualTo(1_700_000_000_000_000_000L);
      }
    }
  }

  @Test
  void theFirstDeclarationWinsAndTheOtherIsCountedAndNamed() {
    try (MetricStore first = open("first")) {
      first.counter("m").help("First.").create().add(1);
      first.counter("same").help("First.").create().add(1);
      clockMillis.addAndGet(1000);
      try (MetricStore second = open("second")) {
        second.gauge("m").create().set(2);
        second.counter("same").help("Another text.").create().add(2);
        second.histogram("h").bounds(1).create().observe(1);
        clockMillis.addAndGet(1000);
        try (MetricStore third = open("third")) {
          third.histogram("h").bounds(2).create().observe(1);
          third.counter("m").unit("s").create().add(5);
          StringBuilder log = new StringBuilder();
          Problems own = new Problems(() -> 0, log::append);
          try (StoreSource source =
              StoreSource.of(directory, StoreOptions.builder().problems(own).build())) {
            assertThat(Samples.of(source))
                .containsEntry("m", "1")
                .containsEntry("same", "3")
                .containsEntry("h_count", "1")
                .hasSize(6);
            assertThat(own.kinds().stream().map(Problem::name))
                .containsExactly(StoreProblems.DECLARATION_CONFLICT);
            assertThat(own.kind(StoreProblems.DECLARATION_CONFLICT).count()).isEqualTo(3);
            assertThat(log.toString()).contains("metric m", "COUNTER and GAUGE", "second.");
          }
        }
      }
    }
  }

  @Test
  void aDeclarationThatLostComesBackWhenTheOtherIsGone() {
    MetricStore first = open("first");
    first.gauge("m").create().set(1);
    clockMillis.addAndGet(1000);
    try (MetricStore second = open("second")) {
      second.gauge("m").max().create().set(2);
      try (StoreSource source = StoreSource.of(directory)) {
        assertThat(Samples.of(source)).containsEntry("m{pid=first}", "1.0").hasSize(1);
        first.close();
        source.retire();
        assertThat(Samples.of(source)).containsEntry("m", "2.0").hasSize(1);
      }
    }
  }

  @Test
  void aClockThatJumpsBackDoesNotTakeCountersWithIt() {
    try (MetricStore store = open("a")) {
      Counter counter = store.counter("c").create();
      Gauge gauge = store.gauge("g").latest().create();
      counter.increment();
      gauge.set(1);
      clockMillis.addAndGet(-86_400_000);
      counter.increment();
      gauge.set(2);
      assertThat(Samples.of(store)).containsEntry("c", "2").containsEntry("g", "2.0");
    }
  }

  @Test
  void seriesThatLeaveGiveTheirEncodedLabelsBack() throws IOException {
    Object encoding = new Object();
    try (StoreSource source = StoreSource.of(directory)) {
      for (int wave = 0; wave < 3; wave++) {
        try (MetricStore store = open("wave" + wave)) {
          Gauge gauge = store.gauge("g").labelNames("k").create();
          for (int i = 0; i < 1000; i++) {
            gauge.labels("" + i).set(i);
          }
          try (MetricCursor cursor = source.open()) {
            cursor.seekMetric(0);
            while (cursor.nextPoint()) {
              cursor
                  .series()
                  .keepEncodedLabels(encoding, new byte[100], cursor.encodedLabelsBudget());
            }
            assertThat(cursor.encodedLabelsBudget().usedBytes()).isGreaterThan(100_000);
          }
        }
        source.retire();
        try (MetricCursor cursor = source.open()) {
          assertThat(cursor.metricCount()).isZero();
          assertThat(cursor.encodedLabelsBudget().usedBytes()).isZero();
        }
      }
    }
  }

  @Test
  void onlyOneRetiresAtATime() throws IOException {
    live("a", 8);
    StoreDirectory at = StoreDirectory.forWriting(directory);
    try (DirectoryLock lock = DirectoryLock.tryRetire(at)) {
      assertThat(lock).isNotNull();
      assertThat(new Retirement(at, problems).run((done, left) -> {}).busy()).isTrue();
    }
    assertThat(new Retirement(at, problems).run((done, left) -> {}).folded()).isEqualTo(1);
  }

  @Test
  void leftoversOfProcessesThatDiedAtTheirStartAreRemoved() throws IOException {
    Path lock = directory.resolve("0123456789abcdef0123456789abcdef.lock");
    Path unfinished = directory.resolve(".x.0123456789abcdef0123456789abcdef.new");
    Path mine = directory.resolve("notes.txt");
    for (Path path : List.of(lock, unfinished, mine)) {
      Files.createFile(path);
    }
    try (MetricStore living = open("living")) {
      living.counter("c").create().increment();
      living.retire();
      assertThat(lock).doesNotExist();
      assertThat(unfinished).doesNotExist();
      assertThat(mine).exists();
      assertThat(Samples.of(living)).containsEntry("c", "1");
    }
  }

  @Test
  void moreDeadProcessesThanOneRoundTakes() throws IOException {
    for (int i = 0; i < 600; i++) {
      try (MetricStore store = open("w" + i)) {
        store.counter("c").labelNames("k").create().labels("" + i % 20).add(i);
      }
    }
    try (StoreSource source = StoreSource.of(directory)) {
      Map<String, String> before = Samples.of(source);
      assertThat(before).hasSize(20).containsEntry("c{k=3}", "" + (30 * 3 + 20 * 30 * 29 / 2));
      assertThat(source.retire()).isEqualTo(600);
      assertThat(Samples.of(source)).isEqualTo(before);
    }
    assertThat(problems.kinds()).isEmpty();
  }
}

package dev.millrace.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.model.MetricCursor;
import dev.millrace.model.MetricKind;
import dev.millrace.model.Temporality;
import dev.millrace.model.TypeHint;
import dev.millrace.store.file.StoreProblems;
import dev.millrace.testkit.Eventually;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What holds for the instruments of every store. */
abstract class InstrumentContract extends StoreContract {
  @Test
  void countersAreExactWholeNumbers() {
    MetricStore store = open();
    Counter counter = store.counter("c").labelNames("k").create();
    counter.labels("a").add(Long.MAX_VALUE - 1);
    counter.labels("a").increment();
    counter.labels("b").add((1L << 53) + 1);
    counter.labels("b").add(2.0);
    counter.labels("d").add(0.25);
    counter.labels("d").add(3);
    assertThat(Samples.of(store))
        .containsEntry("c{k=a}", "9223372036854775807")
        .containsEntry("c{k=b}", "9007199254740995")
        .containsEntry("c{k=d}", "3.25");
  }

  @Test
  void countersDoNotFallPastTheGreatestLong() {
    MetricStore store = open();
    Counter counter = store.counter("c").create();
    counter.add(Long.MAX_VALUE);
    counter.increment();
    assertThat(Samples.of(store)).containsEntry("c", "9.223372036854776E18");
    counter.add(Long.MAX_VALUE);
    assertThat(Samples.of(store)).containsEntry("c", "1.8446744073709552E19");
  }

  @Test
  void countersRefuseWhatDoesNotRise() {
    MetricStore store = open();
    Counter counter = store.counter("c").create();
    counter.add(5);
    counter.add(-1);
    counter.add(-0.5);
    counter.add(Double.NaN);
    counter.add(Double.POSITIVE_INFINITY);
    assertThat(Samples.of(store)).containsEntry("c", "5");
    assertThat(problems(StoreProblems.VALUE_REFUSED)).isEqualTo(4);
  }

  @Test
  void metricsWithoutLabelsAreThereFromTheStart() {
    MetricStore store = open();
    store.counter("c").create();
    store.histogram("h").bounds(1).create();
    store.gauge("g").create();
    assertThat(Samples.of(store))
        .containsEntry("c", "0")
        .containsEntry("h_count", "0")
        .doesNotContainKey("g" + processLabel());
  }

  @Test
  void upDownCounters() {
    MetricStore store = open();
    UpDownCounter counter = store.upDownCounter("u").labelNames("k").create();
    UpDownCounter.Series series = counter.labels("a");
    series.increment();
    series.decrement();
    series.decrement();
    series.add(-0.5);
    series.add(Double.NaN);
    assertThat(Samples.of(store)).containsEntry("u{k=a}", "-1.5");
    assertThat(problems(StoreProblems.VALUE_REFUSED)).isEqualTo(1);
  }

  @Test
  void gauges() {
    MetricStore store = open();
    Gauge gauge = store.gauge("g").sum().labelNames("k").create();
    gauge.labels("set").set(1.5);
    gauge.labels("added").add(-2);
    gauge.labels("added").add(-0.5);
    gauge.labels("max").max(-3);
    gauge.labels("max").max(-7);
    gauge.labels("max").max(-1);
    gauge.labels("min").min(3);
    gauge.labels("min").min(7);
    gauge.labels("now").setToNow();
    gauge.labels("nan").set(Double.NaN);
    gauge.labels("infinite").set(Double.NEGATIVE_INFINITY);
    gauge.labels("never");
    assertThat(Samples.of(store))
        .containsEntry("g{k=set}", "1.5")
        .containsEntry("g{k=added}", "-2.5")
        .containsEntry("g{k=max}", "-1.0")
        .containsEntry("g{k=min}", "3.0")
        .containsEntry("g{k=now}", "1.7E9")
        .containsEntry("g{k=nan}", "NaN")
        .containsEntry("g{k=infinite}", "-Infinity")
        .hasSize(7);
  }

  @Test
  void gaugesOfWholeNumbers() {
    MetricStore store = open();
    Gauge gauge = store.gauge("g").latest().wholeNumbers().labelNames("k").create();
    gauge.labels("a").set((1L << 53) + 1);
    gauge.labels("b").add(2.6);
    gauge.labels("c").max(4);
    gauge.labels("c").max(2);
    assertThat(Samples.of(store))
        .containsEntry("g{k=a}", "9007199254740993")
        .containsEntry("g{k=b}", "3")
        .containsEntry("g{k=c}", "4");
  }

  @Test
  void gaugesThatAreSampled() {
    MetricStore store = open();
    AtomicLong value = new AtomicLong(1);
    Gauge gauge = store.gauge("g").create();
    gauge.sampledBy(value::get);
    Gauge failing = store.gauge("f").create();
    failing.sampledBy(
        () -> {
          throw new IllegalStateException("the sensor is gone");
        });
    Eventually.isTrue(
        "the first sample",
        Duration.ofSeconds(20),
        () -> "1.0".equals(Samples.of(store).get("g" + processLabel())));
    value.set(2);
    Eventually.isTrue(
        "the next sample",
        Duration.ofSeconds(20),
        () -> "2.0".equals(Samples.of(store).get("g" + processLabel())));
    assertThat(problems(StoreProblems.SAMPLE_FAILED)).isPositive();
    assertThat(Samples.of(store)).doesNotContainKey("f" + processLabel());
  }

  @Test
  void histograms() {
    MetricStore store = open();
    Histogram histogram = store.histogram("h").bounds(-1, 0, 2.5).create();
    for (double value : new double[] {-5, -1, -0.5, 0, 2.5, 2.6, 1e300}) {
      histogram.observe(value);
    }
    histogram.observe(Double.NaN);
    histogram.observe(Double.POSITIVE_INFINITY);
    assertThat(Samples.of(store))
        .containsEntry("h_bucket0", "2")
        .containsEntry("h_bucket1", "2")
        .containsEntry("h_bucket2", "1")
        .containsEntry("h_bucket3", "2")
        .containsEntry("h_count", "7")
        .containsEntry("h_sum", "1.0E300");
    assertThat(problems(StoreProblems.VALUE_REFUSED)).isEqualTo(2);
  }

  @Test
  void histogramsWithManyBoundsAndWithNone() {
    MetricStore store = open();
    double[] bounds = new double[100];
    for (int i = 0; i < bounds.length; i++) {
      bounds[i] = i;
    }
    Histogram many = store.histogram("many").bounds(bounds).create();
    Histogram none = store.histogram("none").bounds().create();
    for (double value : new double[] {-1, 0, 0.5, 57, 57.5, 99, 99.5}) {
      many.observe(value);
      none.observe(value);
    }
    assertThat(Samples.of(store))
        .containsEntry("many_bucket0", "2")
        .containsEntry("many_bucket1", "1")
        .containsEntry("many_bucket57", "1")
        .containsEntry("many_bucket58", "1")
        .containsEntry("many_bucket99", "1")
        .containsEntry("many_bucket100", "1")
        .containsEntry("none_bucket0", "7");
  }

  @Test
  void exponentialHistogramsKeepEveryObservation() {
    long seed = 42;
    SplittableRandom random = new SplittableRandom(seed);
    MetricStore store = open();
    Histogram histogram = store.histogram("e").exponential(20, 160).labelNames("k").create();
    Histogram.Series series = histogram.labels("a");
    int negative = 0;
    for (int i = 0; i < 10_000; i++) {
      double value = Math.exp(random.nextDouble() * 2 * i / 1000 - i / 1000.0);
      if (random.nextInt(10) == 0) {
        value = -value;
        negative++;
      }
      series.observe(value);
    }
    series.observe(0);
    series.observe(Double.MIN_VALUE);
    series.observe(Double.MAX_VALUE);
    try (MetricCursor cursor = store.open()) {
      cursor.seekMetric(0);
      assertThat(cursor.nextPoint()).isTrue();
      assertThat(cursor.metric().kind()).isEqualTo(MetricKind.EXPONENTIAL_HISTOGRAM);
      assertThat(cursor.count()).as("seed %d", seed).isEqualTo(10_003);
      assertThat(cursor.zeroCount()).isEqualTo(1);
      long negatives = 0;
      for (int i = 0; i < cursor.negativeBucketCount(); i++) {
        negatives += cursor.negativeBucket(i);
      }
      assertThat(negatives).as("seed %d", seed).isEqualTo(negative);
      assertThat(cursor.positiveBucketCount()).isBetween(2, 160);
      assertThat(cursor.scale()).isBetween(-10, 0);
    }
  }

  @Test
  void summaries() {
    MetricStore store = open();
    Summary summary = store.summary("s").unit("s").create();
    summary.observe(1.5);
    summary.observe(2);
    summary.observe(Double.NaN);
    assertThat(Samples.of(store)).containsEntry("s_count", "2").containsEntry("s_sum", "3.5");
  }

  @Test
  void infosStateOnlyTheNewestFacts() {
    MetricStore store = open();
    Info info = store.info("build").labelNames("version", "commit").create();
    info.set("1", "abc");
    info.set("2", "def");
    assertThat(Samples.of(store)).containsEntry("build{commit=def,version=2}", "1").hasSize(1);
  }

  @Test
  void stateSets() {
    MetricStore store = open();
    StateSet phase = store.stateSet("phase").states("starting", "running", "ending").create();
    phase.set("starting", true);
    phase.only("running");
    phase.set("unknown", true);
    assertThat(Samples.of(store))
        .containsEntry("phase{phase=starting}", "0")
        .containsEntry("phase{phase=running}", "1")
        .containsEntry("phase{phase=ending}", "0");
    assertThat(problems(StoreProblems.VALUE_REFUSED)).isEqualTo(1);
  }

  @Test
  void descriptors() {
    MetricStore store = open();
    store.counter("a").unit("By").help("Bytes.").create();
    store.upDownCounter("b").create();
    store.gauge("c").create();
    store.histogram("d").create();
    store.summary("e").create();
    store.info("f").create().set();
    store.stateSet("g").states("x").create();
    try (MetricCursor cursor = store.open()) {
      assertThat(cursor.metricCount()).isEqualTo(7);
      cursor.seekMetric(0);
      assertThat(cursor.metric().name()).isEqualTo("a");
      assertThat(cursor.metric().unit()).isEqualTo("By");
      assertThat(cursor.metric().description()).isEqualTo("Bytes.");
      assertThat(cursor.metric().monotonic()).isTrue();
      assertThat(cursor.metric().temporality()).isEqualTo(Temporality.CUMULATIVE);
      assertThat(cursor.nextPoint()).isTrue();
      assertThat(cursor.startTimeUnixNanos()).isEqualTo(1_700_000_000_000_000_000L);
      assertThat(cursor.timeUnixNanos()).isEqualTo(1_700_000_000_000_000_000L);
      cursor.seekMetric(1);
      assertThat(cursor.metric().monotonic()).isFalse();
      cursor.seekMetric(3);
      assertThat(cursor.metric().kind()).isEqualTo(MetricKind.HISTOGRAM);
      cursor.seekMetric(5);
      assertThat(cursor.metric().typeHint()).isEqualTo(TypeHint.INFO);
      cursor.seekMetric(6);
      assertThat(cursor.metric().typeHint()).isEqualTo(TypeHint.STATESET);
    }
  }

  @Test
  void labelsThatAreHardToWrite() {
    MetricStore store = open();
    Counter counter = store.counter("c").labelNames("k", "a").create();
    String text = "\u0000\n\"\\,{}=\ud83d\ude00 é";
    counter.labels(text, "").increment();
    counter.labels("\ud800", "x".repeat(5000)).increment();
    assertThat(Samples.of(store))
        .containsEntry("c{a=,k=" + text + "}", "1")
        .containsEntry("c{a=" + "x".repeat(5000) + ",k=\ufffd}", "1");
  }

  @Test
  void labelsOfTheWrongNumberOrLengthRecordNothing() {
    MetricStore store = open();
    Counter counter = store.counter("c").labelNames("k").create();
    counter.labels().increment();
    counter.labels("a", "b").increment();
    counter.labels("a", "b", "c").increment();
    counter.labels("x".repeat(Instrument.MAX_LABEL_BYTES + 1)).increment();
    counter.increment();
    counter.labels("a").increment();
    counter.labels("x".repeat(Instrument.MAX_LABEL_BYTES)).increment();
    assertThat(Samples.of(store)).containsEntry("c{k=a}", "1").hasSize(2);
    assertThat(problems(StoreProblems.LABELS_REFUSED)).isEqualTo(5);
  }

  @Test
  void aSeriesIsTheSameForTheSameValues() {
    MetricStore store = open();
    Counter counter = store.counter("c").labelNames("a", "b", "c", "d").create();
    assertThat(counter.labels("1", "2", "3", "4"))
        .isSameAs(counter.labels("1", "2", "3", "4"))
        .isNotSameAs(counter.labels("1", "2", "3", "5"));
    assertThat(store.counter("c").labelNames("a", "b", "c", "d").create()).isSameAs(counter);
  }

  @Test
  void wrongDeclarationsFail() {
    MetricStore store = open();
    store.counter("c").create();
    assertThatThrownBy(() -> store.gauge("c").create())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("metric c");
    assertThatThrownBy(() -> store.counter("c").labelNames("k").create())
        .hasMessageContaining("other labels");
    assertThatThrownBy(() -> store.counter("")).hasMessageContaining("empty");
    assertThatThrownBy(() -> store.counter("x".repeat(256))).hasMessageContaining("256");
    assertThatThrownBy(() -> store.counter("x").labelNames("a", "a")).hasMessageContaining("twice");
    assertThatThrownBy(() -> store.histogram("x").labelNames("le").create())
        .hasMessageContaining("'le'");
    assertThatThrownBy(() -> store.summary("x").labelNames("quantile").create())
        .hasMessageContaining("'quantile'");
    assertThatThrownBy(() -> store.gauge("x").labelNames("pid").create())
        .hasMessageContaining("'pid'");
    assertThatThrownBy(() -> store.histogram("x").bounds(1, 1)).hasMessageContaining("rising");
    assertThatThrownBy(() -> store.histogram("x").bounds(1, Double.POSITIVE_INFINITY))
        .hasMessageContaining("+Inf");
    assertThatThrownBy(() -> store.histogram("x").exponential(21, 160))
        .hasMessageContaining("-10 to 20");
    assertThatThrownBy(() -> store.stateSet("x").create()).hasMessageContaining("states");
  }
}

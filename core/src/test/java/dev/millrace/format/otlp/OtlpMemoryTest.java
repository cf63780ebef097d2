package dev.millrace.format.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.Payload;
import dev.millrace.model.EncodedLabelsBudget;
import dev.millrace.model.FakeMetric;
import dev.millrace.model.FakeMetrics;
import dev.millrace.model.FakePoint;
import dev.millrace.model.Labels;
import dev.millrace.model.MetricCursor;
import dev.millrace.model.Problems;
import dev.millrace.model.Resource;
import dev.millrace.model.Scope;
import dev.millrace.testkit.AllocationMeter;
import dev.millrace.testkit.Eventually;
import dev.millrace.testkit.GivenBack;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What encoding allocates and what it keeps. */
class OtlpMemoryTest {
  private static final int POINTS = 10_000;

  /** An encoding may allocate its payload and what the JVM does on the thread's behalf. */
  private static final long NEXT_TO_NOTHING_BYTES = 256;

  @RegisterExtension
  final GivenBack<ChunkPool> chunks =
      GivenBack.to(new ChunkPool(256), ChunkPool::outstandingChunks);

  private final OtlpMetricsEncoder encoder =
      new OtlpMetricsEncoder(chunks.pool(), new Problems(() -> 0L, line -> {}));

  @ParameterizedTest
  @ValueSource(longs = {Long.MAX_VALUE / 2, 100_000, 0})
  void tenThousandPointsOfAllKindsAllocateNothing(long budgetBytes) throws Exception {
    FakeMetrics source = new FakeMetrics(metrics());
    source.setBudget(new EncodedLabelsBudget(budgetBytes));
    try (MetricCursor cursor = source.open()) {
      assertThat(
              AllocationMeter.bytesPerOperation(
                  30,
                  5,
                  () -> {
                    try (Payload payload = encoder.encode(cursor)) {
                      assert payload != null;
                    }
                  }))
          .isLessThanOrEqualTo(NEXT_TO_NOTHING_BYTES);
    }
  }

  @Test
  void requestsOfALimitedSizeAllocateTheirPayloads() throws Exception {
    FakeMetrics source = new FakeMetrics(metrics());
    int[] payloads = new int[1];
    PayloadSink sink =
        (payload, items) -> {
          payloads[0]++;
          payload.close();
        };
    try (MetricCursor cursor = source.open()) {
      encoder.encode(cursor, 10_000, sink);
      int each = payloads[0];
      assertThat(each).isGreaterThan(50);
      assertThat(
              AllocationMeter.bytesPerOperation(30, 5, () -> encoder.encode(cursor, 10_000, sink)))
          .isLessThanOrEqualTo(NEXT_TO_NOTHING_BYTES + 64L * each);
    }
  }

  @Test
  void aListOfMetricsThatChangesEncodesOnlyWhatIsNew() throws Exception {
    List<FakeMetric> metrics = metrics();
    FakeMetrics source = new FakeMetrics(metrics);
    try (MetricCursor cursor = source.open();
        Payload payload = encoder.encode(cursor)) {
      assertThat(payload).isNotNull();
    }
    Resource equal =
        new Resource(Labels.of("service.name", "shop", "host.name", "a"), "resource schema");
    source.set(metrics.stream().map(metric -> metric.of(equal)).toList());
    try (MetricCursor cursor = source.open();
        Payload payload = encoder.encode(cursor)) {
      assertThat(Objects.requireNonNull(payload).toByteArray())
          .isEqualTo(ReferenceRequest.of(source.metrics()).toByteArray());
    }
  }

  @Test
  void attributesAreKeptWithinTheBudgetAndLeaveWithTheSeries() {
    FakePoint[] points = new FakePoint[100];
    for (int i = 0; i < points.length; i++) {
      points[i] = FakePoint.of(Labels.of("k", "value " + (100 + i)), i);
    }
    FakeMetrics source = new FakeMetrics(FakeMetric.counter("c", "", points));
    EncodedLabelsBudget budget = new EncodedLabelsBudget(2_000);
    source.setBudget(budget);
    encode(source);
    long used = budget.usedBytes();
    assertThat(used).isBetween(1_800L, 2_000L);
    encode(source);
    assertThat(budget.usedBytes()).isEqualTo(used);
    for (FakePoint point : points) {
      point.series().end(budget);
    }
    assertThat(budget.usedBytes()).isZero();
  }

  @Test
  void noAttributesUseNoBudget() {
    FakeMetrics source =
        new FakeMetrics(FakeMetric.counter("c", "", FakePoint.of(Labels.EMPTY, 1)));
    EncodedLabelsBudget budget = new EncodedLabelsBudget(2_000);
    source.setBudget(budget);
    encode(source);
    assertThat(budget.usedBytes()).isZero();
  }

  @Test
  void whatLeavesTheSourceIsLetGo() {
    FakeMetrics source = new FakeMetrics();
    List<WeakReference<Object>> gone = fill(source);
    encode(source);
    source.set(List.of(FakeMetric.gauge("other", "", FakePoint.of(Labels.EMPTY, 1))));
    encode(source);
    Eventually.isTrue(
        "resources, scopes and descriptors that left are collected",
        Duration.ofSeconds(60),
        () -> {
          System.gc();
          return gone.stream().allMatch(each -> each.get() == null);
        });
  }

  private static List<WeakReference<Object>> fill(FakeMetrics source) {
    FakeMetric metric =
        FakeMetric.gauge("left", "", FakePoint.of(Labels.of("a", "b"), 1))
            .of(new Resource(Labels.of("service.name", "left"), ""))
            .of(new Scope("left", "", "", Labels.EMPTY));
    source.set(List.of(metric));
    return List.of(
        new WeakReference<>(metric.resource()),
        new WeakReference<>(metric.scope()),
        new WeakReference<>(metric.descriptor()),
        new WeakReference<>(metric.points().get(0).series()));
  }

  /**
   * Names of a megabyte each: more than is kept is encoded each time, and is right all the same.
   */
  @Test
  void whatDescribesMetricsIsKeptUpToABound() throws Exception {
    List<FakeMetric> metrics = new ArrayList<>();
    for (int i = 0; i < MetricsPlanner.MAX_KEPT_BYTES / 1_000_000 + 4; i++) {
      metrics.add(
          FakeMetric.gauge("m" + i, "", FakePoint.of(Labels.EMPTY, 1))
              .describedAs("d".repeat(1_000_000))
              .of(new Resource(Labels.of("i", "x".repeat(i)), "")));
    }
    FakeMetrics source = new FakeMetrics(metrics);
    byte[] expected = ReferenceRequest.of(source.metrics()).toByteArray();
    for (int i = 0; i < 2; i++) {
      try (MetricCursor cursor = source.open();
          Payload payload = encoder.encode(cursor)) {
        assertThat(Objects.requireNonNull(payload).toByteArray()).isEqualTo(expected);
      }
      MetricsPlan plan;
      try (MetricCursor cursor = source.open()) {
        plan = new MetricsPlanner(null).plan(cursor);
      }
      assertThat(plan.kept().values().stream().mapToLong(bytes -> bytes.length).sum())
          .isBetween(MetricsPlanner.MAX_KEPT_BYTES / 2L, (long) MetricsPlanner.MAX_KEPT_BYTES);
    }
  }

  private void encode(FakeMetrics source) {
    try (MetricCursor cursor = source.open();
        Payload payload = encoder.encode(cursor)) {
      assertThat(payload).isNotNull();
    }
  }

  private static List<FakeMetric> metrics() {
    SplittableRandom random = new SplittableRandom(1);
    Resource resource =
        new Resource(Labels.of("service.name", "shop", "host.name", "a"), "resource schema");
    Scope scope = new Scope("dev.millrace.test", "1.0", "scope schema", Labels.of("a", "b"));
    double[] bounds = {0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10};
    List<FakeMetric> metrics = new ArrayList<>();
    for (int m = 0; m < 10; m++) {
      FakePoint[] points = new FakePoint[POINTS / 10];
      for (int i = 0; i < points.length; i++) {
        Labels labels = Labels.of("method", i % 2 == 0 ? "GET" : "POST", "route", "/orders/" + i);
        FakePoint.Value value =
            switch (m % 5) {
              case 0 -> new FakePoint.Whole(random.nextInt(1_000_000));
              case 1 -> new FakePoint.Real(random.nextDouble());
              case 2 ->
                  FakePoint.histogram(
                          labels, random.nextDouble(), bounds, random.longs(12, 0, 99).toArray())
                      .value();
              case 3 ->
                  new FakePoint.Summary(
                      9, random.nextDouble(), new double[] {0.5, 0.99}, new double[] {1, 2});
              default ->
                  new FakePoint.Exponential(9, 1.5, 3, -7, random.longs(40, 0, 300).toArray());
            };
        FakePoint point = FakePoint.of(labels, value).startedAt(1_700L + i).recordedAt(1_800L + i);
        points[i] = m % 5 == 3 ? point : point.withExemplars(exemplars(random));
      }
      FakeMetric metric =
          switch (m % 5) {
            case 0, 1 -> FakeMetric.counter("c" + m, "1", points);
            case 2 -> FakeMetric.histogram("h" + m, "s", points);
            case 3 -> FakeMetric.summary("s" + m, "By", points);
            default -> FakeMetric.exponential("e" + m, "s", points);
          };
      metrics.add(metric.describedAs("Help.").of(resource).of(scope));
    }
    return metrics;
  }

  private static FakePoint.Exemplar[] exemplars(SplittableRandom random) {
    FakePoint.Exemplar[] exemplars = new FakePoint.Exemplar[random.nextInt(3)];
    for (int i = 0; i < exemplars.length; i++) {
      exemplars[i] =
          new FakePoint.Exemplar(
              new FakePoint.Real(random.nextDouble()),
              1_750,
              random.nextLong(),
              random.nextLong(),
              random.nextLong(),
              Labels.of("user", "u" + i));
    }
    return exemplars;
  }
}

package dev.millrace.opentelemetry;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceId;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.sdk.common.InstrumentationScopeInfo;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.data.DoubleExemplarData;
import io.opentelemetry.sdk.metrics.data.DoublePointData;
import io.opentelemetry.sdk.metrics.data.ExponentialHistogramBuckets;
import io.opentelemetry.sdk.metrics.data.ExponentialHistogramData;
import io.opentelemetry.sdk.metrics.data.ExponentialHistogramPointData;
import io.opentelemetry.sdk.metrics.data.GaugeData;
import io.opentelemetry.sdk.metrics.data.HistogramData;
import io.opentelemetry.sdk.metrics.data.HistogramPointData;
import io.opentelemetry.sdk.metrics.data.LongPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.data.SumData;
import io.opentelemetry.sdk.metrics.data.SummaryData;
import io.opentelemetry.sdk.metrics.data.SummaryPointData;
import io.opentelemetry.sdk.metrics.data.ValueAtQuantile;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.testing.metrics.TestMetricData;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;

/** Generates metric data of every kind, with every edge that a value can have. */
final class RandomMetrics {
  private static final double[] EDGES = {
    0.0,
    -0.0,
    Double.NaN,
    Double.POSITIVE_INFINITY,
    Double.NEGATIVE_INFINITY,
    Double.MIN_VALUE,
    1e21
  };
  private static final AggregationTemporality[] TEMPORALITIES = AggregationTemporality.values();
  private static final int KINDS = 7;

  private final SplittableRandom random;

  RandomMetrics(long seed) {
    random = new SplittableRandom(seed);
  }

  /** Up to 20 metrics with up to 30 points each. */
  List<MetricData> metrics() {
    List<MetricData> metrics = new ArrayList<>();
    int count = random.nextInt(20);
    for (int i = 0; i < count; i++) {
      metrics.add(metric("metric." + random.nextInt(10)));
    }
    return metrics;
  }

  private MetricData metric(String name) {
    TestMetricData.Builder builder =
        TestMetricData.builder()
            .setName(name)
            .setDescription(random.nextBoolean() ? "" : "What " + name + " is.")
            .setUnit(random.nextBoolean() ? "" : "By")
            .setResource(Resource.create(Attributes.builder().put("r", random.nextInt(2)).build()))
            .setInstrumentationScopeInfo(
                InstrumentationScopeInfo.builder("scope." + random.nextInt(3)).build());
    AggregationTemporality temporality = TEMPORALITIES[random.nextInt(TEMPORALITIES.length)];
    boolean monotonic = random.nextBoolean();
    return switch (random.nextInt(KINDS)) {
      case 0 ->
          builder.setLongGaugeData(GaugeData.createLongGaugeData(points(this::whole))).build();
      case 1 ->
          builder
              .setDoubleGaugeData(GaugeData.createDoubleGaugeData(points(this::floating)))
              .build();
      case 2 ->
          builder
              .setLongSumData(
                  SumData.createLongSumData(monotonic, temporality, points(this::whole)))
              .build();
      case 3 ->
          builder
              .setDoubleSumData(
                  SumData.createDoubleSumData(monotonic, temporality, points(this::floating)))
              .build();
      case 4 ->
          builder
              .setHistogramData(HistogramData.create(temporality, points(this::histogram)))
              .build();
      case 5 ->
          builder
              .setExponentialHistogramData(
                  ExponentialHistogramData.create(temporality, points(this::exponential)))
              .build();
      default -> builder.setSummaryData(SummaryData.create(points(this::summary))).build();
    };
  }

  private <T> List<T> points(Function<Attributes, T> point) {
    List<T> points = new ArrayList<>();
    int count = random.nextInt(30);
    for (int i = 0; i < count; i++) {
      points.add(point.apply(attributes(i)));
    }
    return points;
  }

  private Attributes attributes(int number) {
    return Attributes.builder()
        .put("number", number)
        .put("text", "täxt " + random.nextInt(4))
        .put("flag", random.nextBoolean())
        .put("share", random.nextInt(4) / 4.0)
        .put("list", "a", "b" + random.nextInt(3))
        .build();
  }

  private LongPointData whole(Attributes attributes) {
    return LongPointData.create(time(), time(), attributes, random.nextLong());
  }

  private DoublePointData floating(Attributes attributes) {
    return DoublePointData.create(time(), time(), attributes, number(), exemplars());
  }

  private HistogramPointData histogram(Attributes attributes) {
    int boundCount = random.nextInt(5);
    List<Double> bounds = new ArrayList<>();
    for (int i = 0; i < boundCount; i++) {
      bounds.add(i * 10.0 - 20);
    }
    boolean hasMinMax = random.nextBoolean();
    return HistogramPointData.create(
        time(),
        time(),
        attributes,
        number(),
        hasMinMax,
        number(),
        hasMinMax,
        number(),
        bounds,
        counts(boundCount + 1));
  }

  private ExponentialHistogramPointData exponential(Attributes attributes) {
    int scale = random.nextInt(-10, 21);
    boolean hasMinMax = random.nextBoolean();
    return ExponentialHistogramPointData.create(
        scale,
        number(),
        random.nextInt(3),
        hasMinMax,
        number(),
        hasMinMax,
        number(),
        ExponentialHistogramBuckets.create(scale, random.nextInt(-9, 9), counts(random.nextInt(9))),
        ExponentialHistogramBuckets.create(scale, random.nextInt(-9, 9), counts(random.nextInt(3))),
        time(),
        time(),
        attributes,
        exemplars());
  }

  private List<DoubleExemplarData> exemplars() {
    List<DoubleExemplarData> exemplars = new ArrayList<>();
    for (int i = random.nextInt(4) - 1; i > 0; i--) {
      Attributes filtered = random.nextBoolean() ? Attributes.empty() : attributes(i);
      exemplars.add(DoubleExemplarData.create(filtered, time(), span(), number()));
    }
    return exemplars;
  }

  private SpanContext span() {
    return random.nextInt(3) == 0
        ? SpanContext.getInvalid()
        : SpanContext.create(
            TraceId.fromLongs(random.nextLong(), random.nextLong()),
            SpanId.fromLong(random.nextLong()),
            TraceFlags.getSampled(),
            TraceState.getDefault());
  }

  private SummaryPointData summary(Attributes attributes) {
    List<ValueAtQuantile> quantiles = new ArrayList<>();
    int count = random.nextInt(4);
    for (int i = 0; i < count; i++) {
      quantiles.add(ValueAtQuantile.create(i / 4.0, number()));
    }
    return SummaryPointData.create(
        time(), time(), attributes, random.nextLong(), number(), quantiles);
  }

  private List<Long> counts(int size) {
    List<Long> counts = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      counts.add((long) random.nextInt(1000));
    }
    return counts;
  }

  private double number() {
    return random.nextInt(4) == 0
        ? EDGES[random.nextInt(EDGES.length)]
        : random.nextDouble() * 1000;
  }

  private long time() {
    return random.nextLong(1_800_000_000_000_000_000L);
  }
}

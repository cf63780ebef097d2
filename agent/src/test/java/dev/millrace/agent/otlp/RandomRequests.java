package dev.millrace.agent.otlp;

import com.google.protobuf.ByteString;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.ArrayValue;
import io.opentelemetry.proto.common.v1.InstrumentationScope;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.Exemplar;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.HistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import io.opentelemetry.proto.metrics.v1.ScopeMetrics;
import io.opentelemetry.proto.metrics.v1.SummaryDataPoint;
import io.opentelemetry.proto.resource.v1.Resource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;

/**
 * Requests as senders send them, one after the other, over few series so that these meet again:
 * mostly right, and sometimes wrong in each of the ways that points can be.
 */
final class RandomRequests {
  private static final String[] UNITS = {"", "s", "By"};
  private static final double[][] BOUNDS = {
    {}, {1, 2, 5}, {-1, 0, 0.5}, {1, 2, Double.POSITIVE_INFINITY}
  };

  private final SplittableRandom random;
  private long time = 1_000;

  RandomRequests(SplittableRandom random) {
    this.random = random;
  }

  ExportMetricsServiceRequest next() {
    time += 100;
    ExportMetricsServiceRequest.Builder request = ExportMetricsServiceRequest.newBuilder();
    for (int i = random.nextInt(3); i >= 0; i--) {
      ResourceMetrics.Builder resource = ResourceMetrics.newBuilder().setResource(resource());
      if (chance(3)) {
        resource.setSchemaUrl("https://example.test/schema");
      }
      for (int j = random.nextInt(3); j >= 0; j--) {
        ScopeMetrics.Builder scope = ScopeMetrics.newBuilder();
        if (!chance(4)) {
          scope.setScope(scope());
        }
        for (int k = random.nextInt(5); k >= 0; k--) {
          scope.addMetrics(metric());
        }
        resource.addScopeMetrics(scope);
      }
      request.addResourceMetrics(resource);
    }
    return request.build();
  }

  private Resource resource() {
    Resource.Builder resource = Resource.newBuilder();
    resource.addAttributes(pair("service.name", text("svc" + random.nextInt(2))));
    if (!chance(3)) {
      resource.addAttributes(pair("service.instance.id", text("i" + random.nextInt(2))));
    }
    if (chance(3)) {
      resource.addAttributes(pair("service.namespace", text("ns")));
    }
    if (chance(4)) {
      resource.addAttributes(
          pair("process.pid", AnyValue.newBuilder().setIntValue(random.nextInt(2)).build()));
    }
    return resource.build();
  }

  private InstrumentationScope scope() {
    InstrumentationScope.Builder scope =
        InstrumentationScope.newBuilder().setName("scope" + random.nextInt(2));
    if (chance(3)) {
      scope.setVersion("1.0").addAttributes(pair("k", text("v")));
    }
    return scope.build();
  }

  private Metric metric() {
    int which = random.nextInt(8);
    Metric.Builder metric = Metric.newBuilder();
    if (!chance(50)) {
      metric.setName("m" + which);
    }
    metric.setDescription("about " + which).setUnit(UNITS[which % UNITS.length]);
    if (chance(5)) {
      metric.addMetadata(pair("prometheus.type", text(chance(2) ? "unknown" : "counter")));
    }
    AggregationTemporality temporality =
        chance(50)
            ? AggregationTemporality.AGGREGATION_TEMPORALITY_UNSPECIFIED
            : which % 2 == 0 ^ chance(30)
                ? AggregationTemporality.AGGREGATION_TEMPORALITY_DELTA
                : AggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE;
    boolean delta = temporality == AggregationTemporality.AGGREGATION_TEMPORALITY_DELTA;
    int points = random.nextInt(5);
    for (int i = 0; i < points; i++) {
      switch (which) {
        case 0, 1 -> metric.getSumBuilder().addDataPoints(number(delta));
        case 2, 3 -> metric.getHistogramBuilder().addDataPoints(histogram(delta));
        case 4, 5 -> metric.getExponentialHistogramBuilder().addDataPoints(exponential(delta));
        case 6 -> metric.getGaugeBuilder().addDataPoints(number(delta));
        default -> metric.getSummaryBuilder().addDataPoints(summary());
      }
    }
    switch (which) {
      case 0, 1 ->
          metric.getSumBuilder().setAggregationTemporality(temporality).setIsMonotonic(chance(2));
      case 2, 3 -> metric.getHistogramBuilder().setAggregationTemporality(temporality);
      case 4, 5 -> metric.getExponentialHistogramBuilder().setAggregationTemporality(temporality);
      default -> {}
    }
    return metric.build();
  }

  private NumberDataPoint number(boolean delta) {
    NumberDataPoint.Builder point =
        NumberDataPoint.newBuilder()
            .addAllAttributes(attributes())
            .addAllExemplars(exemplars())
            .setStartTimeUnixNano(start(delta))
            .setTimeUnixNano(time())
            .setFlags(flags());
    if (chance(30)) {
      return point.build();
    }
    return random.nextBoolean()
        ? point.setAsInt(random.nextInt(chance(9) ? -50 : 0, 100)).build()
        : point.setAsDouble(random.nextInt(-5, 400) / 4.0).build();
  }

  private HistogramDataPoint histogram(boolean delta) {
    HistogramDataPoint.Builder point =
        HistogramDataPoint.newBuilder()
            .addAllAttributes(attributes())
            .addAllExemplars(exemplars())
            .setStartTimeUnixNano(start(delta))
            .setTimeUnixNano(time())
            .setFlags(flags());
    double[] bounds = BOUNDS[chance(10) ? random.nextInt(BOUNDS.length) : 1];
    for (double bound : bounds) {
      point.addExplicitBounds(bound);
    }
    if (bounds.length > 0 || chance(2)) {
      for (int i = 0; i <= bounds.length; i++) {
        point.addBucketCounts(random.nextInt(10));
      }
    }
    switch (random.nextInt(40)) {
      case 0 -> point.addBucketCounts(1);
      case 1 -> point.addExplicitBounds(0).addBucketCounts(1);
      case 2 -> point.addExplicitBounds(Double.NaN).addBucketCounts(1);
      default -> {}
    }
    long count = point.getBucketCountsList().stream().mapToLong(c -> c).sum();
    point.setCount(count);
    if (!chance(6)) {
      point.setSum(count * 1.5);
    }
    if (!chance(6)) {
      point.setMin(-random.nextInt(8)).setMax(random.nextInt(8));
    }
    return point.build();
  }

  private ExponentialHistogramDataPoint exponential(boolean delta) {
    ExponentialHistogramDataPoint.Builder point =
        ExponentialHistogramDataPoint.newBuilder()
            .addAllAttributes(attributes())
            .addAllExemplars(exemplars())
            .setStartTimeUnixNano(start(delta))
            .setTimeUnixNano(time())
            .setFlags(flags())
            .setScale(chance(20) ? -4 : random.nextInt(0, 6))
            .setZeroCount(random.nextInt(3))
            .setZeroThreshold(0.25);
    int offsets = point.getScale() < 0 ? 30 : chance(40) ? 100_000 : 300;
    if (!chance(5)) {
      point.setPositive(buckets(offsets));
    }
    if (chance(3)) {
      point.setNegative(buckets(offsets));
    }
    long count =
        point.getZeroCount()
            + point.getPositive().getBucketCountsList().stream().mapToLong(c -> c).sum()
            + point.getNegative().getBucketCountsList().stream().mapToLong(c -> c).sum();
    point.setCount(count);
    if (!chance(6)) {
      point.setSum(count * 0.5);
    }
    if (!chance(6)) {
      point.setMin(-random.nextInt(8)).setMax(random.nextInt(8));
    }
    return point.build();
  }

  private ExponentialHistogramDataPoint.Buckets buckets(int offsets) {
    ExponentialHistogramDataPoint.Buckets.Builder buckets =
        ExponentialHistogramDataPoint.Buckets.newBuilder()
            .setOffset(random.nextInt(-offsets, offsets));
    for (int i = random.nextInt(20); i > 0; i--) {
      buckets.addBucketCounts(chance(3) ? 0 : random.nextInt(1_000));
    }
    return buckets.build();
  }

  private SummaryDataPoint summary() {
    SummaryDataPoint.Builder point =
        SummaryDataPoint.newBuilder()
            .addAllAttributes(attributes())
            .setStartTimeUnixNano(start(false))
            .setTimeUnixNano(time())
            .setFlags(flags())
            .setCount(random.nextInt(100))
            .setSum(random.nextInt(100));
    double quantile = chance(30) ? -0.5 : 0;
    for (int i = random.nextInt(4); i > 0; i--) {
      quantile += chance(30) ? 0.9 : 0.1;
      point.addQuantileValues(
          SummaryDataPoint.ValueAtQuantile.newBuilder()
              .setQuantile(quantile)
              .setValue(random.nextInt(50)));
    }
    return point.build();
  }

  private List<KeyValue> attributes() {
    List<KeyValue> attributes = new ArrayList<>();
    attributes.add(pair("route", text("/" + random.nextInt(3))));
    if (chance(3)) {
      attributes.add(
          pair("code", AnyValue.newBuilder().setIntValue(200 + random.nextInt(2)).build()));
      attributes.add(pair("ok", AnyValue.newBuilder().setBoolValue(random.nextBoolean()).build()));
    }
    if (chance(8)) {
      attributes.add(pair("ratio", AnyValue.newBuilder().setDoubleValue(0.5).build()));
      attributes.add(pair("none", AnyValue.getDefaultInstance()));
      attributes.add(
          pair(
              "list",
              AnyValue.newBuilder()
                  .setArrayValue(ArrayValue.newBuilder().addValues(text("a")).addValues(text("b")))
                  .build()));
    }
    if (chance(10)) {
      attributes.add(pair("route", text("/again")));
    }
    if (random.nextBoolean()) {
      Collections.shuffle(attributes, new Random(random.nextLong()));
    }
    return attributes;
  }

  private List<Exemplar> exemplars() {
    List<Exemplar> exemplars = new ArrayList<>();
    for (int i = chance(2) ? 0 : random.nextInt(1, 5); i > 0; i--) {
      Exemplar.Builder exemplar = Exemplar.newBuilder();
      if (!chance(8)) {
        // Mostly later than those of the point before; sometimes by a clock that is far off.
        exemplar.setTimeUnixNano(
            chance(20) ? 1_000_000_000 + random.nextInt(9) : time - random.nextInt(250));
      }
      switch (random.nextInt(12)) {
        case 0 -> {}
        case 1 -> exemplar.setAsDouble(Double.NaN);
        case 2, 3, 4, 5 -> exemplar.setAsInt(random.nextInt(-3, 9));
        default -> exemplar.setAsDouble(random.nextInt(-20, 70) / 8.0);
      }
      if (!chance(3)) {
        exemplar.setTraceId(id(16)).setSpanId(id(8));
      }
      if (chance(3)) {
        exemplar.addFilteredAttributes(pair("user", text("u" + random.nextInt(100))));
        exemplar.addFilteredAttributes(
            pair("a", text("x".repeat(chance(6) ? random.nextInt(1_010, 1_040) : 2))));
      }
      exemplars.add(exemplar.build());
    }
    return exemplars;
  }

  private ByteString id(int lengthBytes) {
    byte[] id = new byte[chance(10) ? random.nextInt(20) : lengthBytes];
    for (int i = 0; i < id.length; i++) {
      id[i] = (byte) random.nextInt();
    }
    return ByteString.copyFrom(id);
  }

  private long time() {
    return chance(60) ? 0 : chance(10) ? time - random.nextInt(300) : time + random.nextInt(20);
  }

  private long start(boolean delta) {
    if (!delta) {
      return 500 + 100L * random.nextInt(2);
    }
    return chance(20) ? 0 : chance(10) ? time - 150 : chance(60) ? time + 500 : time - 80;
  }

  private int flags() {
    return chance(20) ? 1 : 0;
  }

  private boolean chance(int oneIn) {
    return random.nextInt(oneIn) == 0;
  }

  private static AnyValue text(String value) {
    return AnyValue.newBuilder().setStringValue(value).build();
  }

  private static KeyValue pair(String key, AnyValue value) {
    return KeyValue.newBuilder().setKey(key).setValue(value).build();
  }
}

package dev.millrace.format.otlp;

import dev.millrace.model.FakeMetric;
import dev.millrace.model.FakeMetrics;
import dev.millrace.model.FakePoint;
import dev.millrace.model.LabelType;
import dev.millrace.model.Labels;
import dev.millrace.model.MetricDescriptor;
import dev.millrace.model.MetricKind;
import dev.millrace.model.Resource;
import dev.millrace.model.Scope;
import dev.millrace.model.Temporality;
import dev.millrace.model.TypeHint;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.ArrayValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.common.v1.KeyValueList;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Metrics of every kind with values of every sort, edges included. */
final class GeneratedOtlp {
  private static final String[] TEXTS = {
    "", "a", "service.name", "größe", "日本 😀", "x\uD800", "line\n\"\\\u0000", "long ".repeat(60)
  };
  private static final double[] REALS = {
    0,
    -0.0,
    1,
    0.1 + 0.2,
    1e21,
    1e-7,
    Double.MIN_VALUE,
    Double.MAX_VALUE,
    Double.NaN,
    Double.POSITIVE_INFINITY,
    Double.NEGATIVE_INFINITY,
    -1.5
  };
  private static final long[] WHOLES = {
    0, 1, -1, 127, 128, 300, (1L << 53) + 1, Long.MAX_VALUE, Long.MIN_VALUE
  };
  private static final int[] SCALES = {0, 20, -10, 3, -1, Integer.MAX_VALUE, Integer.MIN_VALUE};

  private final SplittableRandom random;

  private GeneratedOtlp(long seed) {
    random = new SplittableRandom(seed);
  }

  /** The metrics of one seed. */
  static FakeMetrics of(long seed) {
    return new GeneratedOtlp(seed).source();
  }

  private FakeMetrics source() {
    List<Resource> resources = new ArrayList<>();
    for (int i = random.nextInt(1, 4); i > 0; i--) {
      resources.add(new Resource(labels(6), text()));
    }
    List<Scope> scopes = new ArrayList<>();
    scopes.add(Scope.EMPTY);
    for (int i = random.nextInt(1, 4); i > 0; i--) {
      scopes.add(new Scope(text(), text(), text(), labels(3)));
    }
    List<FakeMetric> metrics = new ArrayList<>();
    for (int i = random.nextInt(14); i > 0; i--) {
      metrics.add(
          metric()
              .of(resources.get(random.nextInt(resources.size())))
              .of(scopes.get(random.nextInt(scopes.size()))));
    }
    return new FakeMetrics(metrics);
  }

  private FakeMetric metric() {
    MetricKind kind = pick(MetricKind.values());
    MetricDescriptor descriptor =
        new MetricDescriptor(
            text(),
            text(),
            text(),
            kind,
            random.nextBoolean(),
            pick(Temporality.values()),
            pick(TypeHint.values()));
    FakePoint[] points = new FakePoint[random.nextInt(7)];
    double[] bounds = bounds();
    for (int i = 0; i < points.length; i++) {
      FakePoint point =
          FakePoint.of(labels(6), value(kind, bounds))
              .startedAt(time())
              .recordedAt(time())
              .withExemplars(exemplars());
      points[i] = random.nextInt(8) == 0 ? point.withoutRecordedValue() : point;
    }
    return FakeMetric.of(descriptor, points);
  }

  private FakePoint.Value value(MetricKind kind, double[] bounds) {
    return switch (kind) {
      case GAUGE, SUM -> number();
      case HISTOGRAM -> histogram(bounds);
      case EXPONENTIAL_HISTOGRAM ->
          new FakePoint.Exponential(
              whole(),
              random.nextBoolean(),
              real(),
              SCALES[random.nextInt(SCALES.length)],
              random.nextBoolean() ? 0 : whole(),
              random.nextBoolean() ? 0 : real(),
              random.nextInt(9) - 4,
              wholes(random.nextInt(30)),
              random.nextInt(9) - 4,
              wholes(random.nextInt(3)));
      case SUMMARY -> {
        double[] quantiles = new double[random.nextInt(4)];
        double[] values = new double[quantiles.length];
        for (int i = 0; i < quantiles.length; i++) {
          quantiles[i] = real();
          values[i] = real();
        }
        yield new FakePoint.Summary(whole(), real(), quantiles, values);
      }
    };
  }

  private FakePoint.Value number() {
    return random.nextBoolean() ? new FakePoint.Whole(whole()) : new FakePoint.Real(real());
  }

  private FakePoint.Value histogram(double[] shared) {
    double[] bounds = random.nextInt(4) == 0 ? bounds() : shared;
    int buckets = random.nextInt(5) == 0 ? 0 : bounds.length + 1;
    if (random.nextInt(8) == 0) {
      buckets = bounds.length + 2;
    }
    double min = random.nextBoolean() ? Double.NaN : REALS[random.nextInt(3)];
    return new FakePoint.Histogram(
        whole(), random.nextBoolean(), real(), min, bounds, wholes(buckets));
  }

  /** Mostly rising. */
  private double[] bounds() {
    double[] bounds = new double[random.nextInt(4) * random.nextInt(6)];
    double at = random.nextInt(3) == 0 ? Double.NEGATIVE_INFINITY : -3;
    for (int i = 0; i < bounds.length; i++) {
      bounds[i] = at;
      at = Double.isInfinite(at) ? -8 : at + random.nextDouble() * 3 + 0.1;
    }
    if (bounds.length > 0 && random.nextInt(6) == 0) {
      bounds[random.nextInt(bounds.length)] = random.nextBoolean() ? Double.NaN : -1e9;
    }
    return bounds;
  }

  private FakePoint.Exemplar[] exemplars() {
    FakePoint.Exemplar[] exemplars =
        new FakePoint.Exemplar[random.nextInt(3) > 0 ? 0 : random.nextInt(5)];
    for (int i = 0; i < exemplars.length; i++) {
      exemplars[i] =
          new FakePoint.Exemplar(
              number(),
              time(),
              random.nextBoolean() ? 0 : random.nextLong(),
              random.nextBoolean() ? 0 : random.nextLong(),
              random.nextBoolean() ? 0 : random.nextLong(),
              labels(3));
    }
    return exemplars;
  }

  private Labels labels(int most) {
    Labels.Builder labels = new Labels.Builder();
    for (int i = random.nextInt(most); i > 0; i--) {
      String key = random.nextInt(12) == 0 ? "" : text() + random.nextInt(20);
      switch (random.nextInt(8)) {
        case 0 -> labels.put(key, whole());
        case 1 -> labels.put(key, random.nextBoolean());
        case 2 -> labels.put(key, real());
        case 3 -> labels.put(key, LabelType.BYTES, text().getBytes(StandardCharsets.UTF_16));
        case 4 -> labels.put(key, LabelType.EMPTY, new byte[0]);
        case 5 -> labels.put(key, LabelType.ARRAY, array(3).toByteArray());
        case 6 -> labels.put(key, LabelType.MAP, map(3).toByteArray());
        default -> labels.put(key, text());
      }
    }
    return labels.build();
  }

  private ArrayValue array(int depth) {
    ArrayValue.Builder array = ArrayValue.newBuilder();
    for (int i = random.nextInt(3); i > 0; i--) {
      array.addValues(any(depth - 1));
    }
    return array.build();
  }

  private KeyValueList map(int depth) {
    KeyValueList.Builder map = KeyValueList.newBuilder();
    for (int i = random.nextInt(3); i > 0; i--) {
      map.addValues(KeyValue.newBuilder().setKey("k" + i).setValue(any(depth - 1)));
    }
    return map.build();
  }

  private AnyValue any(int depth) {
    AnyValue.Builder any = AnyValue.newBuilder();
    return switch (random.nextInt(depth > 0 ? 6 : 4)) {
      case 0 -> any.setStringValue("text").build();
      case 1 -> any.setIntValue(whole()).build();
      case 2 -> any.setDoubleValue(0.5).build();
      case 3 -> any.build();
      case 4 -> any.setArrayValue(array(depth)).build();
      default -> any.setKvlistValue(map(depth)).build();
    };
  }

  private long[] wholes(int length) {
    long[] wholes = new long[length];
    for (int i = 0; i < length; i++) {
      wholes[i] = whole();
    }
    return wholes;
  }

  private long time() {
    return random.nextInt(4) == 0 ? 0 : 1_700_000_000_000_000_000L + random.nextInt(1_000_000);
  }

  private long whole() {
    return WHOLES[random.nextInt(WHOLES.length)];
  }

  private double real() {
    return REALS[random.nextInt(REALS.length)];
  }

  private String text() {
    return TEXTS[random.nextInt(random.nextInt(4) == 0 ? TEXTS.length : 4)];
  }

  private <T> T pick(T[] options) {
    return options[random.nextInt(options.length)];
  }
}

package dev.millrace.format.prometheus;

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
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/** Metrics made to collide: few names, few keys, many spellings, and values of every sort. */
public final class GeneratedMetrics {
  /** Bounds and quantiles are taken from here, so that a table can say how each is written. */
  static final double[] BOUNDS = {
    Double.NEGATIVE_INFINITY, -2.5, -1, 0, 1e-5, 0.0001, 0.005, 0.5, 1, 10, 100000, 1e6, 1e21
  };

  static final String[] BOUND_TEXTS = {
    "-Inf",
    "-2.5",
    "-1.0",
    "0.0",
    "1e-05",
    "0.0001",
    "0.005",
    "0.5",
    "1.0",
    "10.0",
    "100000.0",
    "1e+06",
    "1e+21"
  };

  private static final String[] NAMES = {
    "",
    "x",
    "x_total",
    "x.total",
    "x_seconds",
    "x_created",
    "x_info",
    "h",
    "h_count",
    "h.bucket",
    "h_sum",
    "s",
    "s_sum",
    "target_info",
    "target",
    "a.b",
    "a_b",
    "a--b",
    "2x",
    "請求",
    "_",
    "total",
    "_total",
    "my.load",
    "my.load.seconds",
    "größe \"\\\n{},=",
    "x\uD800",
    "x\uD801",
    "__name__",
    "a:b"
  };
  private static final String[] UNITS = {
    "", "s", "By", "1", "{request}", "By/s", "odd unit%", "µs/d"
  };
  private static final String[] DESCRIPTIONS = {"", "One.", "Two \"\\\n.", "x\uD800"};
  private static final String[] KEYS = {
    "a.b",
    "a_b",
    "a-b",
    "",
    "__x",
    "_x",
    "2xx",
    "le",
    "quantile",
    "job",
    "instance",
    "x",
    "k",
    "otel.scope.name",
    "otel_scope_name",
    "otel_scope_version",
    "otel.scope.a.b",
    "é",
    "a:b",
    "my.load",
    "--name--",
    "\uD83D\uDE00 \"\\\n{},x=",
    "\uFFFD"
  };
  private static final String[] TEXTS = {"", "1", "true", "a\\b\"c\nd", "\uD800", "é;,}=\"", "0.5"};
  private static final double[] REALS = {
    0,
    -0.0,
    1,
    0.5,
    -1.5,
    0.1 + 0.2,
    1e21,
    1e-7,
    123456789.125,
    Double.MIN_VALUE,
    Double.NaN,
    Double.POSITIVE_INFINITY,
    Double.NEGATIVE_INFINITY
  };
  private static final long[] WHOLES = {0, 1, 1, -1, 7, (1L << 53) + 1, Long.MAX_VALUE};

  private final SplittableRandom random;

  private final GeneratedExemplars exemplars;

  private GeneratedMetrics(long seed) {
    random = new SplittableRandom(seed);
    exemplars = new GeneratedExemplars(new SplittableRandom(~seed));
  }

  /** The metrics of one seed. */
  public static FakeMetrics of(long seed) {
    return new GeneratedMetrics(seed).source();
  }

  private FakeMetrics source() {
    List<Resource> resources = new ArrayList<>();
    for (int i = random.nextInt(1, 4); i > 0; i--) {
      resources.add(resource());
    }
    List<Scope> scopes = new ArrayList<>();
    for (int i = random.nextInt(1, 3); i > 0; i--) {
      scopes.add(scope());
    }
    List<FakeMetric> metrics = new ArrayList<>();
    for (int i = random.nextInt(12); i > 0; i--) {
      metrics.add(
          metric()
              .of(resources.get(random.nextInt(resources.size())))
              .of(scopes.get(random.nextInt(scopes.size()))));
    }
    return new FakeMetrics(metrics);
  }

  private Resource resource() {
    Labels.Builder attributes = new Labels.Builder();
    if (random.nextInt(4) > 0) {
      attributes.put("service.name", pick("shop", "cart"));
    }
    if (random.nextInt(3) == 0) {
      attributes.put("service.namespace", pick("", "web"));
    }
    if (random.nextBoolean()) {
      attributes.put("service.instance.id", pick("1", "2"));
    }
    for (int i = random.nextInt(3); i > 0; i--) {
      put(attributes);
    }
    return new Resource(attributes.build(), "");
  }

  private Scope scope() {
    Labels.Builder attributes = new Labels.Builder();
    for (int i = random.nextInt(3); i > 0; i--) {
      attributes.put(pick("a.b", "a_b", "name", "team", "empty"), pick(TEXTS));
    }
    return new Scope(
        pick("", "lib", "other"), pick("", "1.0"), pick("", "https://schema"), attributes.build());
  }

  private FakeMetric metric() {
    List<MetricKind> kinds = List.of(MetricKind.values());
    MetricKind kind = kinds.get(random.nextInt(kinds.size()));
    List<TypeHint> hints = List.of(TypeHint.values());
    Temporality temporality = random.nextInt(10) == 0 ? Temporality.DELTA : Temporality.CUMULATIVE;
    TypeHint hint = random.nextInt(3) > 0 ? TypeHint.NONE : hints.get(random.nextInt(hints.size()));
    MetricDescriptor descriptor =
        new MetricDescriptor(
            pick(NAMES),
            pick(DESCRIPTIONS),
            pick(UNITS),
            kind,
            kind == MetricKind.SUM && random.nextBoolean(),
            temporality,
            hint);
    Set<Labels> labels = new HashSet<>();
    for (int i = random.nextInt(6); i > 0; i--) {
      labels.add(labels());
    }
    List<FakePoint> points = new ArrayList<>();
    for (Labels each : labels) {
      FakePoint point = FakePoint.of(each, value(kind)).withExemplars(exemplars.next());
      if (random.nextBoolean()) {
        point = point.startedAt(1_700_000_000_000_000_000L + random.nextInt(1_000_000_000));
      }
      points.add(random.nextInt(10) == 0 ? point.withoutRecordedValue() : point);
    }
    return FakeMetric.of(descriptor, points.toArray(new FakePoint[0]));
  }

  private Labels labels() {
    Labels.Builder labels = new Labels.Builder();
    for (int i = random.nextInt(4); i > 0; i--) {
      put(labels);
    }
    return labels.build();
  }

  private void put(Labels.Builder labels) {
    String key = pick(KEYS);
    switch (random.nextInt(8)) {
      case 0 -> labels.put(key, (long) random.nextInt(2));
      case 1 -> labels.put(key, true);
      case 2 -> labels.put(key, 0.5);
      case 3 -> labels.put(key, LabelType.BYTES, new byte[] {1, 2});
      case 4 -> labels.put(key, LabelType.EMPTY, new byte[0]);
      default -> labels.put(key, pick(TEXTS));
    }
  }

  private FakePoint.Value value(MetricKind kind) {
    return switch (kind) {
      case GAUGE, SUM ->
          random.nextBoolean()
              ? new FakePoint.Whole(WHOLES[random.nextInt(WHOLES.length)])
              : new FakePoint.Real(real());
      case HISTOGRAM -> histogram();
      case EXPONENTIAL_HISTOGRAM -> exponential();
      case SUMMARY -> summary();
    };
  }

  private FakePoint.Value histogram() {
    double[] bounds = new double[random.nextInt(5)];
    int at = random.nextInt(4);
    for (int i = 0; i < bounds.length; i++) {
      bounds[i] = BOUNDS[at];
      at += random.nextInt(1, 3);
    }
    boolean wrong = random.nextInt(6) == 0;
    if (wrong && bounds.length > 1) {
      bounds[1] = random.nextBoolean() ? bounds[0] : Double.NaN;
    }
    long[] buckets = new long[bounds.length + 1 + (random.nextInt(10) == 0 ? 1 : 0)];
    long count = 0;
    for (int i = 0; i < buckets.length; i++) {
      buckets[i] = random.nextInt(4);
      count += buckets[i];
    }
    count = Math.max(0, count + (random.nextInt(8) == 0 ? random.nextInt(3) - 1 : 0));
    double min = random.nextBoolean() ? Double.NaN : random.nextInt(3) - 1;
    return new FakePoint.Histogram(count, random.nextInt(4) > 0, real(), min, bounds, buckets);
  }

  private FakePoint.Value exponential() {
    long[] buckets = new long[random.nextInt(6)];
    long[] negative = new long[random.nextInt(2) * random.nextInt(6)];
    long zero = random.nextInt(3);
    long count = zero;
    for (long[] side : new long[][] {buckets, negative}) {
      for (int i = 0; i < side.length; i++) {
        side[i] = random.nextBoolean() ? 0 : random.nextInt(4);
        count += side[i];
      }
    }
    if (random.nextInt(8) == 0) {
      count += random.nextInt(3) - 1;
    }
    int[] scales = {0, 3, 8, 9, 20, -4, -10};
    return new FakePoint.Exponential(
        Math.max(0, count),
        random.nextInt(4) > 0,
        real(),
        scales[random.nextInt(scales.length)],
        zero,
        random.nextBoolean() ? 0 : 0.001,
        random.nextInt(7) - 3,
        buckets,
        random.nextInt(7) - 3,
        negative);
  }

  private FakePoint.Value summary() {
    double[] quantiles = new double[random.nextInt(4)];
    double[] values = new double[quantiles.length];
    for (int i = 0; i < quantiles.length; i++) {
      quantiles[i] = BOUNDS[random.nextInt(2, BOUNDS.length)];
      values[i] = real();
    }
    return new FakePoint.Summary(random.nextInt(9), real(), quantiles, values);
  }

  private double real() {
    return REALS[random.nextInt(REALS.length)];
  }

  private String pick(String... options) {
    return options[random.nextInt(options.length)];
  }
}

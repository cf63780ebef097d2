package dev.millrace.agent.otlp;

import dev.millrace.model.Labels;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.common.v1.InstrumentationScope;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.HistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import io.opentelemetry.proto.metrics.v1.ScopeMetrics;
import io.opentelemetry.proto.metrics.v1.SummaryDataPoint;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the series table is to hold, computed slowly and plainly from parsed messages: maps of
 * strings, boxed numbers, no memory reused.
 */
final class ReferenceTable {
  private static final int MOST_BUCKETS = 320;

  /** A series' latest values; only those of its kind are set. */
  private static final class Held {
    long start;
    long time;
    boolean ended;
    boolean accumulated;
    @Nullable Object number;
    long count;
    @Nullable Double sum;
    @Nullable Double min;
    @Nullable Double max;
    List<Double> bounds = List.of();
    List<Long> buckets = List.of();
    int scale;
    long zeroCount;
    double zeroThreshold;
    SortedMap<Long, Long> positive = new TreeMap<>();
    SortedMap<Long, Long> negative = new TreeMap<>();
    List<String> quantiles = List.of();
    final ReferenceExemplars exemplars = new ReferenceExemplars();
  }

  private final Map<List<String>, String> resources = new HashMap<>();
  private final Map<List<String>, String> metadata = new HashMap<>();
  private final Map<List<String>, Held> series = new HashMap<>();

  /** How many points were to be refused. */
  long rejected;

  void take(ExportMetricsServiceRequest request) {
    for (ResourceMetrics resource : request.getResourceMetricsList()) {
      Labels attributes = ReferenceLabels.of(resource.getResource().getAttributesList());
      String namespace = text(attributes, "service.namespace");
      String name = text(attributes, "service.name");
      List<String> target =
          List.of(
              namespace.isEmpty() ? name : namespace + "/" + name,
              text(attributes, "service.instance.id"));
      String resourceText = attributes + resource.getSchemaUrl();
      for (ScopeMetrics scope : resource.getScopeMetricsList()) {
        for (Metric metric : scope.getMetricsList()) {
          takeMetric(target, resourceText, scopeText(scope), metric);
        }
      }
    }
  }

  /** The lines that {@link TableText} is to give. */
  Map<String, String> lines() {
    Map<String, String> lines = new TreeMap<>();
    for (Map.Entry<List<String>, Held> entry : series.entrySet()) {
      List<String> key = entry.getKey();
      List<String> target = key.subList(0, 2);
      List<String> metric = key.subList(0, key.size() - 1);
      lines.put(
          String.join(" | ", resources.get(target), key.get(2), metadata.get(metric), key.get(6)),
          text(key.get(5), entry.getValue()));
    }
    return lines;
  }

  private void takeMetric(List<String> target, String resource, String scope, Metric metric) {
    String kind = metric.getDataCase().name();
    boolean monotonic = metric.getSum().getIsMonotonic();
    boolean hinted = kind.equals("GAUGE") || (kind.equals("SUM") && !monotonic);
    String hint = hinted ? hint(metric) : "NONE";
    boolean hasTemporality = !kind.equals("GAUGE") && !kind.equals("SUMMARY");
    String description =
        metric.getName()
            + " "
            + metric.getUnit()
            + " "
            + kind
            + (monotonic ? "!" : "")
            + " "
            + (hasTemporality ? "CUMULATIVE" : "UNSPECIFIED")
            + " "
            + hint
            + " "
            + metric.getDescription();
    List<String> metricKey =
        List.of(
            target.get(0),
            target.get(1),
            scope,
            metric.getName(),
            metric.getUnit(),
            kind + (monotonic ? "!" : ""));
    AggregationTemporality temporality =
        switch (metric.getDataCase()) {
          case SUM -> metric.getSum().getAggregationTemporality();
          case HISTOGRAM -> metric.getHistogram().getAggregationTemporality();
          case EXPONENTIAL_HISTOGRAM ->
              metric.getExponentialHistogram().getAggregationTemporality();
          default -> AggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE;
        };
    boolean refuseAll =
        metric.getName().isEmpty()
            || (temporality != AggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE
                && temporality != AggregationTemporality.AGGREGATION_TEMPORALITY_DELTA);
    boolean delta = temporality == AggregationTemporality.AGGREGATION_TEMPORALITY_DELTA;
    for (Incoming point : points(metric)) {
      if (refuseAll || !point.valid(delta, monotonic)) {
        rejected++;
        continue;
      }
      List<String> seriesKey = new ArrayList<>(metricKey);
      seriesKey.add(point.labels.toString());
      resources.computeIfPresent(target, (key, old) -> resource);
      Held held = series.get(seriesKey);
      if (held == null) {
        if (point.held.ended) {
          continue;
        }
        resources.put(target, resource);
        metadata.putIfAbsent(metricKey, description);
        point.held.accumulated = delta;
        series.put(seriesKey, point.held);
      } else if (!update(held, point.held, delta)) {
        rejected++;
      }
    }
  }

  /** Gives false for a point that was refused. */
  private static boolean update(Held held, Held point, boolean delta) {
    boolean older = point.time < held.time;
    if (point.ended) {
      if (!older) {
        held.ended = true;
        held.time = point.time;
        held.exemplars.clear();
      }
      return true;
    }
    boolean adds = delta && held.accumulated && !held.ended;
    if (delta
        && (point.time <= held.time || (adds && point.start != 0 && point.start < held.time))) {
      return false;
    }
    if (!delta && older) {
      return true;
    }
    if (adds && held.bounds.equals(point.bounds) && held.buckets.size() == point.buckets.size()) {
      add(held, point);
      held.exemplars.take(point.exemplars, held.time);
      held.time = point.time;
    } else {
      if (held.start != point.start || !held.bounds.equals(point.bounds)) {
        held.exemplars.clear();
      }
      held.exemplars.take(point.exemplars, held.time);
      replace(held, point);
      held.accumulated = delta;
    }
    return true;
  }

  private static void replace(Held held, Held point) {
    held.start = point.start;
    held.time = point.time;
    held.ended = false;
    held.number = point.number;
    held.count = point.count;
    held.sum = point.sum;
    held.min = point.min;
    held.max = point.max;
    held.bounds = point.bounds;
    held.buckets = point.buckets;
    held.scale = point.scale;
    held.zeroCount = point.zeroCount;
    held.zeroThreshold = point.zeroThreshold;
    held.positive = point.positive;
    held.negative = point.negative;
    held.quantiles = point.quantiles;
  }

  private static void add(Held held, Held point) {
    if (held.number instanceof Long a && point.number instanceof Long b) {
      held.number = a + b;
    } else if (held.number instanceof Number a && point.number instanceof Number b) {
      held.number = a.doubleValue() + b.doubleValue();
    }
    if (point.count != 0 && held.count == 0) {
      held.sum = point.sum;
      held.min = point.min;
      held.max = point.max;
    } else if (point.count != 0) {
      held.sum = held.sum == null || point.sum == null ? null : (Double) (held.sum + point.sum);
      held.min =
          held.min == null || point.min == null ? null : (Double) Math.min(held.min, point.min);
      held.max =
          held.max == null || point.max == null ? null : (Double) Math.max(held.max, point.max);
    }
    held.count += point.count;
    List<Long> buckets = new ArrayList<>();
    for (int i = 0; i < held.buckets.size(); i++) {
      buckets.add(held.buckets.get(i) + point.buckets.get(i));
    }
    held.buckets = buckets;
    held.zeroCount += point.zeroCount;
    if (point.positive.isEmpty() && point.negative.isEmpty()) {
      return;
    }
    boolean empty = held.positive.isEmpty() && held.negative.isEmpty();
    int scale = empty ? point.scale : Math.min(held.scale, point.scale);
    while (true) {
      SortedMap<Long, Long> positive = new TreeMap<>();
      SortedMap<Long, Long> negative = new TreeMap<>();
      merge(positive, held.positive, held.scale - scale);
      merge(positive, point.positive, point.scale - scale);
      merge(negative, held.negative, held.scale - scale);
      merge(negative, point.negative, point.scale - scale);
      if (width(positive) <= MOST_BUCKETS && width(negative) <= MOST_BUCKETS) {
        held.positive = positive;
        held.negative = negative;
        held.scale = scale;
        return;
      }
      scale--;
    }
  }

  private static void merge(SortedMap<Long, Long> into, SortedMap<Long, Long> from, int by) {
    from.forEach((index, count) -> into.merge(Math.floorDiv(index, 1L << by), count, Long::sum));
  }

  private static long width(SortedMap<Long, Long> buckets) {
    return buckets.isEmpty() ? 0 : buckets.lastKey() - buckets.firstKey() + 1;
  }

  private static String text(String kind, Held held) {
    StringBuilder text = new StringBuilder();
    text.append(held.start).append("..").append(held.time);
    if (held.ended) {
      return text.append(" ended").toString();
    }
    switch (kind) {
      case "GAUGE", "SUM", "SUM!" ->
          text.append(' ').append(held.number).append(held.number instanceof Long ? "L" : "");
      case "HISTOGRAM" -> {
        totals(held, text);
        text.append(" bounds");
        held.bounds.forEach(b -> text.append(' ').append(b));
        text.append(" buckets");
        held.buckets.forEach(b -> text.append(' ').append(b));
      }
      case "EXPONENTIAL_HISTOGRAM" -> {
        totals(held, text);
        text.append(" scale ").append(held.scale);
        text.append(" zero ").append(held.zeroCount).append(" to ").append(held.zeroThreshold);
        text.append(" positive");
        held.positive.forEach((i, c) -> text.append(' ').append(i).append(':').append(c));
        text.append(" negative");
        held.negative.forEach((i, c) -> text.append(' ').append(i).append(':').append(c));
      }
      default -> {
        text.append(" count ").append(held.count).append(" sum ").append(held.sum);
        held.quantiles.forEach(q -> text.append(' ').append(q));
      }
    }
    return text.append(held.exemplars.text()).toString();
  }

  private static void totals(Held held, StringBuilder text) {
    boolean hasBoth = held.min != null && held.max != null;
    text.append(" count ").append(held.count);
    text.append(" sum ").append(held.sum == null ? "unknown" : held.sum);
    text.append(" min ").append(hasBoth ? held.min : "unknown");
    text.append(" max ").append(hasBoth ? held.max : "unknown");
  }

  /** A point, and what is needed to tell whether it is valid. */
  private static final class Incoming {
    final Labels labels;
    final Held held = new Held();
    boolean fits = true;
    boolean negative;

    Incoming(List<KeyValue> attributes, long start, long time, int flags) {
      labels = ReferenceLabels.of(attributes);
      held.start = start;
      held.time = time;
      held.ended = (flags & 1) != 0;
    }

    boolean valid(boolean delta, boolean monotonic) {
      return held.time != 0
          && (held.ended
              || (fits && !(delta && held.start > held.time) && !(delta && monotonic && negative)));
    }
  }

  private static List<Incoming> points(Metric metric) {
    List<Incoming> points = new ArrayList<>();
    metric.getGauge().getDataPointsList().forEach(p -> points.add(number(p)));
    metric.getSum().getDataPointsList().forEach(p -> points.add(number(p)));
    metric.getHistogram().getDataPointsList().forEach(p -> points.add(histogram(p)));
    metric.getExponentialHistogram().getDataPointsList().forEach(p -> points.add(exponential(p)));
    metric.getSummary().getDataPointsList().forEach(p -> points.add(summary(p)));
    return points;
  }

  private static Incoming number(NumberDataPoint p) {
    Incoming point =
        new Incoming(
            p.getAttributesList(), p.getStartTimeUnixNano(), p.getTimeUnixNano(), p.getFlags());
    switch (p.getValueCase()) {
      case AS_INT -> {
        point.held.number = p.getAsInt();
        point.negative = p.getAsInt() < 0;
      }
      case AS_DOUBLE -> {
        point.held.number = p.getAsDouble();
        point.negative = p.getAsDouble() < 0;
      }
      default -> point.fits = false;
    }
    point.held.exemplars.fill(p.getExemplarsList(), value -> 0);
    return point;
  }

  private static Incoming histogram(HistogramDataPoint p) {
    Incoming point =
        new Incoming(
            p.getAttributesList(), p.getStartTimeUnixNano(), p.getTimeUnixNano(), p.getFlags());
    Held held = point.held;
    held.count = p.getCount();
    held.sum = p.hasSum() ? (Double) p.getSum() : null;
    held.min = p.hasMin() && p.hasMax() ? (Double) p.getMin() : null;
    held.max = p.hasMin() && p.hasMax() ? (Double) p.getMax() : null;
    held.bounds = new ArrayList<>(p.getExplicitBoundsList());
    held.buckets = new ArrayList<>(p.getBucketCountsList());
    point.fits =
        held.buckets.isEmpty()
            ? held.bounds.isEmpty()
            : held.buckets.size() == held.bounds.size() + 1;
    for (int i = 0; i < held.bounds.size(); i++) {
      point.fits &=
          !held.bounds.get(i).isNaN() && (i == 0 || held.bounds.get(i - 1) < held.bounds.get(i));
    }
    int last = held.bounds.size() - 1;
    if (point.fits && last >= 0 && held.bounds.get(last) == Double.POSITIVE_INFINITY) {
      held.bounds.remove(last);
      held.buckets.set(last, held.buckets.get(last) + held.buckets.remove(last + 1));
    }
    held.exemplars.fill(
        p.getExemplarsList(),
        value ->
            value.isNaN() ? -1 : (int) held.bounds.stream().filter(bound -> bound < value).count());
    return point;
  }

  private static Incoming exponential(ExponentialHistogramDataPoint p) {
    Incoming point =
        new Incoming(
            p.getAttributesList(), p.getStartTimeUnixNano(), p.getTimeUnixNano(), p.getFlags());
    Held held = point.held;
    held.count = p.getCount();
    held.sum = p.hasSum() ? (Double) p.getSum() : null;
    held.min = p.hasMin() && p.hasMax() ? (Double) p.getMin() : null;
    held.max = p.hasMin() && p.hasMax() ? (Double) p.getMax() : null;
    held.scale = p.getScale();
    held.zeroCount = p.getZeroCount();
    held.zeroThreshold = p.getZeroThreshold();
    held.exemplars.fill(
        p.getExemplarsList(),
        value -> value.isNaN() ? -1 : Math.floorMod(Math.getExponent(value), 8));
    fill(held.positive, p.getPositive());
    fill(held.negative, p.getNegative());
    for (long index : held.positive.keySet()) {
      point.fits &= inRange(index, held.scale);
    }
    for (long index : held.negative.keySet()) {
      point.fits &= inRange(index, held.scale);
    }
    return point;
  }

  private static void fill(Map<Long, Long> into, ExponentialHistogramDataPoint.Buckets from) {
    for (int i = 0; i < from.getBucketCountsCount(); i++) {
      if (from.getBucketCounts(i) != 0) {
        into.put((long) from.getOffset() + i, from.getBucketCounts(i));
      }
    }
  }

  private static boolean inRange(long index, int scale) {
    double width = Math.pow(2, -scale);
    return index * width < 1024 && (index + 1) * width >= -1075;
  }

  private static Incoming summary(SummaryDataPoint p) {
    Incoming point =
        new Incoming(
            p.getAttributesList(), p.getStartTimeUnixNano(), p.getTimeUnixNano(), p.getFlags());
    point.held.count = p.getCount();
    point.held.sum = p.getSum();
    List<String> quantiles = new ArrayList<>();
    double last = -1;
    for (SummaryDataPoint.ValueAtQuantile q : p.getQuantileValuesList()) {
      point.fits &= q.getQuantile() >= 0 && q.getQuantile() <= 1 && q.getQuantile() > last;
      last = q.getQuantile();
      quantiles.add(q.getQuantile() + "=" + q.getValue());
    }
    point.held.quantiles = quantiles;
    return point;
  }

  private static String hint(Metric metric) {
    String hint = "NONE";
    for (KeyValue pair : metric.getMetadataList()) {
      if (pair.getKey().equals("prometheus.type")) {
        String value = pair.getValue().getStringValue();
        hint =
            List.of("unknown", "info", "stateset").contains(value)
                ? value.toUpperCase(java.util.Locale.ROOT)
                : "NONE";
      }
    }
    return hint;
  }

  private static String scopeText(ScopeMetrics metrics) {
    InstrumentationScope scope = metrics.getScope();
    return scope.getName()
        + " "
        + scope.getVersion()
        + " "
        + metrics.getSchemaUrl()
        + ReferenceLabels.of(scope.getAttributesList());
  }

  private static String text(Labels labels, String key) {
    int index = labels.indexOf(key);
    return index < 0
        ? ""
        : switch (labels.type(index)) {
          case STRING -> labels.text(index);
          case LONG -> "" + labels.longValue(index);
          case BOOLEAN -> "" + labels.booleanValue(index);
          case DOUBLE -> "" + labels.doubleValue(index);
          case EMPTY -> "";
          default ->
              labels.type(index)
                  + Arrays.toString(
                      Arrays.copyOfRange(
                          labels.bytes(), labels.valueStart(index), labels.valueEnd(index)));
        };
  }
}

package dev.millrace.agent.otlp;

import dev.millrace.agent.series.SeriesTable;
import dev.millrace.model.MetricCursor;
import dev.millrace.model.MetricDescriptor;
import dev.millrace.model.Resource;
import dev.millrace.model.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What a cursor shows, as text: one line for each series, which a person and a map can compare. */
final class TableText {
  private TableText() {}

  /** The lines of all series of a table. */
  static Map<String, String> of(SeriesTable table) {
    Map<String, String> lines = new TreeMap<>();
    try (MetricCursor cursor = table.open()) {
      for (int i = 0; i < cursor.metricCount(); i++) {
        cursor.seekMetric(i);
        while (cursor.nextPoint()) {
          String key =
              key(
                  cursor.resource(),
                  cursor.scope(),
                  cursor.metric(),
                  cursor.series().labels().toString());
          String previous = lines.put(key, point(cursor));
          if (previous != null) {
            throw new AssertionError("a series stands twice: " + key);
          }
        }
      }
    }
    return lines;
  }

  /** The lines in which two tables differ, for a message that a person can read. */
  static List<String> difference(Map<String, String> actual, Map<String, String> expected) {
    List<String> lines = new ArrayList<>();
    Map<String, String> missing = new TreeMap<>(expected);
    actual.forEach(
        (key, value) -> {
          String other = missing.remove(key);
          if (!value.equals(other)) {
            lines.add(key + "\n  expected " + other + "\n  found    " + value);
          }
        });
    missing.forEach((key, value) -> lines.add(key + "\n  expected " + value + "\n  found    null"));
    return lines;
  }

  private static String key(
      Resource resource, Scope scope, MetricDescriptor metric, String labels) {
    return String.join(
        " | ",
        resource.attributes() + resource.schemaUrl(),
        scope.name() + " " + scope.version() + " " + scope.schemaUrl() + scope.attributes(),
        metric.name()
            + " "
            + metric.unit()
            + " "
            + metric.kind()
            + (metric.monotonic() ? "!" : "")
            + " "
            + metric.temporality()
            + " "
            + metric.typeHint()
            + " "
            + metric.description(),
        labels);
  }

  /** A point as text. */
  static String point(MetricCursor cursor) {
    StringBuilder text = new StringBuilder();
    text.append(cursor.startTimeUnixNanos()).append("..").append(cursor.timeUnixNanos());
    if (cursor.noRecordedValue()) {
      return text.append(" ended").toString();
    }
    switch (cursor.metric().kind()) {
      case GAUGE, SUM ->
          text.append(' ')
              .append(cursor.isLong() ? cursor.longValue() + "L" : cursor.doubleValue() + "");
      case HISTOGRAM -> {
        totals(cursor, text);
        text.append(" bounds");
        for (double bound : cursor.explicitBounds()) {
          text.append(' ').append(bound);
        }
        text.append(" buckets");
        for (int i = 0; i < cursor.bucketCount(); i++) {
          text.append(' ').append(cursor.bucket(i));
        }
      }
      case EXPONENTIAL_HISTOGRAM -> {
        totals(cursor, text);
        text.append(" scale ").append(cursor.scale());
        text.append(" zero ")
            .append(cursor.zeroCount())
            .append(" to ")
            .append(cursor.zeroThreshold());
        text.append(" positive");
        for (int i = 0; i < cursor.positiveBucketCount(); i++) {
          if (cursor.positiveBucket(i) != 0) {
            text.append(' ')
                .append(cursor.positiveOffset() + i)
                .append(':')
                .append(cursor.positiveBucket(i));
          }
        }
        text.append(" negative");
        for (int i = 0; i < cursor.negativeBucketCount(); i++) {
          if (cursor.negativeBucket(i) != 0) {
            text.append(' ')
                .append(cursor.negativeOffset() + i)
                .append(':')
                .append(cursor.negativeBucket(i));
          }
        }
      }
      case SUMMARY -> {
        text.append(" count ").append(cursor.count()).append(" sum ").append(cursor.sum());
        for (int i = 0; i < cursor.quantileCount(); i++) {
          text.append(' ').append(cursor.quantile(i)).append('=').append(cursor.quantileValue(i));
        }
      }
    }
    for (int i = 0; i < cursor.exemplarCount(); i++) {
      text.append(" # ").append(exemplar(cursor, i));
    }
    return text.toString();
  }

  private static String exemplar(MetricCursor cursor, int i) {
    return ReferenceExemplars.text(
        cursor.exemplarIsLong(i)
            ? cursor.exemplarLongValue(i) + "L"
            : cursor.exemplarDoubleValue(i) + "",
        cursor.exemplarTimeUnixNanos(i),
        String.format(
            "%016x%016x %016x",
            cursor.exemplarTraceIdHigh(i), cursor.exemplarTraceIdLow(i), cursor.exemplarSpanId(i)),
        cursor.exemplarLabels(i));
  }

  private static void totals(MetricCursor cursor, StringBuilder text) {
    text.append(" count ").append(cursor.count());
    text.append(" sum ").append(cursor.hasSum() ? cursor.sum() + "" : "unknown");
    text.append(" min ").append(cursor.hasMinMax() ? cursor.min() + "" : "unknown");
    text.append(" max ").append(cursor.hasMinMax() ? cursor.max() + "" : "unknown");
  }
}

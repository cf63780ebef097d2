package dev.millrace.store;

import dev.millrace.model.Labels;
import dev.millrace.model.MetricCursor;
import dev.millrace.model.MetricSource;
import java.util.Map;
import java.util.TreeMap;

/** Reads a source into text, one entry a value, in a slow and obvious way. */
public final class Samples {
  private Samples() {}

  /** All samples: the name with its labels, and the value. */
  public static Map<String, String> of(MetricSource source) {
    Map<String, String> samples = new TreeMap<>();
    try (MetricCursor cursor = source.open()) {
      for (int i = 0; i < cursor.metricCount(); i++) {
        cursor.seekMetric(i);
        while (cursor.nextPoint()) {
          String name = cursor.metric().name();
          String labels = text(cursor.series().labels());
          switch (cursor.metric().kind()) {
            case GAUGE, SUM ->
                put(
                    samples,
                    name + labels,
                    cursor.isLong()
                        ? Long.toString(cursor.longValue())
                        : Double.toString(cursor.doubleValue()));
            case HISTOGRAM -> {
              for (int b = 0; b < cursor.bucketCount(); b++) {
                put(samples, name + "_bucket" + b + labels, Long.toString(cursor.bucket(b)));
              }
              putSum(samples, name, labels, cursor);
            }
            case EXPONENTIAL_HISTOGRAM -> {
              put(samples, name + "_scale" + labels, Integer.toString(cursor.scale()));
              put(samples, name + "_zero" + labels, Long.toString(cursor.zeroCount()));
              for (int b = 0; b < cursor.positiveBucketCount(); b++) {
                if (cursor.positiveBucket(b) != 0) {
                  put(
                      samples,
                      name + "_positive" + (cursor.positiveOffset() + b) + labels,
                      Long.toString(cursor.positiveBucket(b)));
                }
              }
              for (int b = 0; b < cursor.negativeBucketCount(); b++) {
                if (cursor.negativeBucket(b) != 0) {
                  put(
                      samples,
                      name + "_negative" + (cursor.negativeOffset() + b) + labels,
                      Long.toString(cursor.negativeBucket(b)));
                }
              }
              putSum(samples, name, labels, cursor);
            }
            case SUMMARY -> putSum(samples, name, labels, cursor);
          }
        }
      }
    }
    return samples;
  }

  private static void putSum(
      Map<String, String> samples, String name, String labels, MetricCursor cursor) {
    put(samples, name + "_count" + labels, Long.toString(cursor.count()));
    put(samples, name + "_sum" + labels, Double.toString(cursor.sum()));
  }

  private static void put(Map<String, String> samples, String key, String value) {
    if (samples.put(key, value) != null) {
      throw new AssertionError("expected each series once, found twice: " + key);
    }
  }

  private static String text(Labels labels) {
    if (labels.size() == 0) {
      return "";
    }
    StringBuilder text = new StringBuilder("{");
    for (int i = 0; i < labels.size(); i++) {
      text.append(i == 0 ? "" : ",").append(labels.key(i)).append('=').append(labels.text(i));
    }
    return text.append('}').toString();
  }
}

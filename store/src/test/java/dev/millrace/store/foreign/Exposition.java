package dev.millrace.store.foreign;

import dev.millrace.model.Labels;
import dev.millrace.model.MetricCursor;
import dev.millrace.model.MetricKind;
import dev.millrace.model.MetricSource;
import java.util.Map;
import java.util.TreeMap;

/**
 * Samples as Prometheus has them, by name and labels: from a text, or from a source, in a slow and
 * obvious way.
 */
final class Exposition {
  private Exposition() {}

  /** The samples of a text in the Prometheus format. */
  static Map<String, Double> parse(String text) {
    Map<String, Double> samples = new TreeMap<>();
    for (String line : text.split("\n", -1)) {
      if (!line.isEmpty() && line.charAt(0) != '#') {
        parseLine(line, samples);
      }
    }
    return samples;
  }

  private static void parseLine(String line, Map<String, Double> samples) {
    int brace = line.indexOf('{');
    int at = brace < 0 ? line.indexOf(' ') : brace;
    String name = line.substring(0, at);
    Map<String, String> labels = new TreeMap<>();
    if (brace >= 0) {
      at++;
      while (line.charAt(at) != '}') {
        int equals = line.indexOf('=', at);
        String label = line.substring(at, equals);
        StringBuilder value = new StringBuilder();
        for (at = equals + 2; line.charAt(at) != '"'; at++) {
          if (line.charAt(at) == '\\') {
            at++;
            value.append(
                line.charAt(at) == 'n' ? '\n' : line.charAt(at) == 't' ? '\t' : line.charAt(at));
          } else {
            value.append(line.charAt(at));
          }
        }
        labels.put(label, value.toString());
        at += line.charAt(at + 1) == ',' ? 2 : 1;
      }
      at++;
    }
    put(samples, name, labels, number(line.substring(at).trim()));
  }

  static double number(String text) {
    return switch (text) {
      case "+Inf", "Infinity" -> Double.POSITIVE_INFINITY;
      case "-Inf", "-Infinity" -> Double.NEGATIVE_INFINITY;
      default -> Double.parseDouble(text);
    };
  }

  private static void put(
      Map<String, Double> samples, String name, Map<String, String> labels, double value) {
    if (name.endsWith("_bucket")) {
      labels.computeIfPresent("le", (key, le) -> String.valueOf(number(le)));
    }
    if (samples.put(name + labels, value) != null) {
      throw new AssertionError("expected each sample once, found twice: " + name + labels);
    }
  }

  /** The samples of a source, buckets cumulative. */
  static Map<String, Double> of(MetricSource source) {
    Map<String, Double> samples = new TreeMap<>();
    try (MetricCursor cursor = source.open()) {
      for (int i = 0; i < cursor.metricCount(); i++) {
        cursor.seekMetric(i);
        while (cursor.nextPoint()) {
          point(cursor, samples);
        }
      }
    }
    return samples;
  }

  private static void point(MetricCursor cursor, Map<String, Double> samples) {
    String name = cursor.metric().name();
    Map<String, String> labels = new TreeMap<>();
    Labels of = cursor.series().labels();
    for (int i = 0; i < of.size(); i++) {
      labels.put(of.key(i), of.text(i));
    }
    if (cursor.metric().kind() == MetricKind.GAUGE || cursor.metric().kind() == MetricKind.SUM) {
      put(samples, name, labels, cursor.doubleValue());
      return;
    }
    put(samples, name + "_count", labels, (double) cursor.count());
    if (cursor.hasSum()) {
      put(samples, name + "_sum", labels, cursor.sum());
    }
    if (cursor.metric().kind() == MetricKind.HISTOGRAM) {
      double total = 0;
      double[] bounds = cursor.explicitBounds();
      for (int b = 0; b < cursor.bucketCount(); b++) {
        total += cursor.bucket(b);
        Map<String, String> bucket = new TreeMap<>(labels);
        bucket.put("le", b == bounds.length ? "+Inf" : String.valueOf(bounds[b]));
        put(samples, name + "_bucket", bucket, total);
      }
    }
  }
}

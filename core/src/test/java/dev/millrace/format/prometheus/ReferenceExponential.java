package dev.millrace.format.prometheus;

import dev.millrace.format.prometheus.ReferenceExposition.Sample;
import dev.millrace.model.FakePoint;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** What exponential histograms become, found the slow and obvious way. */
final class ReferenceExponential {
  private ReferenceExponential() {}

  static boolean isAllowed(FakePoint.Exponential e, boolean natively) {
    long total =
        e.zeroCount() + Arrays.stream(e.buckets()).sum() + Arrays.stream(e.negativeBuckets()).sum();
    boolean nan = e.hasSum() && Double.isNaN(e.sum());
    return total <= e.count()
        && isInRange(e.scale(), e.offset(), e.buckets())
        && isInRange(e.scale(), e.negativeOffset(), e.negativeBuckets())
        && (!natively || (e.scale() >= -4 && (total == e.count() || nan)));
  }

  /** Whether each bucket that holds something has a double or infinity in it. */
  private static boolean isInRange(int scale, int offset, long[] counts) {
    for (int i = 0; i < counts.length; i++) {
      double lowerExponent = Math.scalb((double) (offset + i), -scale);
      double upperExponent = Math.scalb((double) (offset + i + 1), -scale);
      if (counts[i] > 0 && (lowerExponent > 1024 || upperExponent < -1074)) {
        return false;
      }
    }
    return true;
  }

  static List<Sample> countAndSum(
      String base,
      SortedMap<String, String> labels,
      FakePoint.Exponential e,
      List<FakePoint.Exemplar> exemplars,
      ReferenceExemplars references,
      boolean om) {
    List<Sample> samples = new ArrayList<>();
    samples.add(
        new Sample(
            base + "_bucket",
            ReferenceExposition.with(labels, "le", "+Inf"),
            e.count(),
            references.newest(exemplars, Double.NaN, Double.POSITIVE_INFINITY)));
    boolean negative =
        Arrays.stream(e.negativeBuckets()).anyMatch(count -> count > 0) || FakePoint.minOf(e) < 0;
    boolean sum = e.hasSum() && (!om || (!negative && e.sum() >= 0));
    if (sum) {
      samples.add(new Sample(base + "_sum", labels, e.sum()));
    }
    if (sum || !om) {
      samples.add(new Sample(base + "_count", labels, e.count()));
    }
    return samples;
  }

  /**
   * A native histogram as samples, each with what it says as a label: the numbers that all have,
   * then a bucket each, then an exemplar each.
   */
  static List<Sample> natives(
      String base,
      SortedMap<String, String> labels,
      FakePoint.Exponential e,
      List<FakePoint.Exemplar> exemplars,
      ReferenceExemplars references) {
    int schema = Math.min(e.scale(), 8);
    List<Sample> samples = new ArrayList<>();
    samples.add(sample(base, labels, "count", e.count()));
    if (e.hasSum()) {
      samples.add(sample(base, labels, "sum", e.sum()));
    }
    samples.add(sample(base, labels, "schema", (long) schema));
    double threshold = e.zeroThreshold() == 0 ? 1e-128 : e.zeroThreshold();
    samples.add(sample(base, labels, "threshold", threshold));
    samples.add(sample(base, labels, "zero", e.zeroCount()));
    int merged = 1 << (e.scale() - schema);
    buckets(e.negativeOffset(), e.negativeBuckets(), merged)
        .forEach((index, count) -> samples.add(sample(base, labels, "-" + index, count)));
    buckets(e.offset(), e.buckets(), merged)
        .forEach((index, count) -> samples.add(sample(base, labels, "+" + index, count)));
    exemplars.stream()
        .filter(each -> each.timeUnixNanos() > 0)
        .sorted(Comparator.comparing(FakePoint.Exemplar::timeUnixNanos))
        .map(each -> references.newest(List.of(each), Double.NaN, Double.POSITIVE_INFINITY))
        .forEach(
            each -> {
              if (each != null) {
                SortedMap<String, String> more =
                    ReferenceExposition.with(labels, "native", "exemplar");
                samples.add(new Sample(base, more, 0L, each));
              }
            });
    return samples;
  }

  private static Sample sample(
      String base, SortedMap<String, String> labels, String what, Number value) {
    return new Sample(base, ReferenceExposition.with(labels, "native", what), value);
  }

  /** What is in each bucket by Prometheus' index of it, without the empty ones. */
  private static Map<Integer, Long> buckets(int offset, long[] counts, int merged) {
    Map<Integer, Long> buckets = new TreeMap<>();
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] > 0) {
        buckets.merge(Math.floorDiv(offset + i, merged) + 1, counts[i], Long::sum);
      }
    }
    return buckets;
  }
}

package dev.millrace.agent.series;

import dev.millrace.model.Labels;
import java.util.Arrays;

/** A series of an explicit histogram. */
final class HistogramSeries extends DistributionSeries {
  private static final long[] NO_BUCKETS = new long[0];
  private static final double[] NO_BOUNDS = new double[0];

  /** Shared with other series of the metric; nobody changes it. */
  private double[] bounds = NO_BOUNDS;

  private long[] buckets = NO_BUCKETS;

  HistogramSeries(Labels labels, int hash) {
    super(labels, hash);
  }

  @Override
  void replace(MetricEntry metric, PointValues point) {
    if (!hasBoundsOf(point)) {
      dropExemplars();
      bounds = metric.sharedBounds(point.bounds, point.boundCount);
    }
    if (buckets.length != point.bucketCount) {
      buckets = new long[point.bucketCount];
    }
    System.arraycopy(point.buckets, 0, buckets, 0, point.bucketCount);
    replaceTotals(point);
  }

  @Override
  boolean accumulate(PointValues point) {
    if (buckets.length != point.bucketCount || !hasBoundsOf(point)) {
      return false;
    }
    for (int i = 0; i < point.bucketCount; i++) {
      buckets[i] += point.buckets[i];
    }
    accumulateTotals(point);
    return true;
  }

  private boolean hasBoundsOf(PointValues point) {
    return Arrays.equals(bounds, 0, bounds.length, point.bounds, 0, point.boundCount);
  }

  @Override
  void readValues(PointValues into) {
    readTotals(into);
    into.bucketCount = buckets.length;
    if (into.buckets.length < buckets.length) {
      into.buckets = new long[buckets.length];
    }
    System.arraycopy(buckets, 0, into.buckets, 0, buckets.length);
    into.sharedBounds = bounds;
  }
}

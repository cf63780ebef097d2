package dev.millrace.agent.series;

import dev.millrace.model.Labels;

/** A series of an exponential histogram. */
final class ExponentialSeries extends DistributionSeries {
  /**
   * How many buckets an accumulation has on each side of zero at most: 320, twice what the
   * OpenTelemetry SDKs send. So what they would have kept themselves at their scale still fits if
   * the values of a later interval lie elsewhere; beyond that the scale is lowered, which halves
   * the buckets.
   */
  static final int MAX_ACCUMULATED_BUCKETS = 320;

  private int scale;
  private long zeroCount;
  private double zeroThreshold;
  private final BucketRange positive = new BucketRange();
  private final BucketRange negative = new BucketRange();

  ExponentialSeries(Labels labels, int hash) {
    super(labels, hash);
  }

  @Override
  void replace(MetricEntry metric, PointValues point) {
    replaceTotals(point);
    scale = point.scale;
    zeroCount = point.zeroCount;
    zeroThreshold = point.zeroThreshold;
    positive.copyFrom(point.positive);
    negative.copyFrom(point.negative);
  }

  /** Merges without error: buckets of one scale map exactly into those of any lower one. */
  @Override
  boolean accumulate(PointValues point) {
    // Of a side without buckets, the scale says nothing.
    if (point.positive.size() == 0 && point.negative.size() == 0) {
      point.scale = scale;
    } else if (positive.size() == 0 && negative.size() == 0) {
      scale = point.scale;
    }
    int merged = mergedScale(point);
    positive.lowerScale((long) scale - merged);
    negative.lowerScale((long) scale - merged);
    point.positive.lowerScale((long) point.scale - merged);
    point.negative.lowerScale((long) point.scale - merged);
    positive.add(point.positive);
    negative.add(point.negative);
    scale = merged;
    zeroCount += point.zeroCount;
    accumulateTotals(point);
    if (zeroThreshold != point.zeroThreshold) {
      widenZeroBucket(Math.max(zeroThreshold, point.zeroThreshold));
    }
    return true;
  }

  /** The greatest scale at which the buckets of both are few enough. */
  private int mergedScale(PointValues point) {
    int merged = Math.min(scale, point.scale);
    while (merged > Integer.MIN_VALUE
        && (tooMany(positive, point.positive, point.scale, merged)
            || tooMany(negative, point.negative, point.scale, merged))) {
      merged--;
    }
    return merged;
  }

  private boolean tooMany(BucketRange held, BucketRange added, int addedScale, int merged) {
    long first = Long.MAX_VALUE;
    long last = Long.MIN_VALUE;
    if (held.size() > 0) {
      first = BucketRange.indexAt(held.offset(), (long) scale - merged);
      last = BucketRange.indexAt(held.lastIndex(), (long) scale - merged);
    }
    if (added.size() > 0) {
      first = Math.min(first, BucketRange.indexAt(added.offset(), (long) addedScale - merged));
      last = Math.max(last, BucketRange.indexAt(added.lastIndex(), (long) addedScale - merged));
    }
    return last >= first && last - first >= MAX_ACCUMULATED_BUCKETS;
  }

  /**
   * Puts the buckets that lie below the wider of two zero thresholds into the zero bucket, and
   * widens it to the end of the last of these (OpenTelemetry specification, metrics data model,
   * "Zero Count and Zero Threshold").
   */
  private void widenZeroBucket(double width) {
    double wider = width;
    double widest = width;
    do {
      wider = widest;
      widest = Math.max(widest, positive.upperBoundBelow(wider, scale));
      widest = Math.max(widest, negative.upperBoundBelow(wider, scale));
    } while (widest > wider);
    zeroThreshold = wider;
    zeroCount += positive.takeBelow(wider, scale) + negative.takeBelow(wider, scale);
  }

  @Override
  void readValues(PointValues into) {
    readTotals(into);
    into.scale = scale;
    into.zeroCount = zeroCount;
    into.zeroThreshold = zeroThreshold;
    into.positive.readFrom(positive);
    into.negative.readFrom(negative);
  }
}

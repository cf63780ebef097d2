package dev.millrace.agent.series;

import dev.millrace.model.Labels;

/** What the series of explicit and of exponential histograms share. */
abstract class DistributionSeries extends TableSeries {
  private long count;
  private double sum;
  private double min;
  private double max;

  DistributionSeries(Labels labels, int hash) {
    super(labels, hash);
  }

  final void replaceTotals(PointValues point) {
    count = point.count;
    sum = point.sum;
    set(HAS_SUM, point.hasSum);
    min = point.min;
    max = point.max;
    set(HAS_MIN_MAX, point.hasMin && point.hasMax);
  }

  /** Of observations that are none, nothing is unknown: only others can make totals unknown. */
  final void accumulateTotals(PointValues point) {
    if (point.count == 0) {
      return;
    }
    if (count == 0) {
      replaceTotals(point);
      return;
    }
    count += point.count;
    sum += point.sum;
    set(HAS_SUM, has(HAS_SUM) && point.hasSum);
    min = Math.min(min, point.min);
    max = Math.max(max, point.max);
    set(HAS_MIN_MAX, has(HAS_MIN_MAX) && point.hasMin && point.hasMax);
  }

  final void readTotals(PointValues into) {
    into.count = count;
    into.sum = sum;
    into.hasSum = has(HAS_SUM);
    into.min = min;
    into.max = max;
    into.hasMin = has(HAS_MIN_MAX);
    into.hasMax = has(HAS_MIN_MAX);
  }
}

package dev.millrace.agent.series;

import dev.millrace.model.Labels;

/** A series of a summary. */
final class SummarySeries extends TableSeries {
  private static final double[] NO_QUANTILES = new double[0];

  private long count;
  private double sum;

  /** The quantiles, and after them their values. */
  private double[] quantiles = NO_QUANTILES;

  SummarySeries(Labels labels, int hash) {
    super(labels, hash);
  }

  @Override
  void replace(MetricEntry metric, PointValues point) {
    count = point.count;
    sum = point.sum;
    int size = point.quantileCount;
    if (quantiles.length != 2 * size) {
      quantiles = new double[2 * size];
    }
    System.arraycopy(point.quantiles, 0, quantiles, 0, size);
    System.arraycopy(point.quantileValues, 0, quantiles, size, size);
  }

  @Override
  boolean accumulate(PointValues point) {
    throw new IllegalStateException("expected no delta points of a summary, found one");
  }

  @Override
  void readValues(PointValues into) {
    into.count = count;
    into.sum = sum;
    int size = quantiles.length / 2;
    if (into.quantiles.length < size) {
      into.quantiles = new double[size];
      into.quantileValues = new double[size];
    }
    into.quantileCount = size;
    System.arraycopy(quantiles, 0, into.quantiles, 0, size);
    System.arraycopy(quantiles, size, into.quantileValues, 0, size);
  }
}

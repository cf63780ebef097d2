package dev.millrace.agent.series;

import dev.millrace.model.EncodedLabelsBudget;
import dev.millrace.model.MetricCursor;
import dev.millrace.model.MetricDescriptor;
import dev.millrace.model.Resource;
import dev.millrace.model.Scope;
import dev.millrace.model.Series;

/** A cursor over nothing. */
final class SeriesCursor implements MetricCursor {
  private final EncodedLabelsBudget budget;

  SeriesCursor(EncodedLabelsBudget budget) {
    this.budget = budget;
  }

  @Override
  public long membershipVersion() {
    return 0;
  }

  @Override
  public int metricCount() {
    return 0;
  }

  @Override
  public void seekMetric(int index) {}

  @Override
  public MetricDescriptor metric() {
    throw new IllegalStateException("expected a metric, found none");
  }

  @Override
  public Resource resource() {
    throw new IllegalStateException("expected a metric, found none");
  }

  @Override
  public Scope scope() {
    throw new IllegalStateException("expected a metric, found none");
  }

  @Override
  public void rewindPoints() {}

  @Override
  public boolean nextPoint() {
    return false;
  }

  @Override
  public Series series() {
    throw new IllegalStateException("expected a metric, found none");
  }

  @Override
  public EncodedLabelsBudget encodedLabelsBudget() {
    return budget;
  }

  @Override
  public long startTimeUnixNanos() {
    return 0;
  }

  @Override
  public long timeUnixNanos() {
    return 0;
  }

  @Override
  public boolean noRecordedValue() {
    return false;
  }

  @Override
  public boolean isLong() {
    return false;
  }

  @Override
  public long longValue() {
    return 0;
  }

  @Override
  public double doubleValue() {
    return 0;
  }

  @Override
  public long count() {
    return 0;
  }

  @Override
  public boolean hasSum() {
    return false;
  }

  @Override
  public double sum() {
    return 0;
  }

  @Override
  public boolean hasMinMax() {
    return false;
  }

  @Override
  public double min() {
    return 0;
  }

  @Override
  public double max() {
    return 0;
  }

  @Override
  public double[] explicitBounds() {
    throw new IllegalStateException("expected a metric, found none");
  }

  @Override
  public int bucketCount() {
    return 0;
  }

  @Override
  public long bucket(int index) {
    return 0;
  }

  @Override
  public int scale() {
    return 0;
  }

  @Override
  public long zeroCount() {
    return 0;
  }

  @Override
  public double zeroThreshold() {
    return 0;
  }

  @Override
  public int positiveOffset() {
    return 0;
  }

  @Override
  public int positiveBucketCount() {
    return 0;
  }

  @Override
  public long positiveBucket(int index) {
    return 0;
  }

  @Override
  public int negativeOffset() {
    return 0;
  }

  @Override
  public int negativeBucketCount() {
    return 0;
  }

  @Override
  public long negativeBucket(int index) {
    return 0;
  }

  @Override
  public int quantileCount() {
    return 0;
  }

  @Override
  public double quantile(int index) {
    return 0;
  }

  @Override
  public double quantileValue(int index) {
    return 0;
  }

  @Override
  public void close() {}
}

package dev.millrace.agent.series;

import dev.millrace.model.EncodedLabelsBudget;
import dev.millrace.model.Labels;
import dev.millrace.model.MetricCursor;
import dev.millrace.model.MetricDescriptor;
import dev.millrace.model.Resource;
import dev.millrace.model.Scope;
import dev.millrace.model.Series;
import org.jspecify.annotations.Nullable;

/**
 * A cursor over series of a {@link SeriesTable} that copies one point's values at a time. Which
 * series it goes over is what the kinds of it differ in.
 */
abstract class TableCursor implements MetricCursor {
  private final EncodedLabelsBudget budget;

  /** The values of the point that the cursor stands on. */
  final PointValues values;

  private @Nullable MetricEntry metric;
  private @Nullable Resource resource;
  private @Nullable TableSeries current;

  TableCursor(EncodedLabelsBudget budget, int maxBuckets) {
    this.budget = budget;
    values = new PointValues(maxBuckets);
  }

  /** Puts the cursor on a metric, before its first point. */
  final void setMetric(@Nullable MetricEntry metric, @Nullable Resource resource) {
    this.metric = metric;
    this.resource = resource;
    current = null;
  }

  /** Puts the cursor on a point, whose values it has, or on none. */
  final void setCurrent(@Nullable TableSeries series) {
    current = series;
  }

  final MetricEntry onMetric() {
    MetricEntry found = metric;
    if (found == null) {
      throw new IllegalStateException("expected the cursor on a metric; call seekMetric first");
    }
    return found;
  }

  @Override
  public final MetricDescriptor metric() {
    return onMetric().descriptor;
  }

  @Override
  public final Resource resource() {
    Resource found = resource;
    return found == null ? onMetric().target.resource() : found;
  }

  @Override
  public final Scope scope() {
    return onMetric().scope.scope;
  }

  @Override
  public final Series series() {
    TableSeries found = current;
    if (found == null) {
      throw new IllegalStateException("expected the cursor on a point; call nextPoint first");
    }
    return found;
  }

  @Override
  public final EncodedLabelsBudget encodedLabelsBudget() {
    return budget;
  }

  @Override
  public final long startTimeUnixNanos() {
    return values.startTimeUnixNanos;
  }

  @Override
  public final long timeUnixNanos() {
    return values.timeUnixNanos;
  }

  @Override
  public final boolean noRecordedValue() {
    return values.noRecordedValue;
  }

  @Override
  public final boolean isLong() {
    return values.isLong;
  }

  @Override
  public final long longValue() {
    return values.longValue;
  }

  @Override
  public final double doubleValue() {
    return values.doubleValue;
  }

  @Override
  public final long count() {
    return values.count;
  }

  @Override
  public final boolean hasSum() {
    return values.hasSum;
  }

  @Override
  public final double sum() {
    return values.sum;
  }

  @Override
  public final boolean hasMinMax() {
    return values.hasMin;
  }

  @Override
  public final double min() {
    return values.min;
  }

  @Override
  public final double max() {
    return values.max;
  }

  @Override
  public final double[] explicitBounds() {
    return values.sharedBounds;
  }

  @Override
  public final int bucketCount() {
    return values.bucketCount;
  }

  @Override
  public final long bucket(int index) {
    return values.buckets[index];
  }

  @Override
  public final int scale() {
    return values.scale;
  }

  @Override
  public final long zeroCount() {
    return values.zeroCount;
  }

  @Override
  public final double zeroThreshold() {
    return values.zeroThreshold;
  }

  @Override
  public final int positiveOffset() {
    return values.positive.offset();
  }

  @Override
  public final int positiveBucketCount() {
    return values.positive.size();
  }

  @Override
  public final long positiveBucket(int index) {
    return values.positive.count(index);
  }

  @Override
  public final int negativeOffset() {
    return values.negative.offset();
  }

  @Override
  public final int negativeBucketCount() {
    return values.negative.size();
  }

  @Override
  public final long negativeBucket(int index) {
    return values.negative.count(index);
  }

  @Override
  public final int quantileCount() {
    return values.quantileCount;
  }

  @Override
  public final double quantile(int index) {
    return values.quantiles[index];
  }

  @Override
  public final double quantileValue(int index) {
    return values.quantileValues[index];
  }

  @Override
  public final int exemplarCount() {
    return values.exemplars.count();
  }

  @Override
  public final boolean exemplarIsLong(int index) {
    return values.exemplars.isLong(index);
  }

  @Override
  public final long exemplarLongValue(int index) {
    return values.exemplars.valueBits(index);
  }

  @Override
  public final double exemplarDoubleValue(int index) {
    return Double.longBitsToDouble(values.exemplars.valueBits(index));
  }

  @Override
  public final long exemplarTimeUnixNanos(int index) {
    return values.exemplars.timeUnixNanos(index);
  }

  @Override
  public final long exemplarTraceIdHigh(int index) {
    return values.exemplars.traceIdHigh(index);
  }

  @Override
  public final long exemplarTraceIdLow(int index) {
    return values.exemplars.traceIdLow(index);
  }

  @Override
  public final long exemplarSpanId(int index) {
    return values.exemplars.spanId(index);
  }

  @Override
  public final Labels exemplarLabels(int index) {
    return values.exemplars.labels(index);
  }
}

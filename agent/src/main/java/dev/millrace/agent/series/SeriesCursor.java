package dev.millrace.agent.series;

import dev.millrace.model.EncodedLabelsBudget;
import dev.millrace.model.Labels;
import dev.millrace.model.MetricCursor;
import dev.millrace.model.MetricDescriptor;
import dev.millrace.model.MetricSource;
import dev.millrace.model.Resource;
import dev.millrace.model.Scope;
import dev.millrace.model.Series;
import org.jspecify.annotations.Nullable;

/** A cursor over a {@link SeriesTable}. It copies one point's values at a time. */
final class SeriesCursor implements MetricCursor {
  private static final @Nullable TableSeries[] NO_SERIES = {};

  private final SeriesTable table;
  private final SeriesTable.Snapshot snapshot;
  private final EncodedLabelsBudget budget;
  private final PointValues values;
  private @Nullable MetricEntry metric;
  private @Nullable Resource resource;
  private @Nullable TableSeries[] series = NO_SERIES;
  private int seriesCount;
  private int next;
  private @Nullable TableSeries current;

  SeriesCursor(
      SeriesTable table,
      SeriesTable.Snapshot snapshot,
      EncodedLabelsBudget budget,
      int maxBuckets) {
    this.table = table;
    this.snapshot = snapshot;
    this.budget = budget;
    values = new PointValues(maxBuckets);
  }

  /** What {@link MetricEntry#snapshot} gives. */
  void setSeries(@Nullable TableSeries[] series, int seriesCount) {
    this.series = series;
    this.seriesCount = seriesCount;
  }

  @Override
  public MetricSource source() {
    return table;
  }

  @Override
  public long membershipVersion() {
    return snapshot.version();
  }

  @Override
  public int metricCount() {
    return snapshot.metrics().size();
  }

  @Override
  public void seekMetric(int index) {
    MetricEntry found = snapshot.metrics().get(index);
    metric = found;
    resource = snapshot.resources().get(index);
    found.snapshot(this);
    rewindPoints();
  }

  @Override
  public MetricDescriptor metric() {
    return onMetric().descriptor;
  }

  @Override
  public Resource resource() {
    Resource found = resource;
    return found == null ? onMetric().target.resource() : found;
  }

  @Override
  public Scope scope() {
    return onMetric().scope.scope;
  }

  @Override
  public void rewindPoints() {
    next = 0;
    current = null;
  }

  @Override
  public boolean nextPoint() {
    MetricEntry of = onMetric();
    while (next < seriesCount) {
      TableSeries candidate = series[next++];
      if (candidate != null && of.read(candidate, values)) {
        current = candidate;
        return true;
      }
    }
    current = null;
    return false;
  }

  @Override
  public Series series() {
    TableSeries found = current;
    if (found == null) {
      throw new IllegalStateException("expected the cursor on a point; call nextPoint first");
    }
    return found;
  }

  private MetricEntry onMetric() {
    MetricEntry found = metric;
    if (found == null) {
      throw new IllegalStateException("expected the cursor on a metric; call seekMetric first");
    }
    return found;
  }

  @Override
  public EncodedLabelsBudget encodedLabelsBudget() {
    return budget;
  }

  @Override
  public long startTimeUnixNanos() {
    return values.startTimeUnixNanos;
  }

  @Override
  public long timeUnixNanos() {
    return values.timeUnixNanos;
  }

  @Override
  public boolean noRecordedValue() {
    return values.noRecordedValue;
  }

  @Override
  public boolean isLong() {
    return values.isLong;
  }

  @Override
  public long longValue() {
    return values.longValue;
  }

  @Override
  public double doubleValue() {
    return values.doubleValue;
  }

  @Override
  public long count() {
    return values.count;
  }

  @Override
  public boolean hasSum() {
    return values.hasSum;
  }

  @Override
  public double sum() {
    return values.sum;
  }

  @Override
  public boolean hasMinMax() {
    return values.hasMin;
  }

  @Override
  public double min() {
    return values.min;
  }

  @Override
  public double max() {
    return values.max;
  }

  @Override
  public double[] explicitBounds() {
    return values.sharedBounds;
  }

  @Override
  public int bucketCount() {
    return values.bucketCount;
  }

  @Override
  public long bucket(int index) {
    return values.buckets[index];
  }

  @Override
  public int scale() {
    return values.scale;
  }

  @Override
  public long zeroCount() {
    return values.zeroCount;
  }

  @Override
  public double zeroThreshold() {
    return values.zeroThreshold;
  }

  @Override
  public int positiveOffset() {
    return values.positive.offset();
  }

  @Override
  public int positiveBucketCount() {
    return values.positive.size();
  }

  @Override
  public long positiveBucket(int index) {
    return values.positive.count(index);
  }

  @Override
  public int negativeOffset() {
    return values.negative.offset();
  }

  @Override
  public int negativeBucketCount() {
    return values.negative.size();
  }

  @Override
  public long negativeBucket(int index) {
    return values.negative.count(index);
  }

  @Override
  public int quantileCount() {
    return values.quantileCount;
  }

  @Override
  public double quantile(int index) {
    return values.quantiles[index];
  }

  @Override
  public double quantileValue(int index) {
    return values.quantileValues[index];
  }

  @Override
  public int exemplarCount() {
    return values.exemplars.count();
  }

  @Override
  public boolean exemplarIsLong(int index) {
    return values.exemplars.isLong(index);
  }

  @Override
  public long exemplarLongValue(int index) {
    return values.exemplars.valueBits(index);
  }

  @Override
  public double exemplarDoubleValue(int index) {
    return Double.longBitsToDouble(values.exemplars.valueBits(index));
  }

  @Override
  public long exemplarTimeUnixNanos(int index) {
    return values.exemplars.timeUnixNanos(index);
  }

  @Override
  public long exemplarTraceIdHigh(int index) {
    return values.exemplars.traceIdHigh(index);
  }

  @Override
  public long exemplarTraceIdLow(int index) {
    return values.exemplars.traceIdLow(index);
  }

  @Override
  public long exemplarSpanId(int index) {
    return values.exemplars.spanId(index);
  }

  @Override
  public Labels exemplarLabels(int index) {
    return values.exemplars.labels(index);
  }

  /** Lets go of the series and their exemplars, which may have left the table meanwhile. */
  @Override
  public void close() {
    series = NO_SERIES;
    seriesCount = 0;
    current = null;
    values.exemplars.clear();
  }
}

package dev.millrace.agent.pull;

import dev.millrace.model.EncodedLabelsBudget;
import dev.millrace.model.Labels;
import dev.millrace.model.MetricCursor;
import dev.millrace.model.MetricDescriptor;
import dev.millrace.model.MetricSource;
import dev.millrace.model.Resource;
import dev.millrace.model.Scope;
import dev.millrace.model.Series;

/** A cursor over the cursors of several sources, one after the other. */
final class JoinedCursor implements MetricCursor {
  private final JoinedSource source;
  private final MetricCursor[] cursors;
  private final long membershipVersion;
  private MetricCursor at;

  /**
   * A cursor.
   *
   * @param cursors at least one; owned from here on
   */
  JoinedCursor(JoinedSource source, MetricCursor[] cursors, long membershipVersion) {
    this.source = source;
    this.cursors = cursors;
    this.membershipVersion = membershipVersion;
    this.at = cursors[0];
  }

  /** Closes the first so many cursors, the last one first. */
  static void close(MetricCursor[] cursors, int count) {
    for (int i = count - 1; i >= 0; i--) {
      cursors[i].close();
    }
  }

  @Override
  public MetricSource source() {
    return source;
  }

  @Override
  public long membershipVersion() {
    return membershipVersion;
  }

  @Override
  public boolean isStable() {
    for (MetricCursor cursor : cursors) {
      if (!cursor.isStable()) {
        return false;
      }
    }
    return true;
  }

  @Override
  public int metricCount() {
    int count = 0;
    for (MetricCursor cursor : cursors) {
      count += cursor.metricCount();
    }
    return count;
  }

  @Override
  public void seekMetric(int index) {
    int left = index;
    for (MetricCursor cursor : cursors) {
      if (left < cursor.metricCount()) {
        at = cursor;
        at.seekMetric(left);
        return;
      }
      left -= cursor.metricCount();
    }
    throw new IndexOutOfBoundsException(index);
  }

  @Override
  public MetricDescriptor metric() {
    return at.metric();
  }

  @Override
  public Resource resource() {
    return at.resource();
  }

  @Override
  public Scope scope() {
    return at.scope();
  }

  @Override
  public void rewindPoints() {
    at.rewindPoints();
  }

  @Override
  public boolean nextPoint() {
    return at.nextPoint();
  }

  @Override
  public Series series() {
    return at.series();
  }

  @Override
  public EncodedLabelsBudget encodedLabelsBudget() {
    return at.encodedLabelsBudget();
  }

  @Override
  public long startTimeUnixNanos() {
    return at.startTimeUnixNanos();
  }

  @Override
  public long timeUnixNanos() {
    return at.timeUnixNanos();
  }

  @Override
  public boolean noRecordedValue() {
    return at.noRecordedValue();
  }

  @Override
  public boolean isLong() {
    return at.isLong();
  }

  @Override
  public long longValue() {
    return at.longValue();
  }

  @Override
  public double doubleValue() {
    return at.doubleValue();
  }

  @Override
  public long count() {
    return at.count();
  }

  @Override
  public boolean hasSum() {
    return at.hasSum();
  }

  @Override
  public double sum() {
    return at.sum();
  }

  @Override
  public boolean hasMinMax() {
    return at.hasMinMax();
  }

  @Override
  public double min() {
    return at.min();
  }

  @Override
  public double max() {
    return at.max();
  }

  @Override
  public double[] explicitBounds() {
    return at.explicitBounds();
  }

  @Override
  public int bucketCount() {
    return at.bucketCount();
  }

  @Override
  public long bucket(int index) {
    return at.bucket(index);
  }

  @Override
  public int scale() {
    return at.scale();
  }

  @Override
  public long zeroCount() {
    return at.zeroCount();
  }

  @Override
  public double zeroThreshold() {
    return at.zeroThreshold();
  }

  @Override
  public int positiveOffset() {
    return at.positiveOffset();
  }

  @Override
  public int positiveBucketCount() {
    return at.positiveBucketCount();
  }

  @Override
  public long positiveBucket(int index) {
    return at.positiveBucket(index);
  }

  @Override
  public int negativeOffset() {
    return at.negativeOffset();
  }

  @Override
  public int negativeBucketCount() {
    return at.negativeBucketCount();
  }

  @Override
  public long negativeBucket(int index) {
    return at.negativeBucket(index);
  }

  @Override
  public int quantileCount() {
    return at.quantileCount();
  }

  @Override
  public double quantile(int index) {
    return at.quantile(index);
  }

  @Override
  public double quantileValue(int index) {
    return at.quantileValue(index);
  }

  @Override
  public int exemplarCount() {
    return at.exemplarCount();
  }

  @Override
  public boolean exemplarIsLong(int index) {
    return at.exemplarIsLong(index);
  }

  @Override
  public long exemplarLongValue(int index) {
    return at.exemplarLongValue(index);
  }

  @Override
  public double exemplarDoubleValue(int index) {
    return at.exemplarDoubleValue(index);
  }

  @Override
  public long exemplarTimeUnixNanos(int index) {
    return at.exemplarTimeUnixNanos(index);
  }

  @Override
  public long exemplarTraceIdHigh(int index) {
    return at.exemplarTraceIdHigh(index);
  }

  @Override
  public long exemplarTraceIdLow(int index) {
    return at.exemplarTraceIdLow(index);
  }

  @Override
  public long exemplarSpanId(int index) {
    return at.exemplarSpanId(index);
  }

  @Override
  public Labels exemplarLabels(int index) {
    return at.exemplarLabels(index);
  }

  @Override
  public void close() {
    close(cursors, cursors.length);
  }
}

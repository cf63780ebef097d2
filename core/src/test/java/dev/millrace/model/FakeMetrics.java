package dev.millrace.model;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A source for tests: what it holds is set as plain records. Every change of the list of metrics
 * gives it another membership version. Its cursors allocate nothing once they are open, and fail on
 * a value that the point does not have. Not thread-safe while it is being changed.
 */
public final class FakeMetrics implements MetricSource {
  private final List<FakeMetric> metrics = new ArrayList<>();
  private EncodedLabelsBudget budget = new EncodedLabelsBudget(Long.MAX_VALUE / 2);
  private long membershipVersion = 1;
  private boolean stable = true;
  private int openCursors;

  /** A source of the given metrics, in their order. */
  public FakeMetrics(FakeMetric... metrics) {
    set(List.of(metrics));
  }

  /** A source of the given metrics, in their order. */
  public FakeMetrics(List<FakeMetric> metrics) {
    set(metrics);
  }

  /** Replaces all metrics. */
  public final void set(List<FakeMetric> all) {
    metrics.clear();
    metrics.addAll(all);
    membershipVersion++;
  }

  /** Replaces the points of one metric, which is no change of the list of metrics. */
  public void setPoints(int index, FakePoint... points) {
    metrics.set(index, metrics.get(index).with(points));
  }

  /** Replaces the budget. */
  public void setBudget(EncodedLabelsBudget budget) {
    this.budget = budget;
  }

  /** Sets whether cursors say that what they show does not change. */
  public void setStable(boolean stable) {
    this.stable = stable;
  }

  /** The metrics, in their order. */
  public List<FakeMetric> metrics() {
    return List.copyOf(metrics);
  }

  /** How many cursors are open. */
  public int openCursors() {
    return openCursors;
  }

  @Override
  public MetricCursor open() {
    openCursors++;
    return new Cursor();
  }

  private final class Cursor implements MetricCursor {
    private @Nullable FakeMetric metric;
    private @Nullable FakePoint point;
    private int next;
    private boolean closed;

    @Override
    public MetricSource source() {
      return FakeMetrics.this;
    }

    @Override
    public long membershipVersion() {
      return membershipVersion;
    }

    @Override
    public boolean isStable() {
      return stable;
    }

    @Override
    public int metricCount() {
      return metrics.size();
    }

    @Override
    public void seekMetric(int index) {
      metric = metrics.get(index);
      rewindPoints();
    }

    @Override
    public MetricDescriptor metric() {
      return current().descriptor();
    }

    @Override
    public Resource resource() {
      return current().resource();
    }

    @Override
    public Scope scope() {
      return current().scope();
    }

    @Override
    public void rewindPoints() {
      next = 0;
      point = null;
    }

    @Override
    public boolean nextPoint() {
      List<FakePoint> points = current().points();
      if (next == points.size()) {
        point = null;
        return false;
      }
      point = points.get(next++);
      return true;
    }

    @Override
    public Series series() {
      return point().series();
    }

    @Override
    public EncodedLabelsBudget encodedLabelsBudget() {
      return budget;
    }

    @Override
    public long startTimeUnixNanos() {
      return point().startTimeUnixNanos();
    }

    @Override
    public long timeUnixNanos() {
      return point().timeUnixNanos();
    }

    @Override
    public boolean noRecordedValue() {
      return point().noRecordedValue();
    }

    @Override
    public boolean isLong() {
      return point().value() instanceof FakePoint.Whole;
    }

    @Override
    public long longValue() {
      return value(FakePoint.Whole.class).value();
    }

    @Override
    public double doubleValue() {
      return value(FakePoint.Real.class).value();
    }

    @Override
    public long count() {
      FakePoint.Value value = point().value();
      if (value instanceof FakePoint.Summary summary) {
        return summary.count();
      }
      return value instanceof FakePoint.Exponential exponential
          ? exponential.count()
          : value(FakePoint.Histogram.class).count();
    }

    @Override
    public boolean hasSum() {
      FakePoint.Value value = point().value();
      if (value instanceof FakePoint.Exponential exponential) {
        return exponential.hasSum();
      }
      return !(value instanceof FakePoint.Histogram histogram) || histogram.hasSum();
    }

    @Override
    public double sum() {
      FakePoint.Value value = point().value();
      if (value instanceof FakePoint.Summary summary) {
        return summary.sum();
      }
      return value instanceof FakePoint.Exponential exponential
          ? exponential.sum()
          : value(FakePoint.Histogram.class).sum();
    }

    @Override
    public boolean hasMinMax() {
      return !Double.isNaN(FakePoint.minOf(point().value()));
    }

    @Override
    public double min() {
      return FakePoint.minOf(point().value());
    }

    @Override
    public double max() {
      return FakePoint.maxOf(point().value());
    }

    @Override
    public double[] explicitBounds() {
      return value(FakePoint.Histogram.class).bounds();
    }

    @Override
    public int bucketCount() {
      return value(FakePoint.Histogram.class).buckets().length;
    }

    @Override
    public long bucket(int index) {
      return value(FakePoint.Histogram.class).buckets()[index];
    }

    @Override
    public int scale() {
      return value(FakePoint.Exponential.class).scale();
    }

    @Override
    public long zeroCount() {
      return value(FakePoint.Exponential.class).zeroCount();
    }

    @Override
    public double zeroThreshold() {
      return value(FakePoint.Exponential.class).zeroThreshold();
    }

    @Override
    public int positiveOffset() {
      return value(FakePoint.Exponential.class).offset();
    }

    @Override
    public int positiveBucketCount() {
      return value(FakePoint.Exponential.class).buckets().length;
    }

    @Override
    public long positiveBucket(int index) {
      return value(FakePoint.Exponential.class).buckets()[index];
    }

    @Override
    public int negativeOffset() {
      return value(FakePoint.Exponential.class).negativeOffset();
    }

    @Override
    public int negativeBucketCount() {
      return value(FakePoint.Exponential.class).negativeBuckets().length;
    }

    @Override
    public long negativeBucket(int index) {
      return value(FakePoint.Exponential.class).negativeBuckets()[index];
    }

    @Override
    public int quantileCount() {
      return value(FakePoint.Summary.class).quantiles().length;
    }

    @Override
    public double quantile(int index) {
      return value(FakePoint.Summary.class).quantiles()[index];
    }

    @Override
    public double quantileValue(int index) {
      return value(FakePoint.Summary.class).values()[index];
    }

    @Override
    public int exemplarCount() {
      if (point().value() instanceof FakePoint.Summary) {
        throw new IllegalStateException("expected a point that can have exemplars");
      }
      return point().exemplars().size();
    }

    @Override
    public boolean exemplarIsLong(int index) {
      return exemplar(index).value() instanceof FakePoint.Whole;
    }

    @Override
    public long exemplarLongValue(int index) {
      return ((FakePoint.Whole) exemplar(index).value()).value();
    }

    @Override
    public double exemplarDoubleValue(int index) {
      return ((FakePoint.Real) exemplar(index).value()).value();
    }

    @Override
    public long exemplarTimeUnixNanos(int index) {
      return exemplar(index).timeUnixNanos();
    }

    @Override
    public long exemplarTraceIdHigh(int index) {
      return exemplar(index).traceIdHigh();
    }

    @Override
    public long exemplarTraceIdLow(int index) {
      return exemplar(index).traceIdLow();
    }

    @Override
    public long exemplarSpanId(int index) {
      return exemplar(index).spanId();
    }

    @Override
    public Labels exemplarLabels(int index) {
      return exemplar(index).labels();
    }

    private FakePoint.Exemplar exemplar(int index) {
      return point().exemplars().get(index);
    }

    @Override
    public void close() {
      if (closed) {
        throw new IllegalStateException("cursor closed twice");
      }
      closed = true;
      openCursors--;
    }

    private FakeMetric current() {
      if (closed || metric == null) {
        throw new IllegalStateException("expected an open cursor on a metric; seek one first");
      }
      return metric;
    }

    private FakePoint point() {
      if (closed || point == null) {
        throw new IllegalStateException("expected an open cursor on a point; go to one first");
      }
      return point;
    }

    private <T extends FakePoint.Value> T value(Class<T> type) {
      return type.cast(point().value());
    }
  }
}

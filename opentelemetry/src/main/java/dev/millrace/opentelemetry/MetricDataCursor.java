package dev.millrace.opentelemetry;

import dev.millrace.model.EncodedLabelsBudget;
import dev.millrace.model.Labels;
import dev.millrace.model.MetricCursor;
import dev.millrace.model.MetricDescriptor;
import dev.millrace.model.MetricKind;
import dev.millrace.model.MetricSource;
import dev.millrace.model.Resource;
import dev.millrace.model.Scope;
import dev.millrace.model.Series;
import io.opentelemetry.sdk.metrics.data.DoubleExemplarData;
import io.opentelemetry.sdk.metrics.data.DoublePointData;
import io.opentelemetry.sdk.metrics.data.ExemplarData;
import io.opentelemetry.sdk.metrics.data.ExponentialHistogramPointData;
import io.opentelemetry.sdk.metrics.data.HistogramPointData;
import io.opentelemetry.sdk.metrics.data.LongExemplarData;
import io.opentelemetry.sdk.metrics.data.LongPointData;
import io.opentelemetry.sdk.metrics.data.PointData;
import io.opentelemetry.sdk.metrics.data.SummaryPointData;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The cursor of a {@link MetricDataSource}: one object for all of its collections. Values are read
 * from the SDK's objects when asked for. Guarded by the source's lock, which {@link #close} frees.
 */
final class MetricDataCursor implements MetricCursor {
  private static final List<PointData> NO_POINTS = List.of();
  private static final Series NO_SERIES = new Series(Labels.EMPTY);

  private final MetricDataSource source;
  private final MetricTable metrics;
  private final EncodedLabelsBudget budget;
  private final ReentrantLock lock;
  private final AttributeLabels exemplarLabels = new AttributeLabels();
  private final HistogramBounds bounds = new HistogramBounds();
  private final BucketCounts buckets = new BucketCounts();
  private final BucketCounts negativeBuckets = new BucketCounts();

  private @Nullable SdkMetric metric;
  private MetricKind kind = MetricKind.GAUGE;
  private boolean isLong;
  private List<? extends PointData> points = NO_POINTS;
  private int pointCount;
  private int pointIndex = -1;
  private PointData point = NoPoint.INSTANCE;
  private Series series = NO_SERIES;

  /** Whether the buckets are those of the point; some of the SDK's objects copy them each time. */
  private boolean bucketsKnown;

  MetricDataCursor(
      MetricDataSource source,
      MetricTable metrics,
      EncodedLabelsBudget budget,
      ReentrantLock lock) {
    this.source = source;
    this.metrics = metrics;
    this.budget = budget;
    this.lock = lock;
  }

  @Override
  public MetricSource source() {
    return source;
  }

  @Override
  public long membershipVersion() {
    return metrics.membershipVersion();
  }

  @Override
  public boolean isStable() {
    return true;
  }

  @Override
  public int metricCount() {
    return metrics.count();
  }

  @Override
  public void seekMetric(int index) {
    SdkMetric next = metrics.get(index);
    metric = next;
    kind = next.descriptor.kind();
    isLong = next.identity.isLong();
    points = next.points();
    pointCount = points.size();
    rewindPoints();
  }

  @Override
  public MetricDescriptor metric() {
    return sought().descriptor;
  }

  @Override
  public Resource resource() {
    return sought().resource;
  }

  @Override
  public Scope scope() {
    return sought().scope;
  }

  private SdkMetric sought() {
    SdkMetric current = metric;
    if (current == null) {
      throw new IllegalStateException(
          "expected the cursor to stand on a metric, found it before the first; call seekMetric");
    }
    return current;
  }

  @Override
  public void rewindPoints() {
    pointIndex = -1;
    point = NoPoint.INSTANCE;
  }

  @Override
  public boolean nextPoint() {
    int next = pointIndex + 1;
    if (next >= pointCount) {
      return false;
    }
    pointIndex = next;
    PointData now = points.get(next);
    point = now;
    bucketsKnown = false;
    SeriesTable table = sought().series;
    if (next >= table.matched()) {
      table.matchAhead(points);
    }
    series = table.at(next);
    return true;
  }

  @Override
  public Series series() {
    return series;
  }

  @Override
  public EncodedLabelsBudget encodedLabelsBudget() {
    return budget;
  }

  @Override
  public long startTimeUnixNanos() {
    return point.getStartEpochNanos();
  }

  @Override
  public long timeUnixNanos() {
    return point.getEpochNanos();
  }

  /** Always {@code false}: the SDK's data have no such flag. */
  @Override
  public boolean noRecordedValue() {
    return false;
  }

  @Override
  public boolean isLong() {
    return isLong;
  }

  @Override
  public long longValue() {
    return ((LongPointData) point).getValue();
  }

  @Override
  public double doubleValue() {
    return ((DoublePointData) point).getValue();
  }

  @Override
  public long count() {
    return switch (kind) {
      case HISTOGRAM -> histogram().getCount();
      case EXPONENTIAL_HISTOGRAM -> exponential().getCount();
      case SUMMARY -> summary().getCount();
      case GAUGE, SUM -> 0;
    };
  }

  /** Always {@code true}: the SDK's data always have a sum. */
  @Override
  public boolean hasSum() {
    return true;
  }

  @Override
  public double sum() {
    return switch (kind) {
      case HISTOGRAM -> histogram().getSum();
      case EXPONENTIAL_HISTOGRAM -> exponential().getSum();
      case SUMMARY -> summary().getSum();
      case GAUGE, SUM -> 0;
    };
  }

  @Override
  public boolean hasMinMax() {
    return switch (kind) {
      case HISTOGRAM -> histogram().hasMin() && histogram().hasMax();
      case EXPONENTIAL_HISTOGRAM -> exponential().hasMin() && exponential().hasMax();
      case SUMMARY, GAUGE, SUM -> false;
    };
  }

  @Override
  public double min() {
    return kind == MetricKind.HISTOGRAM ? histogram().getMin() : exponential().getMin();
  }

  @Override
  public double max() {
    return kind == MetricKind.HISTOGRAM ? histogram().getMax() : exponential().getMax();
  }

  @Override
  public double[] explicitBounds() {
    return bounds.of(histogram().getBoundaries());
  }

  @Override
  public int bucketCount() {
    return explicitBuckets().size();
  }

  @Override
  public long bucket(int index) {
    return explicitBuckets().get(index);
  }

  private BucketCounts explicitBuckets() {
    if (!bucketsKnown) {
      buckets.set(histogram().getCounts());
      bucketsKnown = true;
    }
    return buckets;
  }

  @Override
  public int scale() {
    return exponential().getScale();
  }

  @Override
  public long zeroCount() {
    return exponential().getZeroCount();
  }

  /** Always 0: the SDK's data do not say. */
  @Override
  public double zeroThreshold() {
    return 0;
  }

  @Override
  public int positiveOffset() {
    return exponential().getPositiveBuckets().getOffset();
  }

  @Override
  public int positiveBucketCount() {
    knowExponentialBuckets();
    return buckets.size();
  }

  @Override
  public long positiveBucket(int index) {
    knowExponentialBuckets();
    return buckets.get(index);
  }

  @Override
  public int negativeOffset() {
    return exponential().getNegativeBuckets().getOffset();
  }

  @Override
  public int negativeBucketCount() {
    knowExponentialBuckets();
    return negativeBuckets.size();
  }

  @Override
  public long negativeBucket(int index) {
    knowExponentialBuckets();
    return negativeBuckets.get(index);
  }

  private void knowExponentialBuckets() {
    if (!bucketsKnown) {
      buckets.set(exponential().getPositiveBuckets().getBucketCounts());
      negativeBuckets.set(exponential().getNegativeBuckets().getBucketCounts());
      bucketsKnown = true;
    }
  }

  @Override
  public int quantileCount() {
    return summary().getValues().size();
  }

  @Override
  public double quantile(int index) {
    return summary().getValues().get(index).getQuantile();
  }

  @Override
  public double quantileValue(int index) {
    return summary().getValues().get(index).getValue();
  }

  @Override
  public int exemplarCount() {
    return point.getExemplars().size();
  }

  @Override
  public boolean exemplarIsLong(int index) {
    return exemplar(index) instanceof LongExemplarData;
  }

  @Override
  public long exemplarLongValue(int index) {
    return ((LongExemplarData) exemplar(index)).getValue();
  }

  @Override
  public double exemplarDoubleValue(int index) {
    return ((DoubleExemplarData) exemplar(index)).getValue();
  }

  @Override
  public long exemplarTimeUnixNanos(int index) {
    return exemplar(index).getEpochNanos();
  }

  @Override
  public long exemplarTraceIdHigh(int index) {
    return SpanIds.traceIdHigh(exemplar(index).getSpanContext().getTraceId());
  }

  @Override
  public long exemplarTraceIdLow(int index) {
    return SpanIds.traceIdLow(exemplar(index).getSpanContext().getTraceId());
  }

  @Override
  public long exemplarSpanId(int index) {
    return SpanIds.spanId(exemplar(index).getSpanContext().getSpanId());
  }

  /** Made when asked for: the SDK's exemplars are others in each collection. */
  @Override
  public Labels exemplarLabels(int index) {
    return exemplarLabels.of(exemplar(index).getFilteredAttributes());
  }

  private ExemplarData exemplar(int index) {
    return point.getExemplars().get(index);
  }

  private HistogramPointData histogram() {
    return (HistogramPointData) point;
  }

  private ExponentialHistogramPointData exponential() {
    return (ExponentialHistogramPointData) point;
  }

  private SummaryPointData summary() {
    return (SummaryPointData) point;
  }

  /**
   * Frees the collection.
   *
   * @throws IllegalStateException if this thread has no collection open
   */
  @Override
  public void close() {
    if (!lock.isHeldByCurrentThread()) {
      throw new IllegalStateException(
          "expected the thread that opened the cursor to close it once, found no collection open in"
              + " this thread; find the second close");
    }
    try {
      metrics.end();
    } finally {
      metric = null;
      points = NO_POINTS;
      pointCount = 0;
      rewindPoints();
      series = NO_SERIES;
      buckets.clear();
      negativeBuckets.clear();
      lock.unlock();
    }
  }
}

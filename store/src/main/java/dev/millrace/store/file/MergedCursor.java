package dev.millrace.store.file;

import dev.millrace.model.EncodedLabelsBudget;
import dev.millrace.model.Labels;
import dev.millrace.model.MetricCursor;
import dev.millrace.model.MetricDescriptor;
import dev.millrace.model.MetricSource;
import dev.millrace.model.Resource;
import dev.millrace.model.Scope;
import dev.millrace.model.Series;
import java.util.List;

/**
 * The cursor over a merged view. Values were copied from the files when the collection began, so
 * they do not change under it. One object for each view, used again for each collection.
 */
final class MergedCursor implements MetricCursor {
  private static final long NANOS_A_MILLI = 1_000_000L;
  private static final int UNKNOWN = -1;

  private final MetricSource source;
  private final MergedView view;
  private final Resource resource;
  private final Runnable onClose;
  private final PointMerger point;
  private final ExemplarReader exemplars = new ExemplarReader();

  /** How many exemplars the point has; -1 until it is asked. */
  private int exemplarCount = UNKNOWN;

  private long timeUnixNanos;
  private int metricIndex;
  private MergedMetric metric = NO_METRIC;
  private int next;
  private MergedSeries series = NO_SERIES;

  private static final MergedMetric NO_METRIC =
      new MergedMetric(
          new Declaration(
              "none",
              "",
              "",
              InstrumentKind.GAUGE,
              MergeMode.SUM,
              false,
              false,
              false,
              Declaration.NO_BOUNDS,
              0,
              0));
  private static final MergedSeries NO_SERIES = new MergedSeries(Labels.EMPTY, 0);

  /**
   * A cursor.
   *
   * @param onClose frees the view; runs in the thread that closes
   */
  MergedCursor(MetricSource source, MergedView view, Resource resource, Runnable onClose) {
    this.source = source;
    this.view = view;
    this.resource = resource;
    this.onClose = onClose;
    this.point = new PointMerger(view);
  }

  /** Begins a collection. */
  void begin(long unixMillis) {
    timeUnixNanos = unixMillis * NANOS_A_MILLI;
    metric = NO_METRIC;
    series = NO_SERIES;
    next = 0;
  }

  @Override
  public MetricSource source() {
    return source;
  }

  @Override
  public long membershipVersion() {
    return view.membershipVersion();
  }

  @Override
  public boolean isStable() {
    return true;
  }

  @Override
  public int metricCount() {
    return view.metrics().size();
  }

  @Override
  public void seekMetric(int index) {
    metricIndex = index;
    metric = view.metrics().get(metricIndex);
    rewindPoints();
  }

  @Override
  public MetricDescriptor metric() {
    return metric.descriptor();
  }

  @Override
  public Resource resource() {
    return resource;
  }

  @Override
  public Scope scope() {
    return Scope.EMPTY;
  }

  @Override
  public void rewindPoints() {
    next = 0;
    series = NO_SERIES;
  }

  @Override
  public boolean nextPoint() {
    List<MergedSeries> all = metric.series();
    while (next < all.size()) {
      series = all.get(next++);
      exemplarCount = UNKNOWN;
      if (point.merge(metric.declaration(), series)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public Series series() {
    return series;
  }

  @Override
  public EncodedLabelsBudget encodedLabelsBudget() {
    return view.budget();
  }

  @Override
  public long startTimeUnixNanos() {
    return metric.declaration().isGauge() ? 0 : series.createdUnixNanos();
  }

  @Override
  public long timeUnixNanos() {
    return timeUnixNanos;
  }

  @Override
  public boolean noRecordedValue() {
    return false;
  }

  @Override
  public boolean isLong() {
    return metric.declaration().isGauge()
        ? metric.declaration().wholeNumbers()
        : point.cells()[CellLayout.FRACTION_CELL] == 0;
  }

  @Override
  public long longValue() {
    return point.cells()[CellLayout.VALUE_CELL];
  }

  @Override
  public double doubleValue() {
    long first = point.cells()[0];
    if (metric.declaration().isGauge()) {
      return metric.declaration().wholeNumbers() ? first : Double.longBitsToDouble(first);
    }
    double value = first + Double.longBitsToDouble(point.cells()[CellLayout.FRACTION_CELL]);
    return metric.descriptor().monotonic() ? series.withoutRoundingFall(value) : value;
  }

  @Override
  public long count() {
    long[] cells = point.cells();
    if (metric.declaration().kind() == InstrumentKind.SUMMARY) {
      return cells[CellLayout.COUNT_CELL];
    }
    long count = 0;
    for (int i = CellLayout.FIRST_BUCKET_CELL; i < point.count(); i++) {
      count += cells[i];
    }
    return count;
  }

  @Override
  public boolean hasSum() {
    return true;
  }

  @Override
  public double sum() {
    return Double.longBitsToDouble(point.cells()[CellLayout.SUM_CELL]);
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
    return metric.declaration().bounds();
  }

  @Override
  public int bucketCount() {
    return metric.declaration().bounds().length + 1;
  }

  @Override
  public long bucket(int index) {
    return point.cells()[CellLayout.FIRST_BUCKET_CELL + index];
  }

  @Override
  public int scale() {
    return point.shape().scale();
  }

  @Override
  public long zeroCount() {
    return point.cells()[CellLayout.ZERO_BUCKET_CELL];
  }

  @Override
  public double zeroThreshold() {
    return 0;
  }

  @Override
  public int positiveOffset() {
    return point.shape().positiveOffset();
  }

  @Override
  public int positiveBucketCount() {
    return point.shape().positiveBuckets();
  }

  @Override
  public long positiveBucket(int index) {
    return point.cells()[CellLayout.FIRST_EXPONENTIAL_CELL + index];
  }

  @Override
  public int negativeOffset() {
    return point.shape().negativeOffset();
  }

  @Override
  public int negativeBucketCount() {
    return point.shape().negativeBuckets();
  }

  @Override
  public long negativeBucket(int index) {
    return point
        .cells()[CellLayout.FIRST_EXPONENTIAL_CELL + point.shape().positiveBuckets() + index];
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
  public int exemplarCount() {
    if (exemplarCount == UNKNOWN) {
      exemplarCount = exemplars.read(metric, series, view);
    }
    return exemplarCount;
  }

  /** Always {@code false}: a store keeps what was added or observed as a floating-point number. */
  @Override
  public boolean exemplarIsLong(int index) {
    return false;
  }

  @Override
  public double exemplarDoubleValue(int index) {
    return exemplars.value(index);
  }

  @Override
  public long exemplarTimeUnixNanos(int index) {
    return exemplars.timeMillis(index) * NANOS_A_MILLI;
  }

  @Override
  public long exemplarTraceIdHigh(int index) {
    return exemplars.traceHigh(index);
  }

  @Override
  public long exemplarTraceIdLow(int index) {
    return exemplars.traceLow(index);
  }

  @Override
  public long exemplarSpanId(int index) {
    return exemplars.spanId(index);
  }

  /** Always empty: a store keeps ids alone. */
  @Override
  public Labels exemplarLabels(int index) {
    return Labels.EMPTY;
  }

  @Override
  public void close() {
    onClose.run();
  }
}

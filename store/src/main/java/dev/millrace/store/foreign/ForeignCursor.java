package dev.millrace.store.foreign;

import dev.millrace.model.EncodedLabelsBudget;
import dev.millrace.model.Labels;
import dev.millrace.model.MetricCursor;
import dev.millrace.model.MetricDescriptor;
import dev.millrace.model.MetricSource;
import dev.millrace.model.Resource;
import dev.millrace.model.Scope;
import dev.millrace.model.Series;
import dev.millrace.store.file.MergeMode;
import java.util.List;

/**
 * The cursor over a merged view. Values were copied from the files when the collection began, so
 * they do not change under it. One object for each view, used again for each collection.
 */
final class ForeignCursor implements MetricCursor {
  private static final long NANOS_A_MILLI = 1_000_000L;
  private static final ForeignMetric NO_METRIC =
      new ForeignMetric(
          "none",
          "",
          new Meaning(
              ForeignClient.AUTO, ForeignType.GAUGE, MergeMode.SUM, null, "", null, List.of()));
  private static final ForeignSeries NO_SERIES = new ForeignSeries(Labels.EMPTY, Meaning.NO_BOUNDS);

  private final MetricSource source;
  private final ForeignView view;
  private final Resource resource;
  private final Runnable onClose;
  private final PointMerge point;
  private long timeUnixNanos;
  private ForeignMetric metric = NO_METRIC;
  private int next;
  private ForeignSeries series = NO_SERIES;

  /**
   * A cursor.
   *
   * @param onClose frees the view; runs in the thread that closes
   */
  ForeignCursor(MetricSource source, ForeignView view, Resource resource, Runnable onClose) {
    this.source = source;
    this.view = view;
    this.resource = resource;
    this.onClose = onClose;
    this.point = new PointMerge(view);
  }

  /** Begins a collection. */
  void begin(long unixMillis) {
    timeUnixNanos = unixMillis * NANOS_A_MILLI;
    metric = NO_METRIC;
    rewindPoints();
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
    metric = view.metrics().get(index);
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
    List<ForeignSeries> all = metric.series();
    while (next < all.size()) {
      series = all.get(next++);
      if (point.merge(metric, series)) {
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

  /** Always 0: these files do not have it. */
  @Override
  public long startTimeUnixNanos() {
    return 0;
  }

  @Override
  public long timeUnixNanos() {
    return timeUnixNanos;
  }

  @Override
  public boolean noRecordedValue() {
    return false;
  }

  /** Always {@code false}: these clients keep floating-point numbers alone. */
  @Override
  public boolean isLong() {
    return false;
  }

  @Override
  public long longValue() {
    return (long) point.value();
  }

  @Override
  public double doubleValue() {
    return point.value();
  }

  @Override
  public long count() {
    return point.count();
  }

  @Override
  public boolean hasSum() {
    return point.hasValue();
  }

  @Override
  public double sum() {
    return point.value();
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
    return point.bounds();
  }

  @Override
  public int bucketCount() {
    return point.bounds().length + 1;
  }

  @Override
  public long bucket(int index) {
    return point.bucket(index);
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
  public void close() {
    onClose.run();
  }
}

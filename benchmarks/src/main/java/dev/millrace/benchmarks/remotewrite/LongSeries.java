package dev.millrace.benchmarks.remotewrite;

import dev.millrace.model.EncodedLabelsBudget;
import dev.millrace.model.Labels;
import dev.millrace.model.MetricCursor;
import dev.millrace.model.MetricDescriptor;
import dev.millrace.model.MetricKind;
import dev.millrace.model.MetricSource;
import dev.millrace.model.Resource;
import dev.millrace.model.Scope;
import dev.millrace.model.Series;
import dev.millrace.model.Temporality;

/**
 * One series with a long label value, and many points of it: numbers, or exponential histograms of
 * 20 buckets. Each collection shows later times than the one before. Its one cursor is used again.
 */
final class LongSeries implements MetricSource {
  private static final int LABEL_CHARS = 1_000;
  private static final int BUCKETS = 20;
  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final double[] NO_BOUNDS = {};

  private final MetricDescriptor descriptor;
  private final Series series =
      new Series(Labels.of("host", "one", "statement", "x".repeat(LABEL_CHARS)));
  private final Resource resource =
      new Resource(Labels.of("service.name", "shop", "service.instance.id", "one"), "");
  private final EncodedLabelsBudget budget = new EncodedLabelsBudget(1 << 20);
  private final Cursor cursor = new Cursor();
  private final int points;
  private long collectedMillis = 1_800_000_000_000L;

  LongSeries(int points, boolean histograms) {
    this.points = points;
    descriptor =
        new MetricDescriptor(
            "requests",
            "Requests.",
            "",
            histograms ? MetricKind.EXPONENTIAL_HISTOGRAM : MetricKind.GAUGE,
            false,
            histograms ? Temporality.CUMULATIVE : Temporality.UNSPECIFIED);
  }

  @Override
  public MetricCursor open() {
    collectedMillis += points;
    cursor.rewindPoints();
    return cursor;
  }

  private final class Cursor implements MetricCursor {
    private int next;

    @Override
    public MetricSource source() {
      return LongSeries.this;
    }

    @Override
    public long membershipVersion() {
      return 1;
    }

    @Override
    public boolean isStable() {
      return true;
    }

    @Override
    public int metricCount() {
      return 1;
    }

    @Override
    public void seekMetric(int index) {
      next = 0;
    }

    @Override
    public MetricDescriptor metric() {
      return descriptor;
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
    }

    @Override
    public boolean nextPoint() {
      if (next == points) {
        return false;
      }
      next++;
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
      return NANOS_PER_MILLI;
    }

    @Override
    public long timeUnixNanos() {
      return (collectedMillis + next) * NANOS_PER_MILLI;
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
      return next * 0.1;
    }

    @Override
    public long count() {
      return (long) BUCKETS * next;
    }

    @Override
    public boolean hasSum() {
      return true;
    }

    @Override
    public double sum() {
      return next * 0.1;
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
      return NO_BOUNDS;
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
      return 3;
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
      return -BUCKETS / 2;
    }

    @Override
    public int positiveBucketCount() {
      return BUCKETS;
    }

    @Override
    public long positiveBucket(int index) {
      return next;
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
}

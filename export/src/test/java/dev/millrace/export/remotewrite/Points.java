package dev.millrace.export.remotewrite;

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
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A source of one gauge whose points are what a test says: any series, any time. Series are known
 * by their number, which is their one label. Not thread-safe.
 */
public final class Points implements MetricSource {
  /** The resource of all points: {@code job="shop"}, {@code instance="one"}. */
  private static final Resource RESOURCE =
      new Resource(Labels.of("service.name", "shop", "service.instance.id", "one"), "");

  private static final long NANOS_PER_MILLI = 1_000_000;

  private record Point(Series series, long timeMillis, double value) {}

  private final MetricDescriptor descriptor;
  private final EncodedLabelsBudget budget = new EncodedLabelsBudget(1 << 20);
  private final List<Series> series = new ArrayList<>();
  private final List<Point> points = new ArrayList<>();
  private long millis;

  /** No points of a gauge of that name. */
  public Points(String name) {
    descriptor =
        new MetricDescriptor(name, "", "", MetricKind.GAUGE, false, Temporality.UNSPECIFIED);
  }

  /** Removes all points; their series stay known. */
  public Points clear() {
    points.clear();
    return this;
  }

  /** Adds a point. */
  public Points add(int number, long timeMillis, double value) {
    while (series.size() <= number) {
      series.add(new Series(Labels.of("number", Integer.toString(series.size()))));
    }
    points.add(new Point(series.get(number), timeMillis, value));
    return this;
  }

  /** A number that rises by one, so that no two samples are of one time. */
  public long nextMillis() {
    return ++millis;
  }

  @Override
  public MetricCursor open() {
    return new Cursor();
  }

  private final class Cursor implements MetricCursor {
    private int next;
    private @Nullable Point point;

    @Override
    public MetricSource source() {
      return Points.this;
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
      rewindPoints();
    }

    @Override
    public MetricDescriptor metric() {
      return descriptor;
    }

    @Override
    public Resource resource() {
      return RESOURCE;
    }

    @Override
    public Scope scope() {
      return Scope.EMPTY;
    }

    @Override
    public void rewindPoints() {
      next = 0;
      point = null;
    }

    @Override
    public boolean nextPoint() {
      if (next == points.size()) {
        return false;
      }
      point = points.get(next++);
      return true;
    }

    private Point point() {
      Point current = point;
      if (current == null) {
        throw new IllegalStateException("expected a cursor on a point; go to one first");
      }
      return current;
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
      return 0;
    }

    @Override
    public long timeUnixNanos() {
      return point().timeMillis() * NANOS_PER_MILLI;
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
      throw new IllegalStateException("expected a reader that asks isLong first");
    }

    @Override
    public double doubleValue() {
      return point().value();
    }

    @Override
    public long count() {
      throw noHistogram();
    }

    @Override
    public boolean hasSum() {
      throw noHistogram();
    }

    @Override
    public double sum() {
      throw noHistogram();
    }

    @Override
    public boolean hasMinMax() {
      throw noHistogram();
    }

    @Override
    public double min() {
      throw noHistogram();
    }

    @Override
    public double max() {
      throw noHistogram();
    }

    @Override
    public double[] explicitBounds() {
      throw noHistogram();
    }

    @Override
    public int bucketCount() {
      throw noHistogram();
    }

    @Override
    public long bucket(int index) {
      throw noHistogram();
    }

    @Override
    public int scale() {
      throw noHistogram();
    }

    @Override
    public long zeroCount() {
      throw noHistogram();
    }

    @Override
    public double zeroThreshold() {
      throw noHistogram();
    }

    @Override
    public int positiveOffset() {
      throw noHistogram();
    }

    @Override
    public int positiveBucketCount() {
      throw noHistogram();
    }

    @Override
    public long positiveBucket(int index) {
      throw noHistogram();
    }

    @Override
    public int negativeOffset() {
      throw noHistogram();
    }

    @Override
    public int negativeBucketCount() {
      throw noHistogram();
    }

    @Override
    public long negativeBucket(int index) {
      throw noHistogram();
    }

    @Override
    public int quantileCount() {
      throw noHistogram();
    }

    @Override
    public double quantile(int index) {
      throw noHistogram();
    }

    @Override
    public double quantileValue(int index) {
      throw noHistogram();
    }

    private IllegalStateException noHistogram() {
      return new IllegalStateException("expected a reader of gauges");
    }

    @Override
    public void close() {}
  }
}

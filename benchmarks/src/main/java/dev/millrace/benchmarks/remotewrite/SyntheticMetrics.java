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
import java.util.ArrayList;
import java.util.List;

/**
 * Metrics whose collection costs next to nothing: ten metrics of as many series each, or one series
 * with many points. The values, whole numbers, and the times of each collection are others. There
 * is no start time, as Go's sender has none.
 */
final class SyntheticMetrics implements MetricSource, MetricCursor {
  private static final int METRICS = 10;
  private static final int LONG_VALUE_CHARS = 1_000;
  private static final int BUCKETS = 20;
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final WriteWorkload workload;
  private final Resource resource;
  private final List<MetricDescriptor> metrics = new ArrayList<>();
  private final List<Series[]> series = new ArrayList<>();
  private final EncodedLabelsBudget budget = new EncodedLabelsBudget(1 << 26);
  private long unixMillis = 1_700_000_000_000L;
  private int metric;
  private int point;
  private int offset;

  SyntheticMetrics(WriteWorkload workload) {
    this.workload = workload;
    resource =
        new Resource(
            Labels.of("service.name", "prometheus", "service.instance.id", "10.0.0.17:9090"), "");
    int count = workload.series == 1 ? 1 : METRICS;
    for (int i = 0; i < count; i++) {
      metrics.add(
          new MetricDescriptor(
              "http_server_requests_of_kind_" + i,
              "Requests of kind " + i + " that the server has answered.",
              "",
              workload.histograms ? MetricKind.EXPONENTIAL_HISTOGRAM : MetricKind.SUM,
              !workload.histograms,
              Temporality.CUMULATIVE));
      Series[] ofMetric = new Series[workload.series / count];
      for (int j = 0; j < ofMetric.length; j++) {
        ofMetric[j] = new Series(count == 1 ? longLabels() : labels(j));
      }
      series.add(ofMetric);
    }
  }

  /** With the name, the job and the instance they are ten. */
  private static Labels labels(int number) {
    return Labels.of(
        "cluster", "some-cluster-0",
        "container", "prometheus",
        "namespace", "some-namespace",
        "pod", "prometheus-" + number,
        "method", "GET",
        "route", "/api/v1/query_range",
        "status", "200");
  }

  private static Labels longLabels() {
    return Labels.of("label", "v".repeat(LONG_VALUE_CHARS));
  }

  /** The time of the next collection, in milliseconds since the Unix epoch. */
  long nextUnixMillis() {
    unixMillis += workload.samples;
    offset += 7;
    return unixMillis;
  }

  @Override
  public MetricCursor open() {
    return this;
  }

  @Override
  public MetricSource source() {
    return this;
  }

  @Override
  public long membershipVersion() {
    return 1;
  }

  @Override
  public int metricCount() {
    return metrics.size();
  }

  @Override
  public void seekMetric(int index) {
    metric = index;
    point = -1;
  }

  @Override
  public MetricDescriptor metric() {
    return metrics.get(metric);
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
    point = -1;
  }

  @Override
  public boolean nextPoint() {
    point++;
    return point < series.get(metric).length * workload.samples;
  }

  @Override
  public Series series() {
    return series.get(metric)[point / workload.samples];
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
    return (unixMillis + point % workload.samples) * NANOS_PER_MILLI;
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
    throw new UnsupportedOperationException();
  }

  @Override
  public double doubleValue() {
    return metric * 1_000L + point + offset;
  }

  @Override
  public long count() {
    return BUCKETS * (long) (BUCKETS + 1) / 2 + (long) BUCKETS * point;
  }

  @Override
  public boolean hasSum() {
    return true;
  }

  @Override
  public double sum() {
    return doubleValue();
  }

  @Override
  public boolean hasMinMax() {
    return false;
  }

  @Override
  public double min() {
    throw new UnsupportedOperationException();
  }

  @Override
  public double max() {
    throw new UnsupportedOperationException();
  }

  @Override
  public double[] explicitBounds() {
    throw new UnsupportedOperationException();
  }

  @Override
  public int bucketCount() {
    throw new UnsupportedOperationException();
  }

  @Override
  public long bucket(int index) {
    throw new UnsupportedOperationException();
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
    return 2;
  }

  @Override
  public int positiveBucketCount() {
    return BUCKETS;
  }

  @Override
  public long positiveBucket(int index) {
    return index + 1L + point;
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
    throw new UnsupportedOperationException();
  }

  @Override
  public int quantileCount() {
    return 0;
  }

  @Override
  public double quantile(int index) {
    throw new UnsupportedOperationException();
  }

  @Override
  public double quantileValue(int index) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {}
}

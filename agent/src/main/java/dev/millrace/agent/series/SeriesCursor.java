package dev.millrace.agent.series;

import dev.millrace.model.EncodedLabelsBudget;
import dev.millrace.model.MetricSource;
import org.jspecify.annotations.Nullable;

/** A cursor over all series of a {@link SeriesTable}. */
final class SeriesCursor extends TableCursor {
  private static final @Nullable TableSeries[] NO_SERIES = {};

  private final SeriesTable table;
  private final SeriesTable.Snapshot snapshot;
  private @Nullable TableSeries[] series = NO_SERIES;
  private int seriesCount;
  private int next;

  SeriesCursor(
      SeriesTable table,
      SeriesTable.Snapshot snapshot,
      EncodedLabelsBudget budget,
      int maxBuckets) {
    super(budget, maxBuckets);
    this.table = table;
    this.snapshot = snapshot;
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
    setMetric(found, snapshot.resources().get(index));
    found.snapshot(this);
    next = 0;
  }

  @Override
  public void rewindPoints() {
    next = 0;
    setCurrent(null);
  }

  @Override
  public boolean nextPoint() {
    MetricEntry of = onMetric();
    while (next < seriesCount) {
      TableSeries candidate = series[next++];
      if (candidate != null && of.read(candidate, values)) {
        setCurrent(candidate);
        return true;
      }
    }
    setCurrent(null);
    return false;
  }

  /** Lets go of the series and their exemplars, which may have left the table meanwhile. */
  @Override
  public void close() {
    series = NO_SERIES;
    seriesCount = 0;
    setCurrent(null);
    values.exemplars.clear();
  }
}

package dev.millrace.agent.series;

/**
 * A series of the agent's own, whose value the agent sets. Thread-safe; setting allocates nothing.
 */
public final class OwnSeries {
  private final MetricEntry metric;
  private final NumberSeries series;

  OwnSeries(MetricEntry metric, NumberSeries series) {
    this.metric = metric;
    this.series = series;
  }

  /** Sets the value as a whole number. */
  public void set(long value) {
    metric.setOwn(series, value);
  }

  /** Sets the value as a floating-point number. */
  public void set(double value) {
    metric.setOwn(series, value);
  }
}

package dev.millrace.agent.series;

import dev.millrace.model.EncodedLabelsBudget;
import dev.millrace.model.MetricCursor;
import dev.millrace.model.MetricSource;
import dev.millrace.model.Problems;
import java.util.function.LongSupplier;

/** The latest value of each series. Thread-safe. */
public final class SeriesTable implements MetricSource {
  private final EncodedLabelsBudget budget;

  /**
   * An empty table.
   *
   * @param nanoClock a monotonic clock in nanoseconds, by which series expire
   * @param problems counts what the table does not take
   */
  public SeriesTable(SeriesTableOptions options, LongSupplier nanoClock, Problems problems) {
    budget = new EncodedLabelsBudget(options.encodedLabelsBytes());
  }

  @Override
  public MetricCursor open() {
    return new SeriesCursor(budget);
  }

  /** Lets the series go that nothing was heard of for too long. */
  public void expire() {}

  /** How many series there are. */
  public int seriesCount() {
    return 0;
  }
}

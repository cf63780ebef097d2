package dev.millrace.benchmarks.store;

import dev.millrace.benchmarks.store.Workload.LabelSet;
import dev.millrace.store.Histogram;
import dev.millrace.store.MetricStore;
import dev.millrace.store.StoreOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** A process that records the workload in a store and lives until its standard input ends. */
public final class StoreWriter {
  static final String READY = "written";

  private StoreWriter() {}

  /**
   * Writes, says so, and waits.
   *
   * @param arguments the directory, the workload, and 0 to write as this process, or how many
   *     processes that ended it writes the files of
   */
  public static void main(String[] arguments) throws IOException {
    Path directory = Path.of(arguments[0]);
    Workload workload = Workload.valueOf(arguments[1]);
    int dead = Integer.parseInt(arguments[2]);
    for (int i = 0; i < dead; i++) {
      // What has let go of its lock is dead to all others, whichever process it was of.
      write(directory, workload).close();
    }
    MetricStore alive = dead == 0 ? write(directory, workload) : null;
    System.out.println(READY);
    int unused = System.in.read();
    if (alive != null) {
      alive.close();
    }
  }

  private static MetricStore write(Path directory, Workload workload) {
    // Nothing changes in the directory while it is measured.
    StoreOptions options = StoreOptions.builder().retireInterval(Duration.ZERO).build();
    MetricStore store = MetricStore.open(directory, options);
    Histogram histogram = histogram(store);
    for (LabelSet set : workload.labelSets()) {
      Histogram.Series series = histogram.labels(set.database(), set.statement());
      for (double value : Workload.observations()) {
        series.observe(value);
      }
    }
    return store;
  }

  /** The workload's histogram. */
  static Histogram histogram(MetricStore store) {
    return store
        .histogram(Workload.NAME)
        .help(Workload.HELP)
        .labelNames(Workload.DATABASE, Workload.STATEMENT)
        .create();
  }
}

package dev.millrace.store;

import dev.millrace.model.EncodedLabelsBudget;
import dev.millrace.model.MetricCursor;
import dev.millrace.model.MetricSource;
import dev.millrace.model.Problems;
import dev.millrace.store.file.Declaration;
import dev.millrace.store.file.SeriesHome;
import dev.millrace.store.file.StoreCollector;
import dev.millrace.store.file.StoreDirectory;
import dev.millrace.store.file.StoreProblems;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes instruments, and reads the values of all processes that share its directory.
 *
 * <p>Each process has its own file in the directory, which it alone writes; recording is an atomic
 * addition to mapped memory, so values outlive the process, however it ends. As a source, a store
 * gives the sum of all processes, dead ones included, so it does not matter which one is scraped,
 * and a restart does not reset a counter.
 *
 * <p><b>Lifetime.</b> The application owns the store and closes it at its end; without that nothing
 * but the last sample of gauges that are sampled is lost. Recording after {@link #close} does no
 * harm and is lost. A daemon thread samples gauges and retires dead processes.
 *
 * <p>Thread-safe. Recording takes no lock. One collection at a time: a second {@link #open()} waits
 * for the first to close its cursor.
 */
public final class MetricStore implements MetricSource, AutoCloseable {
  /** Makes an instrument. */
  interface Factory<I> {
    I make(SeriesHome home, Problems problems, Declaration declaration, String[] labelNames);
  }

  private final StoreOptions options;
  private final SeriesHome home;
  private final StoreCollector collector;
  private final StoreTimer timer;
  private final @Nullable StoreDirectory directory;
  private final Map<String, Instrument<?>> instruments = new HashMap<>();

  private MetricStore(StoreOptions options, SeriesHome home, @Nullable StoreDirectory directory) {
    this.options = options;
    this.home = home;
    this.directory = directory;
    this.timer = new StoreTimer(options);
    this.collector =
        new StoreCollector(
            this,
            directory,
            home,
            options.processName(),
            options.resource(),
            new EncodedLabelsBudget(options.encodedLabelsLimitBytes()),
            options.problems(),
            options.unixMillis(),
            options.bounds().maxFiles());
  }

  /**
   * A store in a directory, which is made where it is missing, with {@link StoreOptions#defaults}.
   */
  public static MetricStore open(Path directory) {
    return open(directory, StoreOptions.defaults());
  }

  /**
   * A store in a directory, which is made where it is missing.
   *
   * <p>Where the disk is full, or the directory has more files than its bound, the store opens all
   * the same, keeps its values in memory, and counts that.
   *
   * @throws UncheckedIOException if the directory cannot be used: it cannot be made or written, or
   *     is on a network file system
   */
  public static MetricStore open(Path directory, StoreOptions options) {
    SeriesHome home = newHome(options);
    // An interrupt would close the lock that shows that this process lives; it can wait.
    boolean interrupted = Thread.interrupted();
    try {
      StoreDirectory at = StoreDirectory.forWriting(directory);
      home.moveInto(
          at,
          options.processName(),
          options.bounds().maxDirectoryBytes(),
          options.bounds().maxFiles());
      MetricStore store = new MetricStore(options, home, at);
      store.timer.retireEvery(options.retireInterval(), store::retire);
      return store;
    } catch (IOException e) {
      throw new UncheckedIOException("store in " + directory + ": " + e.getMessage(), e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** A store without a directory, of this process alone, with {@link StoreOptions#defaults}. */
  public static MetricStore inMemory() {
    return inMemory(StoreOptions.defaults());
  }

  /** A store without a directory, of this process alone. */
  public static MetricStore inMemory(StoreOptions options) {
    return new MetricStore(options, newHome(options), null);
  }

  private static SeriesHome newHome(StoreOptions options) {
    return new SeriesHome(options.problems(), options.unixMillis(), options.bounds().maxSeries());
  }

  /** Declares a counter. */
  public Counter.Builder counter(String name) {
    return new Counter.Builder(this, name);
  }

  /** Declares an up-down counter. */
  public UpDownCounter.Builder upDownCounter(String name) {
    return new UpDownCounter.Builder(this, name);
  }

  /** Declares a gauge. */
  public Gauge.Builder gauge(String name) {
    return new Gauge.Builder(this, name);
  }

  /** Declares a histogram. */
  public Histogram.Builder histogram(String name) {
    return new Histogram.Builder(this, name);
  }

  /** Declares a summary. */
  public Summary.Builder summary(String name) {
    return new Summary.Builder(this, name);
  }

  /** Declares an info metric. */
  public Info.Builder info(String name) {
    return new Info.Builder(this, name);
  }

  /** Declares a state set. */
  public StateSet.Builder stateSet(String name) {
    return new StateSet.Builder(this, name);
  }

  /** Gives the instrument of a name, or makes it. */
  <I extends Instrument<?>> I create(
      Class<I> type, Declaration declaration, String[] labelNames, Factory<I> factory) {
    synchronized (instruments) {
      Instrument<?> known = instruments.get(declaration.name());
      if (known != null) {
        if (type.isInstance(known) && known.isDeclaredAs(declaration, labelNames)) {
          return type.cast(known);
        }
        String difference = known.declaration().differenceTo(declaration);
        throw new IllegalArgumentException(
            "metric "
                + declaration.name()
                + ": expected the declaration that the store has, found another ("
                + (difference == null ? "other labels" : difference)
                + "); declare it once and share the instrument, or take another name");
      }
      I made = factory.make(home, options.problems(), declaration, labelNames);
      instruments.put(declaration.name(), made);
      return made;
    }
  }

  /** Calls a function at each sample interval. */
  void sample(String name, Runnable function) {
    timer.sample(name, function);
  }

  /** Calls all functions that sample gauges, now and in this thread. */
  public void sampleNow() {
    timer.sampleNow();
  }

  /**
   * Folds the values of dead processes into the directory's totals file, now and in this thread,
   * unless another process is at it. The store does this by itself every {@link
   * StoreOptions#retireInterval}.
   *
   * @return how many processes were folded
   */
  public int retire() {
    home.tellIfGone();
    StoreDirectory at = directory;
    return at == null ? 0 : StoreSource.retire(at, options.problems());
  }

  /** Begins a collection over all processes. */
  @Override
  public MetricCursor open() {
    return collector.open();
  }

  /** What went wrong, by kind. */
  public Problems problems() {
    return options.problems();
  }

  /** How many series this process has. */
  public int seriesCount() {
    return home.seriesCount();
  }

  /** Samples a last time, and lets go of the file: for other processes, this one has ended. */
  @Override
  public void close() {
    timer.close();
    collector.close();
    try {
      home.close();
    } catch (IOException e) {
      options
          .problems()
          .kind(StoreProblems.FILE_UNREADABLE)
          .add(1, () -> "closing the store's file failed; its values are in it: " + e);
    }
  }
}

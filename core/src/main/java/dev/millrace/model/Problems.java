package dev.millrace.model;

import java.util.Collection;
import java.util.Collections;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The kinds of {@link Problem} that one exporter or one agent meets. Kinds are named in the code,
 * never by data, so there are few of them. Thread-safe.
 */
public final class Problems {
  private static final System.Logger LOGGER = System.getLogger("dev.millrace");

  private final ConcurrentSkipListMap<String, Problem> kinds = new ConcurrentSkipListMap<>();
  private final LongSupplier nanoClock;
  private final Consumer<String> log;

  /** Problems that go to the log {@code dev.millrace} as warnings. */
  public Problems() {
    this(System::nanoTime, line -> LOGGER.log(System.Logger.Level.WARNING, line));
  }

  /**
   * Problems on a clock and a log of the caller's.
   *
   * @param nanoClock a monotonic clock in nanoseconds
   * @param log takes each line
   */
  public Problems(LongSupplier nanoClock, Consumer<String> log) {
    this.nanoClock = nanoClock;
    this.log = log;
  }

  /** The kind of that name, the same object each time. */
  public Problem kind(String name) {
    return kinds.computeIfAbsent(name, key -> new Problem(this, key));
  }

  /** All kinds so far, sorted by name. */
  public Collection<Problem> kinds() {
    return Collections.unmodifiableCollection(kinds.values());
  }

  long nanoTime() {
    return nanoClock.getAsLong();
  }

  void log(String name, long occurrences, String detail) {
    log.accept(
        occurrences == 1 ? name + ": " + detail : name + " (" + occurrences + " times): " + detail);
  }
}

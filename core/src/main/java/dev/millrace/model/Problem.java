package dev.millrace.model;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/**
 * One kind of thing that goes wrong with data, such as two metrics of one name and different types.
 * Every occurrence is counted; the log has the first one, and from then on at most one line a
 * minute that says how many came since.
 *
 * <p>Thread-safe, lock-free. Counting allocates nothing.
 */
public final class Problem {
  /** How long the log is quiet about one kind after a line about it. */
  public static final long QUIET_NANOS = 60_000_000_000L;

  private final Problems owner;
  private final String name;
  private final LongAdder count = new LongAdder();
  private final AtomicLong logged = new AtomicLong();
  private final AtomicLong quietUntilNanos;

  Problem(Problems owner, String name) {
    this.owner = owner;
    this.name = name;
    this.quietUntilNanos = new AtomicLong(owner.nanoTime());
  }

  /** The kind's name in metrics and in the log: words in snake case. */
  public String name() {
    return name;
  }

  /** How many occurrences there were. */
  public long count() {
    return count.sum();
  }

  /**
   * Counts occurrences, and logs if the log has been quiet about this kind long enough.
   *
   * @param occurrences 1 or more
   * @param detail what was expected, what was found and what to do, without secrets; called only
   *     for a log line
   */
  public void add(long occurrences, Supplier<String> detail) {
    count.add(occurrences);
    long now = owner.nanoTime();
    long until = quietUntilNanos.get();
    if (now - until >= 0 && quietUntilNanos.compareAndSet(until, now + QUIET_NANOS)) {
      long total = count.sum();
      long sinceLast = total - logged.getAndSet(total);
      owner.log(name, sinceLast, detail.get());
    }
  }
}

package dev.millrace.store;

import dev.millrace.model.Problems;
import dev.millrace.model.Resource;
import dev.millrace.store.file.StoreDirectory;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;

/** The options of a {@link MetricStore} and of a {@link StoreSource}. Immutable. */
public final class StoreOptions {
  private static final Pattern PROCESS_NAME =
      Pattern.compile("[A-Za-z0-9_-]{1," + StoreDirectory.MAX_PROCESS_NAME_CHARS + "}");

  private final Builder values;

  private StoreOptions(Builder values) {
    this.values = values;
  }

  /** The defaults, as {@link Builder} gives them, with {@link Problems} of its own. */
  public static StoreOptions defaults() {
    return builder().build();
  }

  /** A builder with the defaults. */
  public static Builder builder() {
    return new Builder();
  }

  /** The wanted value of the label {@code pid}. */
  public String processName() {
    return values.processName;
  }

  /** How large the store may get. */
  public StoreBounds bounds() {
    return values.bounds;
  }

  /** How often dead processes are looked for; zero for never. */
  public Duration retireInterval() {
    return values.retireInterval;
  }

  /** How often functions that sample gauges are called. */
  public Duration sampleInterval() {
    return values.sampleInterval;
  }

  /** The most bytes of memory for encoded labels. */
  public long encodedLabelsLimitBytes() {
    return values.encodedLabelsLimitBytes;
  }

  /** Where what goes wrong is counted. */
  public Problems problems() {
    return values.problems;
  }

  /** The resource of all metrics. */
  public Resource resource() {
    return values.resource;
  }

  /** The wall clock, in milliseconds since the Unix epoch. */
  public LongSupplier unixMillis() {
    return values.unixMillis;
  }

  /** Collects options. Not thread-safe. */
  public static final class Builder {
    private String processName = Long.toString(ProcessHandle.current().pid());
    private StoreBounds bounds = StoreBounds.DEFAULT;
    private Duration retireInterval = Duration.ofSeconds(30);
    private Duration sampleInterval = Duration.ofSeconds(10);
    private long encodedLabelsLimitBytes = 256L << 20;
    private Problems problems = new Problems();
    private Resource resource = Resource.EMPTY;
    private LongSupplier unixMillis = System::currentTimeMillis;

    private Builder() {}

    private Builder(Builder from) {
      processName = from.processName;
      bounds = from.bounds;
      retireInterval = from.retireInterval;
      sampleInterval = from.sampleInterval;
      encodedLabelsLimitBytes = from.encodedLabelsLimitBytes;
      problems = from.problems;
      resource = from.resource;
      unixMillis = from.unixMillis;
    }

    /**
     * The value of the label {@code pid} on gauges that are kept for each process; the process id
     * by default. Where another process in the directory has it, a number is appended.
     *
     * @param processName 1 to 64 letters, digits, {@code _} and {@code -}
     */
    public Builder processName(String processName) {
      if (!PROCESS_NAME.matcher(processName).matches()) {
        throw new IllegalArgumentException(
            "processName: expected 1 to 64 letters, digits, _ and -, found '" + processName + "'");
      }
      this.processName = processName;
      return this;
    }

    /** How large the store may get; {@link StoreBounds#DEFAULT} by default. */
    public Builder bounds(StoreBounds bounds) {
      this.bounds = bounds;
      return this;
    }

    /**
     * How often this process looks for dead ones and folds their values into the totals file; 30
     * seconds by default.
     *
     * @param retireInterval zero for never, else at least a second
     */
    public Builder retireInterval(Duration retireInterval) {
      if (!retireInterval.isZero() && retireInterval.compareTo(Duration.ofSeconds(1)) < 0) {
        throw new IllegalArgumentException(
            "retireInterval: expected zero or at least 1 second, found " + retireInterval);
      }
      this.retireInterval = retireInterval;
      return this;
    }

    /**
     * How often functions that sample gauges are called; 10 seconds by default.
     *
     * @param sampleInterval at least a millisecond
     */
    public Builder sampleInterval(Duration sampleInterval) {
      if (sampleInterval.compareTo(Duration.ofMillis(1)) < 0) {
        throw new IllegalArgumentException(
            "sampleInterval: expected at least 1 millisecond, found " + sampleInterval);
      }
      this.sampleInterval = sampleInterval;
      return this;
    }

    /**
     * The most bytes of memory that encoded labels may take; 256 MiB by default, which a million
     * usual series need. Past it they are encoded again at each scrape.
     *
     * @param encodedLabelsLimitBytes 0 or more
     */
    public Builder encodedLabelsLimitBytes(long encodedLabelsLimitBytes) {
      if (encodedLabelsLimitBytes < 0) {
        throw new IllegalArgumentException(
            "encodedLabelsLimitBytes: expected 0 or more, found " + encodedLabelsLimitBytes);
      }
      this.encodedLabelsLimitBytes = encodedLabelsLimitBytes;
      return this;
    }

    /** Where what goes wrong is counted; by default the store has its own and logs. */
    public Builder problems(Problems problems) {
      this.problems = problems;
      return this;
    }

    /** The resource of all metrics; the empty one by default. */
    public Builder resource(Resource resource) {
      this.resource = resource;
      return this;
    }

    /**
     * The wall clock: of created timestamps, of exemplars, and of the gauges that keep the latest
     * value.
     *
     * @param unixMillis gives milliseconds since the Unix epoch; the system's clock by default
     */
    public Builder clock(LongSupplier unixMillis) {
      this.unixMillis = unixMillis;
      return this;
    }

    /** The options. */
    public StoreOptions build() {
      return new StoreOptions(new Builder(this));
    }
  }
}

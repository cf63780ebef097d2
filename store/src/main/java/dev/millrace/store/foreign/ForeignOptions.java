package dev.millrace.store.foreign;

import dev.millrace.model.Problems;
import dev.millrace.model.Resource;
import java.nio.file.Path;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The options of a {@link ForeignSource}. Immutable. */
public final class ForeignOptions {
  private final Builder values;

  private ForeignOptions(Builder values) {
    this.values = values;
  }

  /** The defaults, as {@link Builder} gives them, with {@link Problems} of its own. */
  public static ForeignOptions defaults() {
    return builder().build();
  }

  /** A builder with the defaults. */
  public static Builder builder() {
    return new Builder();
  }

  /** Whose files are read. */
  public ForeignClient client() {
    return values.client;
  }

  /** The schema file; {@code null} for the one in the directory, if there is one. */
  public @Nullable Path schema() {
    return values.schema;
  }

  /** How much is read. */
  public ForeignBounds bounds() {
    return values.bounds;
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
    private ForeignClient client = ForeignClient.AUTO;
    private @Nullable Path schema;
    private ForeignBounds bounds = ForeignBounds.DEFAULT;
    private long encodedLabelsLimitBytes = 256L << 20;
    private Problems problems = new Problems();
    private Resource resource = Resource.EMPTY;
    private LongSupplier unixMillis = System::currentTimeMillis;

    private Builder() {}

    private Builder(Builder from) {
      client = from.client;
      schema = from.schema;
      bounds = from.bounds;
      encodedLabelsLimitBytes = from.encodedLabelsLimitBytes;
      problems = from.problems;
      resource = from.resource;
      unixMillis = from.unixMillis;
    }

    /** Whose files to read; the others' are left alone. {@link ForeignClient#AUTO} by default. */
    public Builder client(ForeignClient client) {
      this.client = client;
      return this;
    }

    /**
     * A file that tells what client_ruby's files do not: a JSON array with an object for each
     * metric, of {@code name}, {@code type} (counter, gauge, histogram or summary), {@code help},
     * {@code aggregation} (sum, max, min, all or most_recent) and {@code buckets}. It is read again
     * when it changes. Metrics that it does not name are samples of unknown type, which are summed.
     * By default {@code metrics.json} in the directory, if it is there.
     */
    public Builder schema(Path schema) {
      this.schema = schema;
      return this;
    }

    /** How much to read; {@link ForeignBounds#DEFAULT} by default. */
    public Builder bounds(ForeignBounds bounds) {
      this.bounds = bounds;
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

    /** Where what goes wrong is counted; by default the source has its own and logs. */
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
     * The wall clock, for the time of points.
     *
     * @param unixMillis gives milliseconds since the Unix epoch; the system's clock by default
     */
    public Builder clock(LongSupplier unixMillis) {
      this.unixMillis = unixMillis;
      return this;
    }

    /** The options. */
    public ForeignOptions build() {
      return new ForeignOptions(new Builder(this));
    }
  }
}

package dev.millrace.store;

import dev.millrace.model.ExplicitBounds;
import dev.millrace.model.Problems;
import dev.millrace.store.file.CellLayout;
import dev.millrace.store.file.Cells;
import dev.millrace.store.file.Declaration;
import dev.millrace.store.file.InstrumentKind;
import dev.millrace.store.file.SeriesHome;
import dev.millrace.store.file.Shape;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * How observed values are spread: over buckets with explicit upper bounds or, by option, over
 * exponential buckets that fit themselves to the values. All processes' are added, those of dead
 * ones too.
 *
 * <p>The count is the sum of the buckets, so it always fits them. A reader sees a sum that may be
 * ahead of the count by the observations that are under way at that moment, one a thread.
 */
public final class Histogram extends Instrument<Histogram.Series> {
  /** Upper bounds by default, in seconds: those that Prometheus clients share. */
  private static final double[] DEFAULT_BOUNDS = {
    0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10
  };

  private final Series refused;
  private final Series only;

  Histogram(SeriesHome home, Problems problems, Declaration declaration, String[] labelNames) {
    super(home, problems, declaration, labelNames);
    Cells scrap = home.scrap(declaration);
    refused = isExponential() ? new DroppingSeries(this) : new ExplicitSeries(this, scrap);
    only = hasLabels() ? refused : labels();
  }

  private boolean isExponential() {
    return declaration().kind() == InstrumentKind.EXPONENTIAL_HISTOGRAM;
  }

  /** Observes a value of the metric without labels; see {@link Series#observe(double)}. */
  public void observe(double value) {
    (hasLabels() ? labels() : only).observe(value);
  }

  @Override
  @Nullable Series add(String[] values) {
    dev.millrace.model.Labels labels = labelsOf(values).build();
    if (isExponential()) {
      Shape empty = new Shape(declaration().maxScale(), 0, 0, 0, 0);
      Cells cells = newCells(labels, empty);
      return cells == null ? null : new ExponentialSeries(this, labels, cells, empty);
    }
    Cells cells = newCells(labels, Shape.NONE);
    return cells == null ? null : new ExplicitSeries(this, cells);
  }

  @Override
  Series refused() {
    return refused;
  }

  /**
   * One series. Thread-safe and, but for the moments in which an exponential histogram gets wider,
   * lock-free; allocates nothing but in these moments, and never fails.
   */
  public abstract static sealed class Series
      permits ExplicitSeries, dev.millrace.store.ExponentialSeries, DroppingSeries {
    final Histogram owner;

    Series(Histogram owner) {
      this.owner = owner;
    }

    /** Observes a value; an infinite one and NaN are refused and counted. */
    public final void observe(double value) {
      if (!Double.isFinite(value)) {
        owner.refuseValue("expected to observe a finite number");
        return;
      }
      record(value);
    }

    /**
     * Observes a value and keeps the trace as the bucket's exemplar, if the histogram was declared
     * with exemplars and the ids are valid.
     *
     * @param traceId 32 hexadecimal digits
     * @param spanId 16 hexadecimal digits
     */
    public final void observe(double value, CharSequence traceId, CharSequence spanId) {
      observe(value);
      if (Double.isFinite(value) && TraceIds.areValid(traceId, spanId)) {
        recordExemplar(
            value,
            owner.home().unixMillis(),
            TraceIds.high(traceId),
            TraceIds.low(traceId),
            TraceIds.span(spanId));
      }
    }

    abstract void record(double value);

    abstract void recordExemplar(
        double value, long timeMillis, long traceHigh, long traceLow, long spanId);
  }

  /** Explicit bounds. */
  private static final class ExplicitSeries extends Series {
    /** Up to this many bounds a scan from the start is faster than halving. */
    private static final int SCAN_BOUNDS = 24;

    private final Cells cells;
    private final double[] bounds;

    ExplicitSeries(Histogram owner, Cells cells) {
      super(owner);
      this.cells = cells;
      this.bounds = owner.declaration().bounds();
    }

    @Override
    void record(double value) {
      int bucket = bucketOf(value);
      cells.addDouble(CellLayout.SUM_CELL, value);
      cells.addLong(CellLayout.FIRST_BUCKET_CELL + bucket, 1);
    }

    private int bucketOf(double value) {
      double[] upper = bounds;
      if (upper.length <= SCAN_BOUNDS) {
        int bucket = 0;
        while (bucket < upper.length && value > upper[bucket]) {
          bucket++;
        }
        return bucket;
      }
      return ExplicitBounds.bucketOf(value, upper, upper.length);
    }

    @Override
    void recordExemplar(double value, long timeMillis, long traceHigh, long traceLow, long spanId) {
      if (cells.exemplarSlots() > 0) {
        cells.putExemplar(
            bucketOf(value),
            Double.doubleToRawLongBits(value),
            timeMillis,
            traceHigh,
            traceLow,
            spanId);
      }
    }
  }

  /** An exponential series that was refused. */
  private static final class DroppingSeries extends Series {
    DroppingSeries(Histogram owner) {
      super(owner);
    }

    @Override
    void record(double value) {}

    @Override
    void recordExemplar(
        double value, long timeMillis, long traceHigh, long traceLow, long spanId) {}
  }

  /** Declares a histogram. */
  public static final class Builder extends InstrumentBuilder<Builder, Histogram> {
    /** The greatest scale by default: the greatest that Prometheus keeps. */
    private static final int DEFAULT_MAX_SCALE = 8;

    /** The most buckets a sign by default (OpenTelemetry SDK specification, "MaxSize"). */
    private static final int DEFAULT_MAX_BUCKETS = 160;

    private double[] bounds = DEFAULT_BOUNDS;
    private boolean exponential;
    private int maxScale;
    private int maxBuckets;
    private boolean exemplars;

    Builder(MetricStore store, String name) {
      super(store, name);
    }

    /**
     * The upper bounds of all buckets but the last, inclusive; by default those of Prometheus
     * clients, from 5 ms to 10 s.
     *
     * @param upperBounds finite and rising, at most 8,191; none at all for a sum and a count
     */
    public Builder bounds(double... upperBounds) {
      if (upperBounds.length > MAX_BOUNDS) {
        throw new IllegalArgumentException(
            name() + ": expected at most " + MAX_BOUNDS + " bounds, found " + upperBounds.length);
      }
      for (int i = 0; i < upperBounds.length; i++) {
        if (!Double.isFinite(upperBounds[i]) || (i > 0 && !(upperBounds[i] > upperBounds[i - 1]))) {
          throw new IllegalArgumentException(
              name()
                  + ": expected finite, rising bounds without +Inf, found "
                  + Arrays.toString(upperBounds));
        }
      }
      bounds = upperBounds.clone();
      exponential = false;
      return this;
    }

    /** The most bounds of a histogram: 64 KiB a series. */
    public static final int MAX_BOUNDS = 8191;

    /** Exponential buckets: scale 8 at most, 160 buckets a sign at most. */
    public Builder exponential() {
      return exponential(DEFAULT_MAX_SCALE, DEFAULT_MAX_BUCKETS);
    }

    /**
     * Exponential buckets.
     *
     * @param greatestScale from -10 to 20
     * @param mostBuckets of each sign, from 2 to 8,192
     */
    public Builder exponential(int greatestScale, int mostBuckets) {
      if (greatestScale < Shape.MIN_SCALE
          || greatestScale > Shape.MAX_SCALE
          || mostBuckets < 2
          || mostBuckets > Shape.MAX_BUCKETS) {
        throw new IllegalArgumentException(
            name()
                + ": expected a scale from -10 to 20 and 2 to 8192 buckets, found "
                + greatestScale
                + " and "
                + mostBuckets);
      }
      exponential = true;
      maxScale = greatestScale;
      maxBuckets = mostBuckets;
      return this;
    }

    /** Each bucket keeps one exemplar, of an exponential histogram four in all: 64 bytes each. */
    public Builder exemplars() {
      exemplars = true;
      return this;
    }

    @Override
    Builder self() {
      return this;
    }

    @Override
    public Histogram create() {
      Declaration declaration =
          exponential
              ? declaration(
                  InstrumentKind.EXPONENTIAL_HISTOGRAM,
                  exemplars,
                  Declaration.NO_BOUNDS,
                  maxScale,
                  maxBuckets)
              : declaration(InstrumentKind.HISTOGRAM, exemplars, bounds, 0, 0);
      return store.create(Histogram.class, declaration, checkedLabelNames("le"), Histogram::new);
    }
  }
}

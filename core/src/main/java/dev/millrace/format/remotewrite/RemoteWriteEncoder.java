package dev.millrace.format.remotewrite;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.format.prometheus.ExponentialHistograms;
import dev.millrace.format.prometheus.PrometheusOptions;
import dev.millrace.format.translation.Fault;
import dev.millrace.format.translation.Faults;
import dev.millrace.format.translation.LabelNames;
import dev.millrace.format.translation.NameEscaping;
import dev.millrace.format.translation.Naming;
import dev.millrace.format.translation.NamingStrategy;
import dev.millrace.format.translation.Plan;
import dev.millrace.format.translation.Plans;
import dev.millrace.format.translation.TranslationOptions;
import dev.millrace.model.MetricCursor;
import dev.millrace.model.Problems;
import dev.millrace.model.Series;
import java.util.List;

/**
 * Makes finished requests of metrics.
 *
 * <p>Series are spread over shards by a hash of their labels. Each shard has one open request, to
 * which one call after another adds, and which goes to the sink when it is full or on {@link
 * #flush}. A shard's requests hold each series' samples in the order of time.
 *
 * <p>Points that cannot be sent are left out and counted in the {@link Problems}: what the scrape
 * exporter leaves out, too, under the same kinds ({@code prometheus_}...), and besides those what
 * is too old ({@code remote_write_too_old}) and what is older than the last sample of its series
 * ({@code remote_write_out_of_order}). A point of the same time as the last one of its series is
 * the same point, and is not sent again. Points without a time have that of the call.
 *
 * <p>Not thread-safe: one thread at a time. It keeps what it planned for a source and, of each
 * series of the last complete collection, the labels as they are written; all of it for one source
 * at a time. The owner closes it.
 *
 * <pre>{@code
 * RemoteWriteEncoder encoder =
 *     new RemoteWriteEncoder(RemoteWriteEncodingOptions.DEFAULT, pool, new Problems());
 * try (MetricCursor cursor = source.open()) {
 *   encoder.encode(cursor, System.currentTimeMillis(), true, sink);
 * }
 * encoder.flush(sink);
 * encoder.endAll(System.currentTimeMillis(), sink);
 * encoder.close();
 * assert pool.outstandingChunks() == 0; // if the sink closes what it takes
 * }</pre>
 */
public final class RemoteWriteEncoder implements AutoCloseable {
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final RemoteWriteEncodingOptions options;
  private final TranslationOptions translation;
  private final LabelNames labelNames;
  private final LabelNames exemplarNames;
  private final Faults faults;
  private final Losses losses;
  private final Shards shards;
  private final SeriesEncoder encoder;
  private final SeriesTracker tracker;
  private final MetricList metrics;
  private Plans plans;
  private WriterSet writers;
  private RemoteWriteVersion wanted;
  private long nowUnixMillis;

  /**
   * An encoder to which nothing was added.
   *
   * @param pool gives the memory of requests
   * @param problems takes what is wrong with metrics
   * @throws IllegalStateException if the native library of the compression cannot be loaded
   */
  public RemoteWriteEncoder(RemoteWriteEncodingOptions options, ChunkPool pool, Problems problems) {
    this.options = options;
    translation = translation(options);
    Naming naming = naming(options.prometheus());
    labelNames = new LabelNames(naming, translation);
    exemplarNames = new LabelNames(naming, translation);
    faults = new Faults(problems);
    losses = new Losses(problems);
    shards = new Shards(options, pool);
    encoder = new SeriesEncoder(labelNames, shards.tables(), options.version());
    tracker = new SeriesTracker(encoder);
    metrics = new MetricList(shards.tables());
    wanted = options.version();
    RemoteWriteSyntax syntax = syntax(wanted);
    plans = plans(syntax);
    writers = writers(syntax);
  }

  /**
   * Changes the version of what is written from here on. What is open of the version before is
   * finished by the next call that has a sink.
   */
  public void version(RemoteWriteVersion version) {
    wanted = version;
  }

  /** The version of the requests that are open, or will be. */
  public RemoteWriteVersion version() {
    return wanted;
  }

  /**
   * Adds the points of a cursor to the open requests. What is full goes to the sink.
   *
   * @param cursor stays open; it stands anywhere afterwards
   * @param nowUnixMillis the time of the collection, in milliseconds since the Unix epoch
   * @param complete whether the cursor shows every series that lives: those of the last complete
   *     collection that it does not show have ended, and get stale markers. An incomplete
   *     collection, of what is new only, ends nothing, and nothing is kept of series that were in
   *     no complete one
   * @param sink takes finished requests, in this call only; what it throws ends the call, and what
   *     was not added then is lost
   */
  public void encode(MetricCursor cursor, long nowUnixMillis, boolean complete, RequestSink sink) {
    changeVersion(sink);
    Plan plan = plans.of(cursor, faults);
    if (!metrics.isOf(plan)) {
      metrics.take(plan, writers);
    }
    begin(nowUnixMillis, complete, sink);
    boolean done = false;
    try {
      writeTargets(cursor, complete);
      for (int i = 0; i < plan.families().size(); i++) {
        writeFamily(cursor, metrics.families().get(i));
        faults.count(Fault.RESERVED_LABEL, encoder.takeReservedLabels());
        faults.report(plan.families().get(i).details);
      }
      writeSilent();
      if (complete) {
        metrics.end(tracker.generation(), tracker);
        tracker.writeEnds(nowUnixMillis, options.staleMarkers());
      }
      done = true;
    } finally {
      end(done);
    }
  }

  /**
   * Ends all series of the last complete collection, as the end of a process does: with stale
   * markers, unless the options say otherwise. {@link #flush} then sends the last of them.
   *
   * @param nowUnixMillis the time of the markers; those of series with a later sample are a
   *     millisecond later than that
   */
  public void endAll(long nowUnixMillis, RequestSink sink) {
    changeVersion(sink);
    begin(nowUnixMillis, true, sink);
    boolean done = false;
    try {
      metrics.end(tracker.generation(), tracker);
      tracker.writeEnds(nowUnixMillis, options.staleMarkers());
      done = true;
    } finally {
      end(done);
    }
  }

  /** Finishes all open requests that hold something. */
  public void flush(RequestSink sink) {
    shards.flush(sink);
    changeVersion(sink);
  }

  /** Gives back the memory of requests that are not finished, and forgets all series. */
  @Override
  public void close() {
    shards.close();
    metrics.clear();
  }

  private void begin(long now, boolean isComplete, RequestSink sink) {
    nowUnixMillis = now;
    shards.begin(now, sink, encoder);
    tracker.begin(isComplete);
    metrics.begin();
  }

  private void end(boolean done) {
    shards.end();
    tracker.silent().clear();
    if (!done) {
      metrics.keep(tracker.generation());
    }
    tracker.dropGuests();
    metrics.dropEmpty();
    losses.report();
  }

  private void writeTargets(MetricCursor cursor, boolean complete) {
    MetricSeries targets = metrics.targets();
    List<TargetSeries> series = metrics.targetSeries();
    for (int i = 0; targets != null && i < series.size(); i++) {
      if (!series.get(i).isDue(nowUnixMillis, complete)) {
        continue;
      }
      LiveSeries live = live(targets, series.get(i));
      if (tracker.see(live)) {
        write(cursor, targets, live, nowUnixMillis, 0);
      }
    }
  }

  private void writeFamily(MetricCursor cursor, List<MetricSeries> family) {
    for (int i = 0; i < family.size(); i++) {
      MetricSeries metric = family.get(i);
      cursor.seekMetric(metric.member.index);
      while (cursor.nextPoint()) {
        writePoint(cursor, metric);
      }
    }
  }

  private void writePoint(MetricCursor cursor, MetricSeries metric) {
    long nanos = cursor.timeUnixNanos();
    long unixMillis = nanos > 0 ? nanos / NANOS_PER_MILLI : nowUnixMillis;
    if (cursor.noRecordedValue()) {
      tracker.seeSilent(live(metric, cursor.series()), unixMillis);
      return;
    }
    Fault fault = metric.writer.check(cursor, metric.member);
    if (fault != null) {
      faults.count(fault, 1);
      LiveSeries known = tracker.known(metric, cursor.series());
      if (known != null) {
        tracker.see(known);
      }
      return;
    }
    LiveSeries series = live(metric, cursor.series());
    if (!tracker.see(series)) {
      faults.count(Fault.DUPLICATE_SERIES, 1);
      return;
    }
    long start = cursor.startTimeUnixNanos();
    long startUnixMillis = start > 0 ? start / NANOS_PER_MILLI : 0;
    write(cursor, metric, series, unixMillis, startUnixMillis <= unixMillis ? startUnixMillis : 0);
  }

  private LiveSeries live(MetricSeries metric, Series series) {
    LiveSeries known = tracker.known(metric, series);
    return known != null ? known : tracker.make(metric, series);
  }

  private void write(
      MetricCursor cursor,
      MetricSeries metric,
      LiveSeries series,
      long unixMillis,
      long startUnixMillis) {
    if (unixMillis <= series.lastUnixMillis) {
      if (unixMillis < series.lastUnixMillis) {
        losses.countOutOfOrder();
      }
      return;
    }
    if (isTooOld(unixMillis)) {
      losses.countTooOld();
      return;
    }
    metric.writer.write(cursor, series, unixMillis, startUnixMillis);
    series.lastUnixMillis = unixMillis;
    series.stale = false;
  }

  /** Writes stale markers for the series that their source says have no value any more. */
  private void writeSilent() {
    List<LiveSeries> silent = tracker.silent();
    for (int i = 0; i < silent.size(); i++) {
      LiveSeries series = silent.get(i);
      if (series.secondary || !options.staleMarkers()) {
        continue;
      }
      long unixMillis = series.silentUnixMillis;
      if (series.lastUnixMillis != LiveSeries.NEVER) {
        unixMillis = Math.max(unixMillis, series.lastUnixMillis + 1);
      }
      if (isTooOld(unixMillis)) {
        losses.countTooOld();
      } else {
        series.metric.writer.writeStale(series, unixMillis);
        series.lastUnixMillis = unixMillis;
        series.stale = true;
      }
    }
    silent.clear();
  }

  private boolean isTooOld(long unixMillis) {
    long maxAgeMillis = options.limits().maxAgeMillis();
    return maxAgeMillis > 0 && unixMillis < nowUnixMillis - maxAgeMillis;
  }

  private void changeVersion(RequestSink sink) {
    if (wanted == shards.version()) {
      return;
    }
    shards.flush(sink);
    metrics.releaseSymbols(encoder);
    shards.version(wanted);
    encoder.version(wanted);
    if (options.customBuckets()) {
      // Histograms become other series.
      RemoteWriteSyntax syntax = syntax(wanted);
      plans = plans(syntax);
      writers = writers(syntax);
    }
  }

  private RemoteWriteSyntax syntax(RemoteWriteVersion version) {
    boolean customBuckets = options.customBuckets() && version == RemoteWriteVersion.V2;
    return new RemoteWriteSyntax(options.nativeHistograms(), customBuckets);
  }

  private Plans plans(RemoteWriteSyntax syntax) {
    return new Plans(syntax, translation, labelNames);
  }

  private WriterSet writers(RemoteWriteSyntax syntax) {
    return new WriterSet(
        syntax, options.prometheus().exponentialHistograms(), shards, exemplarNames, faults);
  }

  private static TranslationOptions translation(RemoteWriteEncodingOptions options) {
    PrometheusOptions prometheus = options.prometheus();
    return new TranslationOptions(
        prometheus.targetLabels(),
        prometheus.scopeLabels(),
        prometheus.targetInfo(),
        prometheus.exponentialHistograms() == ExponentialHistograms.OMITTED,
        prometheus::promotesResourceAttribute,
        options.externalLabels());
  }

  private static Naming naming(PrometheusOptions prometheus) {
    return new Naming(
        new NamingStrategy(
            prometheus.translationStrategy().escapesToUnderscores(),
            prometheus.translationStrategy().addsSuffixes()),
        NameEscaping.Scheme.ALLOW_UTF_8);
  }
}

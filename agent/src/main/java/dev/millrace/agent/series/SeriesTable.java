package dev.millrace.agent.series;

import dev.millrace.bytes.ByteBudget;
import dev.millrace.model.EncodedLabelsBudget;
import dev.millrace.model.Labels;
import dev.millrace.model.MetricCursor;
import dev.millrace.model.MetricDescriptor;
import dev.millrace.model.MetricKind;
import dev.millrace.model.MetricSource;
import dev.millrace.model.Problems;
import dev.millrace.model.Resource;
import dev.millrace.model.Scope;
import dev.millrace.model.Temporality;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The latest value of each series that was received, and the agent's own.
 *
 * <p><b>What is one.</b> A target is what has one {@code job} and {@code instance} in Prometheus:
 * the attributes {@code service.namespace}, {@code service.name} and {@code service.instance.id} of
 * a resource. Resources that share them share their series, and the newest of them is the target's.
 * A metric is what has one scope, name, unit, kind and monotonicity in a target; its description
 * and type hint are those that came first. Temporality does not tell metrics apart, because what
 * comes as delta is accumulated and stands here as cumulative.
 *
 * <p><b>Values.</b> Of cumulative points and gauges the latest by time holds, and older ones are
 * dropped. Delta points are added up from the start of the first one; one that ends no later, or
 * begins earlier, than the end of the last is not added; gaps are accepted. A delta histogram whose
 * bounds change starts anew, with a new start time. Exponential ones are merged at the scale that
 * both allow. A point without recorded value ends its series until the next value comes.
 *
 * <p><b>Exemplars.</b> A series keeps the newest that it has heard of: one, a histogram one for
 * each bucket, an exponential one a few. They go when the series begins anew or gets other bounds.
 * All of them share {@link SeriesTableOptions#exemplarBytes}; those that find no room are counted.
 *
 * <p><b>Every point.</b> Where {@link PointPolicy#everyPoint} is asked for, {@link #unreadPoints}
 * shows each point once. A series holds one that was not shown: the next one waits until it was. A
 * series that expires first shows its end, and leaves when that was shown.
 *
 * <p><b>Leaving.</b> {@link #expire} lets a series go whose last accepted value came longer ago
 * than {@link SeriesTableOptions#expirationNanos}, by the clock and not by the times in points, and
 * with the last series its metric, scope and target. So a sender whose clock was set back is read
 * again after that time.
 *
 * <p><b>Assumptions and guarantees.</b> Safe for any number of recording threads, cursors and
 * expiring threads. A point of a series that is there waits for other threads only while they copy
 * one point of the same metric or sweep some of its series, and allocates nothing. What is new to
 * the table waits as well while lists of metrics are copied and indexes grow. A cursor holds no
 * lock between calls, however slow its reader is; it shows the metrics and resources that there
 * were when it was opened, the series that there were when it went to the metric, and values of the
 * moment, those of one point together.
 *
 * <p><b>Memory.</b> A series of five labels, a hundred bytes in all, takes about 300 bytes, and a
 * histogram of 16 buckets 180 more; the first exemplar takes about 120, and each further one 56.
 */
public final class SeriesTable implements MetricSource {
  /**
   * Series remember when they were heard of in ticks of 2^20 nanoseconds, about a millisecond: 32
   * bits of them last for 24 days, more than three times the longest life.
   */
  private static final int TICK_SHIFT = 20;

  /** How often a plan of metrics is made without the lock before it is made under it. */
  private static final int OPTIMISTIC_SNAPSHOTS = 3;

  /** The metrics and their resources at one version. Immutable, also in its arrays. */
  record Snapshot(long version, List<MetricEntry> metrics, List<Resource> resources) {}

  private final SeriesTableOptions options;
  private final LongSupplier nanoClock;
  private final Problems problems;
  private final long originNanos;
  private final int lifeTicks;
  private final EncodedLabelsBudget budget;
  private final ByteBudget exemplarBudget;
  private final LabelHash labelHash = new LabelHash(new SecureRandom().nextLong());
  private final AtomicInteger seriesCount = new AtomicInteger();
  private final LongAdder acceptedPoints = new LongAdder();
  private final LongAdder rejectedPoints = new LongAdder();
  private final Object expiring = new Object();

  /** Guards what follows, and is taken before the locks of targets and metrics. */
  private final Object lock = new Object();

  private final HashIndex<Target> targetsByResource = new HashIndex<>();
  private final Map<Target.Key, Target> targets = new HashMap<>();
  private final List<MetricEntry> metrics = new ArrayList<>();
  private final AtomicLong version = new AtomicLong();
  private final UnreadPoints unreadPoints;
  private volatile Snapshot snapshot = new Snapshot(0, List.of(), List.of());

  /**
   * An empty table.
   *
   * @param nanoClock a monotonic clock in nanoseconds, by which series expire
   * @param problems counts what the table does not take
   */
  public SeriesTable(SeriesTableOptions options, LongSupplier nanoClock, Problems problems) {
    this.options = options;
    this.nanoClock = nanoClock;
    this.problems = problems;
    originNanos = nanoClock.getAsLong();
    lifeTicks = (int) (options.expirationNanos() >> TICK_SHIFT);
    budget = new EncodedLabelsBudget(options.encodedLabelsBytes());
    exemplarBudget = new ByteBudget(options.exemplarBytes());
    unreadPoints = new UnreadPoints(this, budget);
  }

  /** The bounds of the table. */
  public SeriesTableOptions options() {
    return options;
  }

  /** What attributes have to be hashed with, to be looked up in this table. */
  public LabelHash labelHash() {
    return labelHash;
  }

  /** A recorder of its own for one thread at a time. */
  public Recorder recorder() {
    return new Recorder(this);
  }

  /**
   * The points that were not shown yet, where {@link PointPolicy#everyPoint} is asked for; else
   * there are none.
   */
  public UnreadPoints unreadPoints() {
    return unreadPoints;
  }

  /** A cursor over what is there now. Any number may be open at once; none waits for another. */
  @Override
  public MetricCursor open() {
    return new SeriesCursor(this, currentSnapshot(), budget, options.maxBuckets());
  }

  /**
   * Lets the series go that nothing was heard of for too long, and what is empty then. To be called
   * about once a second: it looks at the series of a metric only when one of them can be due.
   */
  public void expire() {
    synchronized (expiring) {
      int now = tick();
      List<MetricEntry> empty = new ArrayList<>();
      for (MetricEntry metric : currentSnapshot().metrics()) {
        releaseSeriesSlots(metric.sweep(now, lifeTicks, budget));
        if (metric.seriesCount() == 0) {
          empty.add(metric);
        }
      }
      if (!empty.isEmpty()) {
        removeEmpty(empty);
      }
    }
  }

  /** How many series there are; the agent's own do not count. */
  public int seriesCount() {
    return seriesCount.get();
  }

  /** How many bytes the exemplars of all series take. */
  public long exemplarBytes() {
    return exemplarBudget.usedBytes();
  }

  /** How many points were taken over since the table was made. */
  public long acceptedPoints() {
    return acceptedPoints.sum();
  }

  /** How many points of requests that could be read were not taken over, since then. */
  public long rejectedPoints() {
    return rejectedPoints.sum();
  }

  void countPoints(long accepted, long rejected) {
    acceptedPoints.add(accepted);
    rejectedPoints.add(rejected);
  }

  /** How many metrics there are, the agent's own among them. */
  public int metricCount() {
    synchronized (lock) {
      return metrics.size();
    }
  }

  /**
   * Makes a series of the agent's own, which does not expire and does not count as one of {@link
   * SeriesTableOptions#maxSeries}.
   *
   * @param resource the agent's; no resource that is received replaces it
   * @param descriptor of a gauge or a cumulative sum
   * @param startTimeUnixNanos when it began, or 0 where that is not known
   * @return a handle for setting the value, the same series for the same arguments
   */
  public OwnSeries own(
      Resource resource,
      Scope scope,
      MetricDescriptor descriptor,
      Labels labels,
      long startTimeUnixNanos) {
    if (descriptor.kind() != MetricKind.GAUGE && descriptor.kind() != MetricKind.SUM) {
      throw new IllegalArgumentException(
          "expected a gauge or a sum as a series of the agent's own, found "
              + descriptor.kind()
              + " "
              + descriptor.name());
    }
    Recorder recorder = new Recorder(this);
    recorder.resource(
        new LabelsAttributeSet(resource.attributes(), labelHash), slice(resource.schemaUrl()));
    recorder.scope(
        slice(scope.name()),
        slice(scope.version()),
        new LabelsAttributeSet(scope.attributes(), labelHash),
        slice(scope.schemaUrl()));
    recorder.metric(
        slice(descriptor.name()),
        slice(descriptor.description()),
        slice(descriptor.unit()),
        descriptor.kind(),
        descriptor.monotonic(),
        Temporality.CUMULATIVE,
        descriptor.typeHint());
    while (true) {
      Outcome refusal = recorder.refusal() == null ? findOrAddMetric(recorder) : recorder.refusal();
      MetricEntry metric = recorder.metric();
      if (refusal != null || metric == null) {
        throw new IllegalArgumentException(
            "metric " + descriptor.name() + " of the agent's own: " + refusal);
      }
      NumberSeries series = metric.own(labels, labelHash.ofLabels(labels), startTimeUnixNanos);
      if (series != null) {
        synchronized (lock) {
          metric.target.own = true;
        }
        return new OwnSeries(metric, series);
      }
    }
  }

  Problems problems() {
    return problems;
  }

  int tick() {
    return (int) ((nanoClock.getAsLong() - originNanos) >> TICK_SHIFT);
  }

  /** How long so many ticks are. */
  static long nanos(int ticks) {
    return (long) ticks << TICK_SHIFT;
  }

  int lifeTicks() {
    return lifeTicks;
  }

  boolean takeSeriesSlot() {
    while (true) {
      int seen = seriesCount.get();
      if (seen >= options.maxSeries()) {
        return false;
      }
      if (seriesCount.compareAndSet(seen, seen + 1)) {
        return true;
      }
    }
  }

  void releaseSeriesSlots(int slots) {
    seriesCount.addAndGet(-slots);
  }

  @Nullable Target findTarget(AttributeSet attributes, ByteSlice schemaUrl) {
    int hash = attributes.hash();
    synchronized (lock) {
      for (Target t = targetsByResource.first(hash); t != null; t = t.linkNext()) {
        if (t.linkHash() == hash && t.hasResource(attributes, schemaUrl)) {
          return t;
        }
      }
      return null;
    }
  }

  /**
   * Finds the recorder's target though its resource may have changed, gives it the recorder's
   * resource, and tells the recorder about it and about what is found in it.
   */
  void findChangedTarget(Recorder recorder) {
    Labels attributes = recorder.resourceAttributes().toLabels();
    String schemaUrl = recorder.resourceSchemaUrl().text();
    if (attributes == null || schemaUrl == null) {
      return;
    }
    Resource resource = new Resource(attributes, schemaUrl);
    Target.Key key = TargetKeys.of(attributes, options.points().resourcesApart(), labelHash);
    synchronized (lock) {
      Target target = targets.get(key);
      if (target != null) {
        replaceResource(target, resource, recorder);
        ScopeEntry scope = target.findScope(recorder);
        recorder.resolved(target, scope, scope == null ? null : target.findMetric(recorder, scope));
      }
    }
  }

  /**
   * Finds or makes the recorder's target, scope and metric, and tells the recorder.
   *
   * @return why that cannot be, or {@code null}
   */
  @Nullable Outcome findOrAddMetric(Recorder recorder) {
    Labels attributes = recorder.resourceAttributes().toLabels();
    String schemaUrl = recorder.resourceSchemaUrl().text();
    ScopeEntry newScope = recorder.newScope();
    MetricDescriptor descriptor = recorder.newDescriptor();
    if (attributes == null || schemaUrl == null || newScope == null || descriptor == null) {
      return Outcome.INVALID_UTF8;
    }
    Resource resource = new Resource(attributes, schemaUrl);
    Target.Key key = TargetKeys.of(attributes, options.points().resourcesApart(), labelHash);
    synchronized (lock) {
      Target target = targets.get(key);
      if (target == null) {
        target =
            new Target(
                key, resource, recorder.resourceSchemaUrl().copy(), labelHash.ofLabels(attributes));
        targets.put(key, target);
        targetsByResource.add(target);
      } else {
        replaceResource(target, resource, recorder);
      }
      ScopeEntry found = target.findScope(recorder);
      ScopeEntry scope = found == null ? newScope : found;
      MetricEntry metric = target.findMetric(recorder, scope);
      if (metric == null) {
        metric =
            new MetricEntry(
                target,
                scope,
                descriptor,
                exemplarBudget,
                options.points().everyPoint(),
                recorder.name().copy(),
                recorder.unit().copy(),
                recorder.metricHash());
        target.add(metric);
        metrics.add(metric);
        version.incrementAndGet();
      }
      recorder.resolved(target, scope, metric);
      return null;
    }
  }

  /** Called under the lock. */
  private void replaceResource(Target target, Resource newest, Recorder recorder) {
    if (target.own || target.resource().equals(newest)) {
      return;
    }
    targetsByResource.remove(target);
    target.setResource(
        newest, recorder.resourceSchemaUrl().copy(), labelHash.ofLabels(newest.attributes()));
    targetsByResource.add(target);
    version.incrementAndGet();
  }

  private void removeEmpty(List<MetricEntry> candidates) {
    synchronized (lock) {
      boolean any = false;
      for (MetricEntry metric : candidates) {
        if (metric.removeIfEmpty()) {
          any = true;
          Target target = metric.target;
          target.remove(metric);
          if (target.isEmpty()) {
            targets.remove(target.key, target);
            targetsByResource.remove(target);
          }
        }
      }
      if (any) {
        metrics.removeIf(MetricEntry::isRemoved);
        version.incrementAndGet();
      }
    }
  }

  Snapshot currentSnapshot() {
    Snapshot last = snapshot;
    for (int i = 0; i < OPTIMISTIC_SNAPSHOTS && last.version() != version.get(); i++) {
      long seen;
      List<MetricEntry> listed;
      synchronized (lock) {
        seen = version.get();
        listed = List.copyOf(metrics);
      }
      last = new Snapshot(seen, listed, resourcesOf(listed));
      snapshot = last;
    }
    if (last.version() == version.get()) {
      return last;
    }
    synchronized (lock) {
      List<MetricEntry> listed = List.copyOf(metrics);
      last = new Snapshot(version.get(), listed, resourcesOf(listed));
      snapshot = last;
      return last;
    }
  }

  private static List<Resource> resourcesOf(List<MetricEntry> metrics) {
    Resource[] resources = new Resource[metrics.size()];
    for (int i = 0; i < resources.length; i++) {
      resources[i] = metrics.get(i).target.resource();
    }
    return List.of(resources);
  }

  private static ByteSlice slice(String text) {
    ByteSlice slice = new ByteSlice();
    slice.set(text);
    return slice;
  }
}

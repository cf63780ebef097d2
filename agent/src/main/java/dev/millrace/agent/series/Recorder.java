package dev.millrace.agent.series;

import dev.millrace.model.Labels;
import dev.millrace.model.MetricDescriptor;
import dev.millrace.model.MetricKind;
import dev.millrace.model.Scope;
import dev.millrace.model.Temporality;
import dev.millrace.model.TypeHint;
import org.jspecify.annotations.Nullable;

/**
 * Takes points into a {@link SeriesTable}: first it is told the resource, then the scope, then the
 * metric, and then that metric's points. What is in the table already is found by the bytes of the
 * request, without allocating.
 *
 * <p>What it is given for resource, scope and metric must stay as it is until the next of that
 * level is given, or {@link #end}. One thread at a time; used again and again.
 *
 * <pre>{@code
 * recorder.begin();
 * recorder.resource(resourceAttributes, resourceSchemaUrl);
 * recorder.scope(name, version, scopeAttributes, scopeSchemaUrl);
 * recorder.metric(name, description, unit, MetricKind.SUM, true, Temporality.DELTA, TypeHint.NONE);
 * assert recorder.record(attributes, point) == Outcome.RECORDED;
 * recorder.end();
 * }</pre>
 */
public final class Recorder {
  /**
   * 256 KiB for the attributes and the schema URL of a resource. Resources are few, and some are
   * large: the OpenTelemetry Java agent sends the whole command line with its class path.
   */
  static final int MAX_RESOURCE_BYTES = 256 * 1024;

  private static final ByteSlice NO_TEXT = new ByteSlice();

  private final SeriesTable table;
  private final AttributeSet noAttributes;
  private final Refusals refusals = new Refusals();
  private int tick;

  private AttributeSet resourceAttributes;
  private ByteSlice resourceSchemaUrl = NO_TEXT;
  private @Nullable Outcome resourceRefusal;
  private @Nullable Target target;

  private ByteSlice scopeName = NO_TEXT;
  private ByteSlice scopeVersion = NO_TEXT;
  private ByteSlice scopeSchemaUrl = NO_TEXT;
  private AttributeSet scopeAttributes;
  private int scopeHash;
  private @Nullable Outcome scopeRefusal;
  private @Nullable ScopeEntry scope;

  private ByteSlice name = NO_TEXT;
  private ByteSlice description = NO_TEXT;
  private ByteSlice unit = NO_TEXT;
  private MetricKind kind = MetricKind.GAUGE;
  private boolean monotonic;
  private boolean delta;
  private TypeHint typeHint = TypeHint.NONE;
  private @Nullable Outcome metricRefusal;
  private @Nullable MetricEntry metric;
  private long acceptedPoints;

  Recorder(SeriesTable table) {
    this.table = table;
    noAttributes = new LabelsAttributeSet(Labels.EMPTY, table.labelHash());
    resourceAttributes = noAttributes;
    scopeAttributes = noAttributes;
  }

  /** Begins a request: all of its points count as heard of now. */
  public void begin() {
    tick = table.tick();
    refusals.clear();
    acceptedPoints = 0;
  }

  /** Ends a request: counts its points and its problems, and lets go of what it was given. */
  public void end() {
    refusals.report(table.problems());
    table.countPoints(acceptedPoints, refusals.rejectedPoints());
    target = null;
    resourceAttributes = noAttributes;
    resourceSchemaUrl = NO_TEXT;
    scope(NO_TEXT, NO_TEXT, noAttributes, NO_TEXT);
    name = NO_TEXT;
    description = NO_TEXT;
    unit = NO_TEXT;
  }

  /** What was not simply recorded since {@link #begin}. */
  public Refusals refusals() {
    return refusals;
  }

  /** Begins the points of a resource, and of a scope that says nothing. */
  public void resource(AttributeSet attributes, ByteSlice schemaUrl) {
    resourceAttributes = attributes;
    resourceSchemaUrl = schemaUrl;
    resourceRefusal =
        (long) attributes.lengthBytes() + schemaUrl.lengthBytes() > MAX_RESOURCE_BYTES
            ? Outcome.LABELS_TOO_LARGE
            : null;
    target = resourceRefusal == null ? table.findTarget(attributes, schemaUrl) : null;
    scope(NO_TEXT, NO_TEXT, noAttributes, NO_TEXT);
  }

  /** Begins the points of a scope of the resource. */
  public void scope(
      ByteSlice name, ByteSlice version, AttributeSet attributes, ByteSlice schemaUrl) {
    scopeName = name;
    scopeVersion = version;
    scopeAttributes = attributes;
    scopeSchemaUrl = schemaUrl;
    int most = table.options().maxLabelBytes();
    boolean tooLarge =
        attributes.lengthBytes() > most
            || name.lengthBytes() > most
            || version.lengthBytes() > most
            || schemaUrl.lengthBytes() > most;
    scopeRefusal = tooLarge ? Outcome.LABELS_TOO_LARGE : null;
    scopeHash = tooLarge ? 0 : hashScope();
    Target in = target;
    scope = in == null || tooLarge ? null : in.findScope(this);
    metric = null;
    metricRefusal = Outcome.NO_NAME;
  }

  private int hashScope() {
    LabelHash labelHash = table.labelHash();
    return LabelHash.ofSet(
        scopeName.hash(labelHash)
            + 3 * scopeVersion.hash(labelHash)
            + 5 * scopeSchemaUrl.hash(labelHash)
            + 7L * scopeAttributes.hash());
  }

  /**
   * Begins the points of a metric of the scope.
   *
   * @param temporality of the points; of sums and histograms it must be given
   * @param typeHint for gauges and sums that are not monotonic
   */
  public void metric(
      ByteSlice name,
      ByteSlice description,
      ByteSlice unit,
      MetricKind kind,
      boolean monotonic,
      Temporality temporality,
      TypeHint typeHint) {
    this.name = name;
    this.description = description;
    this.unit = unit;
    this.kind = kind;
    this.monotonic = kind == MetricKind.SUM && monotonic;
    this.typeHint = typeHint;
    boolean hasTemporality = kind != MetricKind.GAUGE && kind != MetricKind.SUMMARY;
    delta = hasTemporality && temporality == Temporality.DELTA;
    metric = null;
    metricRefusal = metricFault(hasTemporality && temporality == Temporality.UNSPECIFIED);
    Target in = target;
    ScopeEntry of = scope;
    if (metricRefusal == null && in != null && of != null) {
      metric = in.findMetric(this, of);
    }
  }

  private @Nullable Outcome metricFault(boolean lacksTemporality) {
    if (name.lengthBytes() == 0) {
      return Outcome.NO_NAME;
    }
    if (lacksTemporality) {
      return Outcome.NO_TEMPORALITY;
    }
    if (delta && table.options().points().refusesDelta()) {
      return Outcome.DELTA_REFUSED;
    }
    int most = table.options().maxLabelBytes();
    return name.lengthBytes() > most
            || description.lengthBytes() > most
            || unit.lengthBytes() > most
        ? Outcome.TEXT_TOO_LONG
        : null;
  }

  /**
   * Takes over one point of the metric.
   *
   * @param point may be changed, and is the caller's again afterwards
   */
  public Outcome record(AttributeSet attributes, PointValues point) {
    Outcome outcome = refusal();
    if (outcome == null) {
      outcome = recordAllowed(attributes, point);
    }
    if (outcome != Outcome.RECORDED) {
      refusals.add(outcome, 1, name);
    }
    if (!outcome.rejected()) {
      acceptedPoints++;
    }
    countExemplars(Outcome.MALFORMED_EXEMPLAR, point.malformedExemplars);
    countExemplars(Outcome.EXEMPLAR_ATTRIBUTES, point.exemplarsWithoutAttributes);
    countExemplars(Outcome.TOO_MANY_EXEMPLARS, point.exemplarsWithoutRoom);
    return outcome;
  }

  private void countExemplars(Outcome outcome, int exemplars) {
    if (exemplars > 0) {
      refusals.add(outcome, exemplars, name);
    }
  }

  /** Counts points of the metric that the caller has not given to {@link #record}. */
  public void refuse(Outcome outcome, long points) {
    refusals.add(outcome, points, name);
  }

  private Outcome recordAllowed(AttributeSet attributes, PointValues point) {
    Outcome fault = PointRules.check(kind, monotonic, delta, point, table.options().maxBuckets());
    if (fault.rejected()) {
      return fault;
    }
    while (true) {
      MetricEntry into = metric;
      Outcome outcome = into == null ? null : into.update(attributes, point, delta, tick);
      if (outcome == null) {
        outcome = recordNew(attributes, point);
      }
      if (outcome != Outcome.UNREAD) {
        return outcome;
      }
      table.unreadPoints().readNow();
    }
  }

  /** Why no point of the current metric can be taken over, if so. */
  public @Nullable Outcome refusal() {
    if (resourceRefusal != null) {
      return resourceRefusal;
    }
    return scopeRefusal != null ? scopeRefusal : metricRefusal;
  }

  private Outcome recordNew(AttributeSet attributes, PointValues point) {
    if (attributes.lengthBytes() > table.options().maxLabelBytes()) {
      return Outcome.LABELS_TOO_LARGE;
    }
    Labels labels = attributes.toLabels();
    if (labels == null) {
      return Outcome.INVALID_UTF8;
    }
    int hash = table.labelHash().ofLabels(labels);
    if (target == null) {
      table.findChangedTarget(this);
    }
    MetricEntry into = metric;
    Outcome outcome = into == null ? null : into.update(labels, hash, point, delta, tick);
    if (outcome != null) {
      return outcome;
    }
    if (point.noRecordedValue) {
      return Outcome.RECORDED; // There is nothing that could end.
    }
    if (!table.takeSeriesSlot()) {
      return Outcome.TOO_MANY_SERIES;
    }
    return recordIntoSlot(labels, hash, point);
  }

  /** Takes a point over into a new series, or into one that another thread has made meanwhile. */
  private Outcome recordIntoSlot(Labels labels, int hash, PointValues point) {
    while (true) {
      MetricEntry into = metric;
      if (into != null) {
        Outcome outcome = into.insert(labels, hash, point, delta, tick, table.lifeTicks());
        if (outcome != null) {
          return outcome;
        }
        outcome = into.update(labels, hash, point, delta, tick);
        if (outcome != null) {
          table.releaseSeriesSlots(1);
          return outcome;
        }
      }
      metricRefusal = table.findOrAddMetric(this);
      if (metricRefusal != null) {
        table.releaseSeriesSlots(1);
        return metricRefusal;
      }
    }
  }

  /** Tells the recorder where its points go from now on. */
  void resolved(Target inTarget, @Nullable ScopeEntry ofScope, @Nullable MetricEntry intoMetric) {
    target = inTarget;
    scope = ofScope;
    metric = intoMetric;
  }

  /** The scope as the table keeps it, or {@code null} where a text is not valid UTF-8. */
  @Nullable ScopeEntry newScope() {
    String nameText = scopeName.text();
    String versionText = scopeVersion.text();
    String schemaUrlText = scopeSchemaUrl.text();
    Labels attributes = scopeAttributes.toLabels();
    if (nameText == null || versionText == null || schemaUrlText == null || attributes == null) {
      return null;
    }
    return new ScopeEntry(
        new Scope(nameText, versionText, schemaUrlText, attributes),
        scopeName.copy(),
        scopeVersion.copy(),
        scopeSchemaUrl.copy(),
        scopeHash);
  }

  /**
   * The descriptor as the table keeps it, or {@code null} where a text is not valid UTF-8. What is
   * delta on arrival is cumulative in the table.
   */
  @Nullable MetricDescriptor newDescriptor() {
    String nameText = name.text();
    String descriptionText = description.text();
    String unitText = unit.text();
    if (nameText == null || descriptionText == null || unitText == null) {
      return null;
    }
    boolean hasTemporality = kind != MetricKind.GAUGE && kind != MetricKind.SUMMARY;
    boolean mayHaveHint = kind == MetricKind.GAUGE || (kind == MetricKind.SUM && !monotonic);
    return new MetricDescriptor(
        nameText,
        descriptionText,
        unitText,
        kind,
        monotonic,
        hasTemporality ? Temporality.CUMULATIVE : Temporality.UNSPECIFIED,
        mayHaveHint ? typeHint : TypeHint.NONE);
  }

  boolean matches(ScopeEntry entry) {
    return entry.matches(scopeName, scopeVersion, scopeSchemaUrl, scopeAttributes);
  }

  AttributeSet resourceAttributes() {
    return resourceAttributes;
  }

  ByteSlice resourceSchemaUrl() {
    return resourceSchemaUrl;
  }

  int scopeHash() {
    return scopeHash;
  }

  ByteSlice name() {
    return name;
  }

  ByteSlice unit() {
    return unit;
  }

  MetricKind kind() {
    return kind;
  }

  boolean monotonic() {
    return monotonic;
  }

  @Nullable MetricEntry metric() {
    return metric;
  }

  int metricHash() {
    LabelHash labelHash = table.labelHash();
    return LabelHash.ofSet(scopeHash + name.hash(labelHash) + 3 * unit.hash(labelHash));
  }
}

package dev.millrace.format.prometheus;

import dev.millrace.bytes.ChunkWriter;
import dev.millrace.format.MetricEncoder;
import dev.millrace.model.MetricCursor;
import dev.millrace.model.Problems;
import dev.millrace.model.Series;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Writes expositions in one of the text formats, family by family in the order of a plan that is
 * made again only when the list of metrics changes.
 */
final class ExpositionEncoder implements MetricEncoder {
  private final Syntax syntax;
  private final String contentType;
  private final PrometheusOptions options;
  private final LabelNames labelNames;
  private final Faults faults;
  private final LabelBlocks labels;
  private final SeenBlocks seen;
  private final StateSets stateSets;
  private final Map<FamilyType, PointWriter> writers = new EnumMap<>(FamilyType.class);
  private @Nullable Plan plan;

  /**
   * An encoder.
   *
   * @param labelNames of series; with the labels that series keep, it is shared by encoders
   * @param exemplarNames of exemplars' attributes; see {@link ExemplarLabels}
   */
  ExpositionEncoder(
      Syntax syntax,
      String contentType,
      PrometheusOptions options,
      LabelNames labelNames,
      LabelNames exemplarNames,
      Problems problems) {
    this.syntax = syntax;
    this.contentType = contentType;
    this.options = options;
    this.labelNames = labelNames;
    faults = new Faults(problems);
    labels = new LabelBlocks(labelNames);
    seen = new SeenBlocks(options.targetLabels());
    stateSets = new StateSets(options.targetLabels());
    boolean strict = syntax.isStrict();
    ExemplarWriter exemplars =
        syntax.hasExemplars() ? new ExemplarWriter(exemplarNames, faults) : null;
    boolean created = strict && options.createdTimestamps();
    for (FamilyType type : FamilyType.values()) {
      writers.put(
          type,
          switch (type) {
            case COUNTER, GAUGE, UNKNOWN, INFO, STATESET ->
                new NumberWriter(type, strict, created, exemplars);
            case HISTOGRAM -> new HistogramWriter(strict, created, exemplars);
            case SUMMARY -> new SummaryWriter(strict, created, faults);
          });
    }
  }

  @Override
  public String contentType() {
    return contentType;
  }

  @Override
  public void encode(MetricCursor cursor, ChunkWriter out) {
    Plan current = planFor(cursor);
    for (int i = 0; i < current.faults().size(); i++) {
      faults.report(current.faults().get(i));
    }
    out.write(current.targetInfo());
    for (int i = 0; i < current.families().size(); i++) {
      encodeFamily(current.families().get(i), cursor, out);
    }
    out.write(syntax.footer());
    seen.trim();
    stateSets.trim();
  }

  private Plan planFor(MetricCursor cursor) {
    Plan current = plan;
    if (current == null || !current.isFor(cursor)) {
      current = new Planner(syntax, options, labelNames).plan(cursor);
      plan = current;
    }
    return current;
  }

  private void encodeFamily(Family family, MetricCursor cursor, ChunkWriter out) {
    if (family.type == FamilyType.STATESET && syntax.isStrict()) {
      prepareStateSet(family, cursor);
    }
    if (family.compared) {
      seen.clear();
    }
    PointWriter writer = writerOf(family);
    boolean begun = false;
    for (int m = 0; m < family.members.size(); m++) {
      Family.Member member = family.members.get(m);
      cursor.seekMetric(member.index);
      while (cursor.nextPoint()) {
        if (!look(cursor, family, member, writer) || !admit(cursor, family, m, writer)) {
          continue;
        }
        if (!begun) {
          begun = true;
          out.write(family.writtenAsGauge ? family.gaugeHeader : family.header);
        }
        writer.write(cursor, family, labels.bytes(), labels.lengthBytes(), out);
      }
    }
    faults.count(Fault.RESERVED_LABEL, labels.takeReservedLabels());
    faults.report(family.details);
  }

  private PointWriter writerOf(Family family) {
    return Objects.requireNonNull(writers.get(family.type));
  }

  /** Whether the point has values that can be written; if so, its labels are loaded. */
  private boolean look(
      MetricCursor cursor, Family family, Family.Member member, PointWriter writer) {
    if (cursor.noRecordedValue()) {
      return false;
    }
    Fault fault = writer.check(cursor, family, member);
    if (fault != null) {
      faults.count(fault, 1);
      return false;
    }
    load(cursor, member, writer);
    return true;
  }

  private void load(MetricCursor cursor, Family.Member member, PointWriter writer) {
    labels.load(
        cursor.series(), member.constants, writer.reservedNames(), cursor.encodedLabelsBudget());
  }

  /** Whether the point, whose labels are loaded, can stand beside those before it. */
  private boolean admit(MetricCursor cursor, Family family, int memberIndex, PointWriter writer) {
    if (!family.compared && labels.isAmbiguous()) {
      family.compared = true;
      seen.clear();
      if (!catchUp(cursor, family, memberIndex, writer)) {
        return false;
      }
    }
    if (family.compared && !seen.add(labels.bytes(), labels.lengthBytes(), labels.isAmbiguous())) {
      faults.count(Fault.DUPLICATE_SERIES, 1);
      return false;
    }
    if (family.type == FamilyType.STATESET
        && syntax.isStrict()
        && !family.writtenAsGauge
        && !stateSets.accept(cursor, family, labels)) {
      faults.count(Fault.VALUE, 1);
      return false;
    }
    return true;
  }

  /**
   * Remembers the series that were written before it was known that the family's series have to be
   * compared, and comes back to the point that it began from.
   *
   * @return whether that point is still there and can still be written
   */
  private boolean catchUp(MetricCursor cursor, Family family, int memberIndex, PointWriter writer) {
    Series until = cursor.series();
    for (int m = 0; m <= memberIndex; m++) {
      Family.Member member = family.members.get(m);
      cursor.seekMetric(member.index);
      while (cursor.nextPoint()) {
        boolean arrived = m == memberIndex && cursor.series() == until;
        if (cursor.noRecordedValue() || writer.check(cursor, family, member) != null) {
          if (arrived) {
            return false;
          }
          continue;
        }
        load(cursor, member, writer);
        if (arrived) {
          return true;
        }
        seen.add(labels.bytes(), labels.lengthBytes(), labels.isAmbiguous());
      }
    }
    return false;
  }

  /** Finds out whether a state set keeps the rules, which has to be known before its first line. */
  private void prepareStateSet(Family family, MetricCursor cursor) {
    PointWriter writer = writerOf(family);
    stateSets.begin();
    for (int m = 0; m < family.members.size() && !family.writtenAsGauge; m++) {
      Family.Member member = family.members.get(m);
      cursor.seekMetric(member.index);
      while (cursor.nextPoint() && !family.writtenAsGauge) {
        if (!cursor.noRecordedValue()) {
          load(cursor, member, writer);
          family.writtenAsGauge = !stateSets.accept(cursor, family, labels);
        }
      }
    }
    stateSets.begin();
  }
}

package dev.millrace.format.prometheus;

import dev.millrace.format.translation.Family;
import dev.millrace.format.translation.FamilyType;
import dev.millrace.format.translation.Fault;
import dev.millrace.format.translation.Faults;
import dev.millrace.model.MetricCursor;
import dev.millrace.model.Series;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Walks over those points of a family that can be written, one after another, and has the labels of
 * the one on which the cursor stands. What is left out is counted. Not thread-safe; belongs to one
 * encoder.
 */
final class FamilyPoints {
  private final Map<FamilyType, PointRules> rules;
  private final boolean strict;
  private final LabelBlocks labels;
  private final SeenBlocks seen;
  private final StateSets stateSets;
  private final Faults faults;
  private @Nullable Family family;
  private @Nullable MetricCursor cursor;
  private int memberIndex;

  /**
   * A walker.
   *
   * @param rules for each type of family
   * @param strict whether state sets have to keep the rules of OpenMetrics
   */
  FamilyPoints(
      Map<FamilyType, ? extends PointRules> rules,
      boolean strict,
      LabelBlocks labels,
      SeenBlocks seen,
      StateSets stateSets,
      Faults faults) {
    this.rules = new EnumMap<>(rules);
    this.strict = strict;
    this.labels = labels;
    this.seen = seen;
    this.stateSets = stateSets;
    this.faults = faults;
  }

  /** Goes before the first point of a family. */
  void begin(Family family, MetricCursor cursor) {
    this.family = family;
    this.cursor = cursor;
    memberIndex = -1;
    if (family.type == FamilyType.STATESET && strict) {
      prepareStateSet(family, cursor);
    }
    if (family.compared) {
      seen.clear();
    }
  }

  /** Goes to the next point that can be written; {@code false} when there is none. */
  boolean next() {
    Family current = Objects.requireNonNull(family);
    MetricCursor at = Objects.requireNonNull(cursor);
    while (true) {
      if (memberIndex >= 0) {
        Family.Member member = current.members.get(memberIndex);
        while (at.nextPoint()) {
          if (look(at, current, member) && admit(at, current)) {
            return true;
          }
        }
      }
      memberIndex++;
      if (memberIndex == current.members.size()) {
        family = null;
        cursor = null;
        return false;
      }
      at.seekMetric(current.members.get(memberIndex).index);
    }
  }

  /** The type of the point's metric, which may be another than its family's. */
  FamilyType type() {
    return Objects.requireNonNull(family).members.get(memberIndex).type;
  }

  /** The labels of the point; {@link LabelBlocks#bytes()} and its length. */
  LabelBlocks labels() {
    return labels;
  }

  /** Ends an exposition. */
  void trim() {
    seen.trim();
    stateSets.trim();
  }

  private PointRules rulesOf(FamilyType type) {
    return Objects.requireNonNull(rules.get(type));
  }

  /** Whether the point has values that can be written; if so, its labels are loaded. */
  private boolean look(MetricCursor at, Family current, Family.Member member) {
    if (at.noRecordedValue()) {
      return false;
    }
    PointRules pointRules = rulesOf(member.type);
    Fault fault = pointRules.check(at, current, member);
    if (fault != null) {
      faults.count(fault, 1);
      return false;
    }
    load(at, member, pointRules);
    return true;
  }

  private void load(MetricCursor at, Family.Member member, PointRules pointRules) {
    labels.load(
        at.series(), member.constants, pointRules.reservedNames(), at.encodedLabelsBudget());
  }

  /** Whether the point, whose labels are loaded, can stand beside those before it. */
  private boolean admit(MetricCursor at, Family current) {
    if (!current.compared && labels.isAmbiguous()) {
      current.compared = true;
      seen.clear();
      if (!catchUp(at, current)) {
        return false;
      }
    }
    if (current.compared && !seen.add(labels.bytes(), labels.lengthBytes(), labels.isAmbiguous())) {
      faults.count(Fault.DUPLICATE_SERIES, 1);
      return false;
    }
    if (current.type == FamilyType.STATESET
        && strict
        && !current.writtenAsGauge
        && !stateSets.accept(at, current, labels)) {
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
  private boolean catchUp(MetricCursor at, Family current) {
    Series until = at.series();
    for (int m = 0; m <= memberIndex; m++) {
      Family.Member member = current.members.get(m);
      PointRules pointRules = rulesOf(member.type);
      at.seekMetric(member.index);
      while (at.nextPoint()) {
        boolean arrived = m == memberIndex && at.series() == until;
        if (at.noRecordedValue() || pointRules.check(at, current, member) != null) {
          if (arrived) {
            return false;
          }
          continue;
        }
        load(at, member, pointRules);
        if (arrived) {
          return true;
        }
        seen.add(labels.bytes(), labels.lengthBytes(), labels.isAmbiguous());
      }
    }
    return false;
  }

  /** Finds out whether a state set keeps the rules, which has to be known before its first line. */
  private void prepareStateSet(Family current, MetricCursor at) {
    stateSets.begin();
    for (int m = 0; m < current.members.size() && !current.writtenAsGauge; m++) {
      Family.Member member = current.members.get(m);
      at.seekMetric(member.index);
      while (at.nextPoint() && !current.writtenAsGauge) {
        if (!at.noRecordedValue()) {
          load(at, member, rulesOf(member.type));
          current.writtenAsGauge = !stateSets.accept(at, current, labels);
        }
      }
    }
    stateSets.begin();
  }
}

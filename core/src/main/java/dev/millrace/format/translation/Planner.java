package dev.millrace.format.translation;

import dev.millrace.model.MetricCursor;
import dev.millrace.model.MetricDescriptor;
import dev.millrace.model.MetricKind;
import dev.millrace.model.Resource;
import dev.millrace.model.Scope;
import dev.millrace.model.Temporality;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Puts the metrics of a source into families. Of metrics that cannot stand together the one that
 * comes first in the source stays. Used for one plan.
 */
public final class Planner {
  private final Syntax syntax;
  private final TranslationOptions options;
  private final LabelNames labelNames;
  private final Map<String, Draft> families = new HashMap<>();
  private final Set<String> takenNames = new HashSet<>();
  private final Map<Origin, ConstantLabels> constants = new HashMap<>();
  private final Map<Fault, Finding> findings = new EnumMap<>(Fault.class);

  private record Origin(Resource resource, Scope scope) {}

  /** What was found of one fault: how often, and with which metric first. */
  private static final class Finding {
    final String subject;
    long count;

    Finding(String subject) {
      this.subject = subject;
    }
  }

  /** A family that still takes metrics. */
  private static final class Draft {
    final FamilyType type;
    final List<Family.Member> members = new ArrayList<>();
    final Set<ConstantLabels> constants = new HashSet<>();
    MetricName name;
    String help = "";
    boolean compared;

    Draft(MetricName name, FamilyType type) {
      this.name = name;
      this.type = type;
    }
  }

  public Planner(Syntax syntax, TranslationOptions options, LabelNames labelNames) {
    this.syntax = syntax;
    this.options = options;
    this.labelNames = labelNames;
  }

  /** Makes the plan of all metrics of a cursor. */
  public Plan plan(MetricCursor cursor) {
    TargetInfo targets = options.targetInfo() ? planTargets(cursor) : null;
    byte[] targetInfo = targets == null ? new byte[0] : targets.encode(syntax);
    for (int i = 0; i < cursor.metricCount(); i++) {
      cursor.seekMetric(i);
      place(cursor, i);
    }
    List<Family> finished = new ArrayList<>(families.size());
    for (Draft draft : families.values()) {
      finished.add(
          new Family(syntax, draft.name, draft.type, draft.help, draft.members, draft.compared));
    }
    finished.sort(Comparator.comparing(family -> family.name));
    return new Plan(cursor, targets, targetInfo, finished, plannedFaults());
  }

  private TargetInfo planTargets(MetricCursor cursor) {
    TargetInfo targets = new TargetInfo(labelNames.naming(), options);
    Set<Resource> resources = new HashSet<>();
    for (int i = 0; i < cursor.metricCount(); i++) {
      cursor.seekMetric(i);
      Resource resource = cursor.resource();
      if (resources.add(resource) && !targets.add(resource)) {
        found(Fault.DUPLICATE_TARGET, "resource " + resource.attributes());
      }
    }
    if (!targets.blocks().isEmpty()) {
      takenNames.addAll(syntax.takenNames(targets.name(), FamilyType.INFO));
    }
    return targets;
  }

  private void place(MetricCursor cursor, int index) {
    MetricDescriptor metric = cursor.metric();
    FamilyType type = FamilyType.of(metric);
    if (type == FamilyType.EXPONENTIAL_HISTOGRAM
        && !syntax.hasNativeHistograms()
        && options.omitsExponentialHistograms()) {
      found(Fault.EXPONENTIAL_HISTOGRAM, subject(cursor));
      return;
    }
    if (hasTemporality(metric.kind()) && metric.temporality() != Temporality.CUMULATIVE) {
      found(Fault.NOT_CUMULATIVE, subject(cursor));
      return;
    }
    MetricName name = labelNames.naming().metric(metric, type);
    if (name == null) {
      found(Fault.UNUSABLE_NAME, subject(cursor));
      return;
    }
    FamilyType familyType = syntax.familyType(type, name);
    Draft family = familyOf(cursor, name, familyType);
    if (family == null) {
      return;
    }
    describe(cursor, family, name, metric.description());
    ConstantLabels labels =
        constants.computeIfAbsent(
            new Origin(cursor.resource(), cursor.scope()),
            origin -> ConstantLabels.of(origin.resource(), origin.scope(), labelNames, options));
    family.compared |= !family.constants.add(labels) || labels.isAmbiguous();
    family.members.add(new Family.Member(index, familyType, labels));
  }

  private static boolean hasTemporality(MetricKind kind) {
    return switch (kind) {
      case SUM, HISTOGRAM, EXPONENTIAL_HISTOGRAM -> true;
      case GAUGE, SUMMARY -> false;
    };
  }

  private @Nullable Draft familyOf(MetricCursor cursor, MetricName name, FamilyType type) {
    String familyName = syntax.familyName(name);
    Draft known = families.get(familyName);
    if (known != null) {
      if (!syntax.word(known.type).equals(syntax.word(type))) {
        found(Fault.TYPE_CONFLICT, subject(cursor) + " as " + familyName);
        return null;
      }
      return known;
    }
    List<String> names = syntax.takenNames(name, type);
    for (String taken : names) {
      if (takenNames.contains(taken)) {
        found(Fault.NAME_CLASH, subject(cursor) + " as " + taken);
        return null;
      }
    }
    takenNames.addAll(names);
    Draft made = new Draft(name, type);
    families.put(familyName, made);
    return made;
  }

  private void describe(MetricCursor cursor, Draft family, MetricName name, String help) {
    if (family.help.isEmpty()) {
      family.help = help;
    } else if (!help.isEmpty() && !help.equals(family.help)) {
      found(Fault.HELP_CONFLICT, subject(cursor));
    }
    if (family.name.unit().isEmpty()) {
      family.name = family.name.withUnit(name.unit());
    } else if (!name.unit().isEmpty() && !name.unit().equals(family.name.unit())) {
      found(Fault.UNIT_CONFLICT, subject(cursor));
    }
  }

  private void found(Fault fault, String subject) {
    findings.computeIfAbsent(fault, key -> new Finding(subject)).count++;
  }

  private static String subject(MetricCursor cursor) {
    return "metric " + cursor.metric().name() + " of scope " + cursor.scope().name();
  }

  private List<Faults.Planned> plannedFaults() {
    List<Faults.Planned> planned = new ArrayList<>(findings.size());
    findings.forEach(
        (fault, finding) ->
            planned.add(
                new Faults.Planned(fault, finding.count, Faults.detail(fault, finding.subject))));
    return planned;
  }
}

package dev.millrace.format.remotewrite;

import dev.millrace.format.translation.ConstantLabels;
import dev.millrace.format.translation.Family;
import dev.millrace.format.translation.FamilyType;
import dev.millrace.format.translation.MetricName;
import dev.millrace.format.translation.Plan;
import dev.millrace.format.translation.TargetInfo;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The metrics of a plan, each with its series. What a new plan has in common with the one before it
 * stays, so that series live on when other metrics come and go. Not thread-safe; belongs to one
 * encoder.
 */
final class MetricList {
  private static final String TARGET_HELP = "Target metadata";

  private final SymbolTable[] tables;
  private @Nullable Plan plan;
  private List<List<MetricSeries>> families = List.of();
  private @Nullable MetricSeries targets;
  private List<TargetSeries> targetSeries = List.of();

  /** Metrics that are in no plan any more, and whose series have not been ended yet. */
  private List<MetricSeries> retired = new ArrayList<>();

  /** What the labels of a metric's series depend on, their attributes aside. */
  private record Key(String familyName, PointWriter writer, ConstantLabels constants) {}

  MetricList(SymbolTable[] tables) {
    this.tables = tables;
  }

  /** Whether this is made of that plan. */
  boolean isOf(Plan other) {
    return plan == other;
  }

  /** The metrics of each family of the plan. */
  List<List<MetricSeries>> families() {
    return families;
  }

  /** The family {@code target_info}, or {@code null} where there is none. */
  @Nullable MetricSeries targets() {
    return targets;
  }

  /** Its series. */
  List<TargetSeries> targetSeries() {
    return targetSeries;
  }

  /** Takes another plan. */
  void take(Plan next, WriterSet writers) {
    Map<Key, Deque<MetricSeries>> known = new HashMap<>();
    Map<String, SampleNames> knownNames = new HashMap<>();
    List<MetricSeries> before = all();
    for (MetricSeries metric : before) {
      known.computeIfAbsent(key(metric), key -> new ArrayDeque<>()).add(metric);
      knownNames.put(text(metric.names.familyName), metric.names);
    }
    families = new ArrayList<>(next.families().size());
    for (Family family : next.families()) {
      SampleNames names =
          names(family.metricName, family.name, family.type, family.help, knownNames);
      List<MetricSeries> metrics = new ArrayList<>(family.members.size());
      for (Family.Member member : family.members) {
        metrics.add(metric(names, writers.of(member.type), member, known));
      }
      families.add(metrics);
    }
    takeTargets(next.targets(), writers, known, knownNames);
    retired = new ArrayList<>();
    known.values().forEach(retired::addAll);
    plan = next;
    dropEmpty();
  }

  /** Forgets the metrics that are in no plan any more and have no series. */
  void dropEmpty() {
    for (int i = retired.size() - 1; i >= 0; i--) {
      if (retired.get(i).count() == 0) {
        release(retired.remove(i));
      }
    }
  }

  /** Forgets everything, as if there had been no plan; no series may be left. */
  void clear() {
    for (MetricSeries metric : all()) {
      metric.clear();
      release(metric);
    }
    plan = null;
    families = List.of();
    targets = null;
    targetSeries = List.of();
    retired = new ArrayList<>();
  }

  /** Makes the next plan be taken, even if it is the same. */
  void forgetPlan() {
    plan = null;
  }

  /** Gives back what is kept for 2.0 requests. */
  void releaseSymbols(SeriesEncoder encoder) {
    for (MetricSeries metric : all()) {
      metric.names.releaseSymbols(tables);
      for (int i = 0; i < metric.count(); i++) {
        encoder.release(metric.get(i));
      }
    }
  }

  /** All metrics, also those of earlier plans. */
  List<MetricSeries> all() {
    List<MetricSeries> all = new ArrayList<>(retired);
    families.forEach(all::addAll);
    MetricSeries ofTargets = targets;
    if (ofTargets != null) {
      all.add(ofTargets);
    }
    return all;
  }

  /** Goes before the first series of each metric. */
  void begin() {
    for (int i = 0; i < retired.size(); i++) {
      retired.get(i).begin();
    }
    for (int i = 0; i < families.size(); i++) {
      List<MetricSeries> metrics = families.get(i);
      for (int j = 0; j < metrics.size(); j++) {
        metrics.get(j).begin();
      }
    }
    MetricSeries ofTargets = targets;
    if (ofTargets != null) {
      ofTargets.begin();
    }
  }

  /** Ends a complete collection; what it did not show has ended. */
  void end(int generation, SeriesEnds ends) {
    for (int i = 0; i < retired.size(); i++) {
      retired.get(i).end(generation, ends);
    }
    for (int i = 0; i < families.size(); i++) {
      List<MetricSeries> metrics = families.get(i);
      for (int j = 0; j < metrics.size(); j++) {
        metrics.get(j).end(generation, ends);
      }
    }
    MetricSeries ofTargets = targets;
    if (ofTargets != null) {
      ofTargets.end(generation, ends);
    }
  }

  /** Ends a collection that broke off; nothing has ended. */
  void keep(int generation) {
    for (MetricSeries metric : all()) {
      metric.keep(generation);
    }
  }

  private MetricSeries metric(
      SampleNames names,
      PointWriter writer,
      Family.Member member,
      Map<Key, Deque<MetricSeries>> known) {
    Deque<MetricSeries> alike =
        known.get(new Key(text(names.familyName), writer, member.constants));
    MetricSeries metric = alike == null ? null : alike.poll();
    names.users++;
    if (metric == null) {
      return new MetricSeries(names, writer, member);
    }
    SampleNames before = metric.names;
    metric.names = names;
    metric.member = member;
    release(before);
    return metric;
  }

  private SampleNames names(
      MetricName name,
      String family,
      FamilyType type,
      String help,
      Map<String, SampleNames> known) {
    SampleNames made = new SampleNames(name, family, type, help, tables.length);
    SampleNames before = known.get(family);
    return before != null && before.isLike(made) ? before : made;
  }

  private void takeTargets(
      @Nullable TargetInfo info,
      WriterSet writers,
      Map<Key, Deque<MetricSeries>> known,
      Map<String, SampleNames> knownNames) {
    Map<String, TargetSeries> before = new HashMap<>();
    for (TargetSeries target : targetSeries) {
      before.put(text(target.block), target);
    }
    if (info == null || info.blocks().isEmpty()) {
      targets = null;
      targetSeries = List.of();
      return;
    }
    MetricName name = info.name();
    SampleNames names = names(name, name.sample(), FamilyType.GAUGE, TARGET_HELP, knownNames);
    Family.Member member = new Family.Member(-1, FamilyType.GAUGE, ConstantLabels.NONE);
    targets = metric(names, writers.targets(), member, known);
    targetSeries = new ArrayList<>();
    for (byte[] block : info.blocks()) {
      TargetSeries target = before.get(text(block));
      targetSeries.add(target == null ? new TargetSeries(block) : target);
    }
  }

  private void release(MetricSeries metric) {
    release(metric.names);
  }

  private void release(SampleNames names) {
    names.users--;
    if (names.users == 0) {
      names.releaseSymbols(tables);
    }
  }

  private static Key key(MetricSeries metric) {
    return new Key(text(metric.names.familyName), metric.writer, metric.constants);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }
}

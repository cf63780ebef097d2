package dev.millrace.store.file;

import dev.millrace.model.EncodedLabelsBudget;
import dev.millrace.model.Labels;
import dev.millrace.model.MetricDescriptor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One metric over all files: the declaration that was first, and its series. */
final class MergedMetric {
  private final Declaration declaration;
  private final MetricDescriptor descriptor;
  private final List<MergedSeries> series = new ArrayList<>();
  private final Map<Labels, MergedSeries> byLabels = new HashMap<>();
  private boolean hasExemplars;

  MergedMetric(Declaration declaration) {
    this.declaration = declaration;
    this.descriptor = declaration.descriptor();
  }

  Declaration declaration() {
    return declaration;
  }

  MetricDescriptor descriptor() {
    return descriptor;
  }

  List<MergedSeries> series() {
    return series;
  }

  /** Whether any program that was met has declared the metric with exemplars. */
  boolean hasExemplars() {
    return hasExemplars;
  }

  /** Takes note of a program's declaration. */
  void declaredAs(Declaration one) {
    hasExemplars |= one.exemplars();
  }

  void add(Labels labels, long createdUnixNanos, int slot, int part) {
    MergedSeries found = byLabels.get(labels);
    if (found == null) {
      found = new MergedSeries(labels, createdUnixNanos);
      byLabels.put(labels, found);
      series.add(found);
    }
    found.add(slot, part, createdUnixNanos);
  }

  /** Lets go of the parts of some slots, and of the series that have no other. */
  void keepParts(boolean[] dropped, EncodedLabelsBudget budget) {
    int kept = 0;
    for (int i = 0; i < series.size(); i++) {
      MergedSeries one = series.get(i);
      if (one.keepParts(dropped)) {
        series.set(kept++, one);
      } else {
        byLabels.remove(one.labels());
        one.end(budget);
      }
    }
    series.subList(kept, series.size()).clear();
  }

  void end(EncodedLabelsBudget budget) {
    for (MergedSeries one : series) {
      one.end(budget);
    }
  }
}

package dev.millrace.store.foreign;

import dev.millrace.model.EncodedLabelsBudget;
import dev.millrace.model.Labels;
import dev.millrace.model.MetricDescriptor;
import dev.millrace.store.file.MergeMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One metric over all files, as the file that was first has it. */
final class ForeignMetric {
  private final Meaning meaning;
  private final MetricDescriptor descriptor;
  private final List<ForeignSeries> series = new ArrayList<>();
  private final Map<Labels, ForeignSeries> byLabels = new HashMap<>();
  private final double[] knownBounds;
  private double[] lastBounds = Meaning.NO_BOUNDS;

  ForeignMetric(String name, String help, Meaning meaning) {
    this.meaning = meaning;
    this.descriptor = meaning.type().descriptor(name, help);
    this.knownBounds = meaning.bounds().stream().mapToDouble(Double::doubleValue).toArray();
  }

  MetricDescriptor descriptor() {
    return descriptor;
  }

  ForeignType type() {
    return meaning.type();
  }

  MergeMode mode() {
    return meaning.mode();
  }

  boolean cumulative() {
    return meaning.cumulative();
  }

  /** client_python gives no value that was never set; the others give the zero they begin with. */
  boolean showsUnset() {
    return meaning.client() != ForeignClient.CLIENT_PYTHON;
  }

  List<ForeignSeries> series() {
    return series;
  }

  /** How another file's metric of this name differs; {@code null} where it does not. */
  @Nullable String differenceTo(Meaning other) {
    if (other.type() != meaning.type()) {
      return meaning.type().word() + " and " + other.type().word();
    }
    if (other.mode() != meaning.mode()) {
      return "the modes " + meaning.mode() + " and " + other.mode();
    }
    return other.cumulative() == meaning.cumulative()
        ? null
        : "buckets of prometheus-client-mmap and of another client";
  }

  @Nullable ForeignSeries find(Labels labels) {
    return byLabels.get(labels);
  }

  ForeignSeries create(Labels labels) {
    ForeignSeries made = new ForeignSeries(labels, knownBounds);
    byLabels.put(labels, made);
    series.add(made);
    return made;
  }

  /** One array for equal bounds in a row, which most series of a metric have. */
  double[] shared(double[] bounds) {
    if (!Arrays.equals(bounds, lastBounds)) {
      lastBounds = bounds;
    }
    return lastBounds;
  }

  /**
   * Lets go of the parts of some slots, and of the series that have no other.
   *
   * @return how many samples went with them
   */
  int keepParts(boolean[] dropped, EncodedLabelsBudget budget) {
    int gone = 0;
    int kept = 0;
    for (int i = 0; i < series.size(); i++) {
      ForeignSeries one = series.get(i);
      if (one.keepParts(dropped)) {
        series.set(kept++, one);
      } else {
        gone += one.sampleCount(meaning.type());
        byLabels.remove(one.labels());
        one.end(budget);
      }
    }
    series.subList(kept, series.size()).clear();
    return gone;
  }

  void end(EncodedLabelsBudget budget) {
    for (ForeignSeries one : series) {
      one.end(budget);
    }
  }
}

package dev.millrace.store.file;

import dev.millrace.model.EncodedLabelsBudget;
import dev.millrace.model.Labels;
import dev.millrace.model.Problems;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The metrics of several images as one list. Keys are joined when an image is first read; after
 * that only values change. One thread at a time.
 */
final class MergedView implements Image.Sink {
  private final EncodedLabelsBudget budget;
  private final Problems problems;
  private final List<MergedMetric> metrics = new ArrayList<>();
  private final Map<String, MergedMetric> byName = new HashMap<>();
  private final Set<String> conflicts = new HashSet<>();
  private @Nullable Image[] images = new Image[8];
  private long membershipVersion = 1;
  private boolean unsorted;

  MergedView(EncodedLabelsBudget budget, Problems problems) {
    this.budget = budget;
    this.problems = problems;
  }

  EncodedLabelsBudget budget() {
    return budget;
  }

  /** Changes with the list of metrics. */
  long membershipVersion() {
    return membershipVersion;
  }

  /** The metrics, by name. */
  List<MergedMetric> metrics() {
    return metrics;
  }

  /** How many series there are. */
  long seriesCount() {
    long count = 0;
    for (MergedMetric metric : metrics) {
      count += metric.series().size();
    }
    return count;
  }

  /** The image in a slot that a part names. */
  Image image(int slot) {
    Image image = images[slot];
    if (image == null) {
      throw new IllegalStateException("expected an image in slot " + slot + ", found none");
    }
    return image;
  }

  /** Takes an image in; its series appear when it is read. */
  void add(Image image) {
    int slot = 0;
    while (slot < images.length && images[slot] != null) {
      slot++;
    }
    if (slot == images.length) {
      images = Arrays.copyOf(images, 2 * images.length);
    }
    images[slot] = image;
    image.setSlot(slot);
  }

  /**
   * Reads an image's new series and its values.
   *
   * @return whether the file could be read; whether it is whole, the image knows
   */
  boolean read(Image image) {
    try {
      image.read(this);
      return true;
    } catch (IOException e) {
      problems
          .kind(StoreProblems.FILE_UNREADABLE)
          .add(1, () -> image.fileName() + ": its values stay as last read: " + e);
      return false;
    }
  }

  /** Brings the metrics in order, after images were read. */
  void settle() {
    if (unsorted) {
      unsorted = false;
      metrics.sort(Comparator.comparing(metric -> metric.declaration().name()));
      membershipVersion++;
    }
  }

  /** Lets go of images and of what only they had, and closes them. */
  void drop(Collection<Image> gone) {
    if (gone.isEmpty()) {
      return;
    }
    boolean[] dropped = new boolean[images.length];
    for (Image image : gone) {
      dropped[image.slot()] = true;
      images[image.slot()] = null;
      image.close();
    }
    int kept = 0;
    boolean madeWay = false;
    for (int i = 0; i < metrics.size(); i++) {
      MergedMetric metric = metrics.get(i);
      metric.keepParts(dropped, budget);
      if (metric.series().isEmpty() && !isDeclaredBySomeImage(metric)) {
        byName.remove(metric.declaration().name());
        madeWay |= conflicts.remove(metric.declaration().name());
        membershipVersion++;
      } else {
        metrics.set(kept++, metric);
      }
    }
    metrics.subList(kept, metrics.size()).clear();
    if (madeWay) {
      for (Image image : images) {
        if (image != null) {
          image.offerSkipped(this);
        }
      }
    }
  }

  private boolean isDeclaredBySomeImage(MergedMetric metric) {
    for (Image image : images) {
      if (image != null && image.declares(metric)) {
        return true;
      }
    }
    return false;
  }

  /** Lets go of everything. */
  void close() {
    for (Image image : images) {
      if (image != null) {
        image.close();
      }
    }
    for (MergedMetric metric : metrics) {
      metric.end(budget);
    }
    Arrays.fill(images, null);
    metrics.clear();
    byName.clear();
    membershipVersion++;
  }

  @Override
  public @Nullable MergedMetric declare(Image image, Declaration declaration) {
    MergedMetric metric = byName.get(declaration.name());
    if (metric == null) {
      metric = new MergedMetric(declaration);
      metric.declaredAs(declaration);
      byName.put(declaration.name(), metric);
      metrics.add(metric);
      unsorted = true;
      return metric;
    }
    String difference = metric.declaration().differenceTo(declaration);
    if (difference == null) {
      metric.declaredAs(declaration);
      return metric;
    }
    conflicts.add(declaration.name());
    problems
        .kind(StoreProblems.DECLARATION_CONFLICT)
        .add(
            1,
            () ->
                "metric "
                    + declaration.name()
                    + ": expected one declaration, found "
                    + difference
                    + "; the series of "
                    + image.fileName()
                    + " are left out; declare it the same in all programs");
    return null;
  }

  @Override
  public void addSeries(
      Image image, MergedMetric metric, Labels labels, long createdUnixNanos, int part) {
    metric.add(labels, createdUnixNanos, image.slot(), part);
  }

  @Override
  public void damaged(Image image, String reason) {
    problems
        .kind(StoreProblems.FILE_DAMAGED)
        .add(
            1,
            () ->
                image.fileName()
                    + ": "
                    + reason
                    + "; what stands before it is read, the rest is left out");
  }
}

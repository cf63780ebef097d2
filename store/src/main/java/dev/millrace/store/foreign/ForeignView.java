package dev.millrace.store.foreign;

import dev.millrace.model.EncodedLabelsBudget;
import dev.millrace.model.Problems;
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
 * The metrics of several files as one list. Keys are joined when a file is first read; after that
 * only values change. One thread at a time.
 */
final class ForeignView implements ForeignFile.Sink {
  private final EncodedLabelsBudget budget;
  private final Problems problems;
  private final ForeignBounds bounds;
  private final List<ForeignMetric> metrics = new ArrayList<>();
  private final Map<String, ForeignMetric> byName = new HashMap<>();
  private final KeyTable table = new KeyTable();
  private final RubyKeys rubyKeys = new RubyKeys();
  private final JsonKeys jsonKeys = new JsonKeys();
  private final SampleKey sample = new SampleKey();
  private final Set<String> conflicts = new HashSet<>();
  private @Nullable ForeignFile[] files = new ForeignFile[8];
  private byte[] keyBytes = new byte[1024];
  private long samples;
  private long membershipVersion = 1;
  private boolean unsorted;

  ForeignView(EncodedLabelsBudget budget, Problems problems, ForeignBounds bounds) {
    this.budget = budget;
    this.problems = problems;
    this.bounds = bounds;
  }

  EncodedLabelsBudget budget() {
    return budget;
  }

  /** Changes with the list of metrics. */
  long membershipVersion() {
    return membershipVersion;
  }

  /** The metrics, by name. */
  List<ForeignMetric> metrics() {
    return metrics;
  }

  /** How many samples there are. */
  long sampleCount() {
    return samples;
  }

  /** The file in a slot that a part names. */
  ForeignFile file(int slot) {
    ForeignFile file = files[slot];
    if (file == null) {
      throw new IllegalStateException("expected a file in slot " + slot + ", found none");
    }
    return file;
  }

  /** Takes a file in; its series appear when it is read. */
  void add(ForeignFile file) {
    int slot = 0;
    while (slot < files.length && files[slot] != null) {
      slot++;
    }
    if (slot == files.length) {
      files = Arrays.copyOf(files, 2 * files.length);
    }
    files[slot] = file;
    file.setSlot(slot);
  }

  /** Brings the metrics in order, after files were read. */
  void settle() {
    table.clear();
    if (unsorted) {
      unsorted = false;
      metrics.sort(Comparator.comparing(metric -> metric.descriptor().name()));
      membershipVersion++;
    }
  }

  /** Lets go of files, and of what only they had. */
  void remove(Collection<ForeignFile> gone) {
    forget(gone);
    for (ForeignFile file : gone) {
      files[file.slot()] = null;
    }
  }

  /** Lets go of what files had joined. */
  void forget(Collection<ForeignFile> gone) {
    if (gone.isEmpty()) {
      return;
    }
    table.clear();
    boolean[] dropped = new boolean[files.length];
    for (ForeignFile file : gone) {
      dropped[file.slot()] = true;
    }
    int kept = 0;
    for (int i = 0; i < metrics.size(); i++) {
      ForeignMetric metric = metrics.get(i);
      samples -= metric.keepParts(dropped, budget);
      if (metric.series().isEmpty()) {
        byName.remove(metric.descriptor().name());
        conflicts.removeIf(key -> key.endsWith("\n" + metric.descriptor().name()));
        membershipVersion++;
      } else {
        metrics.set(kept++, metric);
      }
    }
    metrics.subList(kept, metrics.size()).clear();
  }

  /** Lets go of everything. */
  void close() {
    for (ForeignMetric metric : metrics) {
      metric.end(budget);
    }
    Arrays.fill(files, null);
    metrics.clear();
    byName.clear();
    conflicts.clear();
    table.clear();
    samples = 0;
    membershipVersion++;
  }

  @Override
  public byte[] keyBytes(int lengthBytes) {
    if (keyBytes.length < lengthBytes) {
      keyBytes = new byte[Math.max(lengthBytes, 2 * keyBytes.length)];
    }
    return keyBytes;
  }

  @Override
  public @Nullable ForeignClient clientOf(byte[] key, int lengthBytes) {
    return jsonKeys.clientOf(key, lengthBytes);
  }

  @Override
  public ForeignFile.Joined join(ForeignFile file, byte[] key, int lengthBytes, int entry) {
    int meaning = table.numberOf(file.meaning());
    if (table.join(meaning, key, lengthBytes, file.slot(), entry)) {
      return ForeignFile.Joined.YES;
    }
    SampleKey.Outcome outcome =
        file.meaning().client() == ForeignClient.CLIENT_RUBY
            ? rubyKeys.read(key, lengthBytes, file.meaning(), sample)
            : jsonKeys.read(key, lengthBytes, file.meaning(), sample);
    return switch (outcome) {
      case DAMAGED -> ForeignFile.Joined.DAMAGED;
      case MISFIT -> misfit(file);
      case SAMPLE -> joinNew(file, meaning, key, lengthBytes, entry);
    };
  }

  private ForeignFile.Joined joinNew(
      ForeignFile file, int meaning, byte[] key, int lengthBytes, int entry) {
    ForeignMetric metric = metric(file);
    if (metric == null) {
      return ForeignFile.Joined.LEFT_OUT;
    }
    ForeignSeries series = metric.find(sample.labels);
    if (samples >= bounds.maxSamples() && (series == null || isNewBucket(series))) {
      return refused(file);
    }
    if (series == null) {
      series = metric.create(sample.labels);
      samples += series.sampleCount(metric.type());
    }
    samples += isNewBucket(series) ? 1 : 0;
    int cell = sample.part == SampleKey.BUCKET ? series.cellOf(sample.bound) : sample.part;
    series.add(file.slot(), entry, cell);
    table.put(meaning, key, lengthBytes, series, cell);
    return ForeignFile.Joined.YES;
  }

  private boolean isNewBucket(ForeignSeries series) {
    return sample.part == SampleKey.BUCKET && !series.hasBucket(sample.bound);
  }

  private @Nullable ForeignMetric metric(ForeignFile file) {
    ForeignMetric metric = byName.get(sample.metric);
    if (metric == null) {
      if (samples >= bounds.maxSamples()) {
        refused(file);
        return null;
      }
      metric = new ForeignMetric(sample.metric, sample.help, file.meaning());
      byName.put(sample.metric, metric);
      metrics.add(metric);
      unsorted = true;
      return metric;
    }
    String difference = metric.differenceTo(file.meaning());
    if (difference == null) {
      return metric;
    }
    if (conflicts.add(file.name() + "\n" + sample.metric)) {
      String name = sample.metric;
      problems
          .kind(ForeignProblems.DECLARATION_CONFLICT)
          .add(
              1,
              () ->
                  "metric "
                      + name
                      + ": expected one declaration, found "
                      + difference
                      + "; the samples of "
                      + file.name()
                      + " are left out; declare it the same in all programs");
    }
    return null;
  }

  private ForeignFile.Joined misfit(ForeignFile file) {
    String name = sample.metric;
    problems
        .kind(ForeignProblems.SAMPLE_REFUSED)
        .add(
            1,
            () ->
                file.name()
                    + ": expected samples of a "
                    + file.meaning().type().word()
                    + ", found another one of "
                    + name
                    + "; it is left out");
    return ForeignFile.Joined.LEFT_OUT;
  }

  @Override
  public void keyTooLong(ForeignFile file, int lengthBytes) {
    problems
        .kind(ForeignProblems.SAMPLE_REFUSED)
        .add(
            1,
            () ->
                file.name()
                    + ": expected keys of at most "
                    + bounds.maxKeyBytes()
                    + " bytes, found one of "
                    + lengthBytes
                    + "; its sample is left out; use shorter label values or raise the bound");
  }

  private ForeignFile.Joined refused(ForeignFile file) {
    problems
        .kind(ForeignProblems.SAMPLE_REFUSED)
        .add(
            1,
            () ->
                file.name()
                    + ": expected at most "
                    + bounds.maxSamples()
                    + " samples in all files, found more; new ones are left out; raise the bound");
    return ForeignFile.Joined.LEFT_OUT;
  }
}

package dev.millrace.format.remotewrite;

import dev.millrace.format.prometheus.ExponentialHistograms;
import dev.millrace.format.translation.FamilyType;
import dev.millrace.format.translation.Faults;
import dev.millrace.format.translation.LabelNames;

/** The writers of points of all types, for one version. */
final class WriterSet {
  private final PointWriter counters;
  private final PointWriter numbers;
  private final PointWriter histograms;
  private final PointWriter exponentialHistograms;
  private final PointWriter summaries;
  private final PointWriter targets;

  /**
   * Writers.
   *
   * @param syntax says which histograms are native ones
   * @param exemplarNames names the attributes of exemplars
   */
  WriterSet(
      RemoteWriteSyntax syntax,
      ExponentialHistograms otherwise,
      Shards out,
      LabelNames exemplarNames,
      Faults faults) {
    RequestExemplars exemplars = new RequestExemplars(exemplarNames, faults);
    counters = new NumberWriter(out, exemplars);
    numbers = new NumberWriter(out, null);
    histograms =
        syntax.isNative(FamilyType.HISTOGRAM)
            ? new CustomBucketsWriter(out, exemplars)
            : new HistogramWriter(out, exemplars);
    boolean allBuckets = otherwise == ExponentialHistograms.EXPLICIT_BUCKETS;
    exponentialHistograms =
        syntax.isNative(FamilyType.EXPONENTIAL_HISTOGRAM)
            ? new ExponentialWriter(out, exemplars)
            : new ExponentialBucketsWriter(out, exemplars, allBuckets);
    summaries = new SummaryWriter(out, faults);
    targets = new TargetWriter(out);
  }

  /** The writer of {@code target_info}. */
  PointWriter targets() {
    return targets;
  }

  /** The writer of points of a type. */
  PointWriter of(FamilyType type) {
    return switch (type) {
      case COUNTER -> counters;
      case GAUGE, UNKNOWN, INFO, STATESET -> numbers;
      case HISTOGRAM -> histograms;
      case EXPONENTIAL_HISTOGRAM -> exponentialHistograms;
      case SUMMARY -> summaries;
    };
  }
}

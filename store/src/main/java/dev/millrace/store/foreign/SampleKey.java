package dev.millrace.store.foreign;

import dev.millrace.model.Labels;

/**
 * What a key says: which sample of which metric. Filled by the parsers and used again for each key.
 */
final class SampleKey {
  /** The value of a counter, a gauge or an untyped sample, or the sum of a distribution. */
  static final int VALUE = 0;

  /** How many values were observed. */
  static final int COUNT = 1;

  /** A bucket; {@link #bound} tells which. */
  static final int BUCKET = 2;

  /** The metric's name, as the scrape has it. */
  String metric = "";

  String help = "";

  /** The labels of the series, without those that tell the samples of one point apart. */
  Labels labels = Labels.EMPTY;

  /** {@link #VALUE}, {@link #COUNT} or {@link #BUCKET}. */
  int part;

  /** The upper bound of a bucket. */
  double bound;

  /** What came of reading a key. */
  enum Outcome {
    /** The fields hold a sample. */
    SAMPLE,
    /** The key is whole, but means nothing in a metric of its type. */
    MISFIT,
    /** The key is none: the file is damaged here. */
    DAMAGED
  }
}

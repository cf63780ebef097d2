package dev.millrace.format.remotewrite;

/** Numbers of the protobuf fields of both messages, and the numbers that mean something. */
final class WriteSchema {
  /** {@code WriteRequest.timeseries} of 1.0. */
  static final int V1_TIMESERIES = 1;

  /** {@code WriteRequest.metadata} of 1.0. */
  static final int V1_METADATA = 3;

  /** {@code Request.symbols} of 2.0. */
  static final int V2_SYMBOLS = 4;

  /** {@code Request.timeseries} of 2.0. */
  static final int V2_TIMESERIES = 5;

  /** {@code TimeSeries.labels} of 1.0, and {@code labels_refs} of 2.0; exemplars' as well. */
  static final int LABELS = 1;

  static final int SAMPLES = 2;
  static final int V1_EXEMPLARS = 3;
  static final int V1_HISTOGRAMS = 4;
  static final int V2_HISTOGRAMS = 3;
  static final int V2_EXEMPLARS = 4;
  static final int V2_SERIES_METADATA = 5;

  static final int LABEL_NAME = 1;
  static final int LABEL_VALUE = 2;

  static final int SAMPLE_VALUE = 1;
  static final int SAMPLE_TIMESTAMP = 2;
  static final int V2_SAMPLE_START_TIMESTAMP = 3;

  static final int EXEMPLAR_VALUE = 2;
  static final int EXEMPLAR_TIMESTAMP = 3;

  static final int V1_METADATA_TYPE = 1;
  static final int V1_METADATA_FAMILY_NAME = 2;
  static final int V1_METADATA_HELP = 4;
  static final int V1_METADATA_UNIT = 5;

  static final int V2_METADATA_TYPE = 1;
  static final int V2_METADATA_HELP_REF = 3;
  static final int V2_METADATA_UNIT_REF = 4;

  static final int HISTOGRAM_COUNT_INT = 1;
  static final int HISTOGRAM_COUNT_FLOAT = 2;
  static final int HISTOGRAM_SUM = 3;
  static final int HISTOGRAM_SCHEMA = 4;
  static final int HISTOGRAM_ZERO_THRESHOLD = 5;
  static final int HISTOGRAM_ZERO_COUNT_INT = 6;
  static final int HISTOGRAM_NEGATIVE_SPANS = 8;
  static final int HISTOGRAM_NEGATIVE_DELTAS = 9;
  static final int HISTOGRAM_POSITIVE_SPANS = 11;
  static final int HISTOGRAM_POSITIVE_DELTAS = 12;
  static final int HISTOGRAM_POSITIVE_COUNTS = 13;
  static final int HISTOGRAM_TIMESTAMP = 15;
  static final int HISTOGRAM_CUSTOM_VALUES = 16;
  static final int V2_HISTOGRAM_START_TIMESTAMP = 17;

  static final int SPAN_OFFSET = 1;
  static final int SPAN_LENGTH = 2;

  /** Types of families, the same numbers in both messages. */
  static final int TYPE_UNKNOWN = 0;

  static final int TYPE_COUNTER = 1;
  static final int TYPE_GAUGE = 2;
  static final int TYPE_HISTOGRAM = 3;
  static final int TYPE_SUMMARY = 5;
  static final int TYPE_INFO = 6;
  static final int TYPE_STATESET = 7;

  /** The schema of histograms with custom buckets. */
  static final int CUSTOM_BUCKETS_SCHEMA = -53;

  /** The number that says that a series has ended, and nothing else. */
  static final long STALE_NAN_BITS = 0x7ff0_0000_0000_0002L;

  /** Every other NaN is written as this one, which Prometheus itself uses. */
  static final long NORMAL_NAN_BITS = 0x7ff8_0000_0000_0001L;

  private WriteSchema() {}

  /** The bits of an ordinary number as they are written. */
  static long bits(double value) {
    // Unlike its result for numbers, that of doubleToRawLongBits for NaN could be the stale marker.
    return Double.isNaN(value) ? NORMAL_NAN_BITS : Double.doubleToRawLongBits(value);
  }
}

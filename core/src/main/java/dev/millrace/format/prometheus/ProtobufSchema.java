package dev.millrace.format.prometheus;

/**
 * The tags of {@code io.prometheus.client.MetricFamily} (Prometheus' client model, {@code
 * io/prometheus/client/metrics.proto}): field number times eight plus wire type.
 *
 * <pre>
 *   exposition    | varint: length of a MetricFamily | MetricFamily | varint: length | ...
 *   MetricFamily  | name | help | type | Metric ... | unit
 *   Metric        | LabelPair ... | Gauge, Counter, Summary, Untyped or Histogram
 *   Counter       | value | Exemplar | created
 *   Summary       | count | sum | Quantile ... | created
 *   Histogram     | count | sum | Bucket ... | created                                    (classic)
 *                 | count | sum | schema | zero threshold | zero count
 *                 |   | BucketSpan ... | deltas of negative buckets
 *                 |   | BucketSpan ... | deltas of positive buckets | created | Exemplar ...  (native)
 * </pre>
 *
 * <p>The schema is {@code proto2}: a field that has its default value is written, because an absent
 * one says that nothing is known, and repeated numbers are not packed.
 */
final class ProtobufSchema {
  private static final int VARINT = 0;
  private static final int FIXED64 = 1;
  private static final int LENGTH_DELIMITED = 2;

  static final int FAMILY_NAME = 1 << 3 | LENGTH_DELIMITED;
  static final int FAMILY_HELP = 2 << 3 | LENGTH_DELIMITED;
  static final int FAMILY_TYPE = 3 << 3 | VARINT;
  static final int FAMILY_METRIC = 4 << 3 | LENGTH_DELIMITED;
  static final int FAMILY_UNIT = 5 << 3 | LENGTH_DELIMITED;

  static final int TYPE_COUNTER = 0;
  static final int TYPE_GAUGE = 1;
  static final int TYPE_SUMMARY = 2;
  static final int TYPE_UNTYPED = 3;
  static final int TYPE_HISTOGRAM = 4;

  static final int METRIC_LABEL = 1 << 3 | LENGTH_DELIMITED;
  static final int METRIC_GAUGE = 2 << 3 | LENGTH_DELIMITED;
  static final int METRIC_COUNTER = 3 << 3 | LENGTH_DELIMITED;
  static final int METRIC_SUMMARY = 4 << 3 | LENGTH_DELIMITED;
  static final int METRIC_UNTYPED = 5 << 3 | LENGTH_DELIMITED;
  static final int METRIC_HISTOGRAM = 7 << 3 | LENGTH_DELIMITED;

  static final int LABEL_NAME = 1 << 3 | LENGTH_DELIMITED;
  static final int LABEL_VALUE = 2 << 3 | LENGTH_DELIMITED;

  /** Of gauges, counters and untyped metrics alike. */
  static final int NUMBER_VALUE = 1 << 3 | FIXED64;

  static final int COUNTER_EXEMPLAR = 2 << 3 | LENGTH_DELIMITED;
  static final int COUNTER_CREATED = 3 << 3 | LENGTH_DELIMITED;

  static final int SUMMARY_COUNT = 1 << 3 | VARINT;
  static final int SUMMARY_SUM = 2 << 3 | FIXED64;
  static final int SUMMARY_QUANTILE = 3 << 3 | LENGTH_DELIMITED;
  static final int SUMMARY_CREATED = 4 << 3 | LENGTH_DELIMITED;

  static final int QUANTILE_QUANTILE = 1 << 3 | FIXED64;
  static final int QUANTILE_VALUE = 2 << 3 | FIXED64;

  static final int HISTOGRAM_COUNT = 1 << 3 | VARINT;
  static final int HISTOGRAM_SUM = 2 << 3 | FIXED64;
  static final int HISTOGRAM_BUCKET = 3 << 3 | LENGTH_DELIMITED;
  static final int HISTOGRAM_SCHEMA = 5 << 3 | VARINT;
  static final int HISTOGRAM_ZERO_THRESHOLD = 6 << 3 | FIXED64;
  static final int HISTOGRAM_ZERO_COUNT = 7 << 3 | VARINT;
  static final int HISTOGRAM_NEGATIVE_SPAN = 9 << 3 | LENGTH_DELIMITED;
  static final int HISTOGRAM_NEGATIVE_DELTA = 10 << 3 | VARINT;
  static final int HISTOGRAM_POSITIVE_SPAN = 12 << 3 | LENGTH_DELIMITED;
  static final int HISTOGRAM_POSITIVE_DELTA = 13 << 3 | VARINT;
  static final int HISTOGRAM_CREATED = 15 << 3 | LENGTH_DELIMITED;
  static final int HISTOGRAM_EXEMPLAR = 16 << 3 | LENGTH_DELIMITED;

  static final int BUCKET_CUMULATIVE_COUNT = 1 << 3 | VARINT;
  static final int BUCKET_UPPER_BOUND = 2 << 3 | FIXED64;
  static final int BUCKET_EXEMPLAR = 3 << 3 | LENGTH_DELIMITED;

  static final int SPAN_OFFSET = 1 << 3 | VARINT;
  static final int SPAN_LENGTH = 2 << 3 | VARINT;

  static final int EXEMPLAR_LABEL = 1 << 3 | LENGTH_DELIMITED;
  static final int EXEMPLAR_VALUE = 2 << 3 | FIXED64;
  static final int EXEMPLAR_TIMESTAMP = 3 << 3 | LENGTH_DELIMITED;

  static final int TIMESTAMP_SECONDS = 1 << 3 | VARINT;
  static final int TIMESTAMP_NANOS = 2 << 3 | VARINT;

  private ProtobufSchema() {}
}

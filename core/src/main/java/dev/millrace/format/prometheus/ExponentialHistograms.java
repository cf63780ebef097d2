package dev.millrace.format.prometheus;

/**
 * What becomes of exponential histograms in the formats that have no native histograms: all but
 * {@link PrometheusFormat#PROTOBUF}.
 */
public enum ExponentialHistograms {
  /** They are left out, and counted as {@code prometheus_exponential_histogram}. */
  OMITTED,

  /**
   * Their count and their sum are written, as those of a histogram with the one bucket {@code
   * +Inf}: rates and averages are there, quantiles are not.
   */
  COUNT_AND_SUM,

  /**
   * They become histograms whose bounds are those of the exponential buckets, from the lowest to
   * the highest that holds something. Where that would be more than 160 buckets, neighbours are
   * merged, as if the scale were lower. A series more for each bucket: mind what that costs the
   * server.
   */
  EXPLICIT_BUCKETS
}

package dev.millrace.format.translation;

/** What can be wrong with metrics for the Prometheus formats: the kinds of problem, in words. */
public enum Fault {
  UNUSABLE_NAME(
      "prometheus_unusable_name",
      "expected a metric name with at least one ASCII letter or digit, or with any character where"
          + " names are not escaped to underscores, found none; the metric is left out until its"
          + " instrument has another name"),
  NOT_CUMULATIVE(
      "prometheus_not_cumulative",
      "expected cumulative temporality, found another; the metric is left out until its reader or"
          + " a processor before it makes it cumulative"),
  EXPONENTIAL_HISTOGRAM(
      "prometheus_exponential_histogram",
      "expected a metric that a text format can express, found an exponential histogram; the metric"
          + " is left out until a view gives it explicit bounds, or an option lets it become what"
          + " the format can express"),
  TYPE_CONFLICT(
      "prometheus_type_conflict",
      "expected the type that an earlier metric of the same Prometheus name has, found another; the"
          + " metric is left out until one of the two has another name"),
  NAME_CLASH(
      "prometheus_name_clash",
      "expected names that no other metric's samples have, found a sample's name taken; the metric"
          + " is left out until one of the two has another name"),
  HELP_CONFLICT(
      "prometheus_help_conflict",
      "expected one description for all metrics of one Prometheus name, found several; the first is"
          + " written; give the instruments the same description"),
  UNIT_CONFLICT(
      "prometheus_unit_conflict",
      "expected one unit for all metrics of one Prometheus name, found several; the first is"
          + " written; give the instruments the same unit"),
  DUPLICATE_TARGET(
      "prometheus_duplicate_target",
      "expected one resource for each target, found several that differ; target_info has the first;"
          + " give each resource a service.instance.id of its own"),
  DUPLICATE_SERIES(
      "prometheus_duplicate_series",
      "expected different labels on all series once names are translated, found equal ones; the"
          + " first series is written; make attribute keys or resources differ in letters or"
          + " digits"),
  HISTOGRAM(
      "prometheus_inconsistent_histogram",
      "expected rising bounds, one bucket more than bounds, buckets within the range of doubles,"
          + " and a count of at least all buckets, or of exactly those of a native histogram, found"
          + " a point that breaks this; the point is left out; mend its producer"),
  VALUE(
      "prometheus_value_not_allowed",
      "expected a counter of 0 or more, an info of 1, or a state of 0 or 1 with a label for the"
          + " state, found another value; the point is left out; mend its producer"),
  QUANTILE(
      "prometheus_quantile_not_allowed",
      "expected different quantiles from 0 to 1, with values of 0 or more in OpenMetrics, found"
          + " another; the quantile is left out; mend its producer"),
  EXPONENTIAL_SCALE(
      "prometheus_exponential_scale",
      "expected an exponential histogram of scale -4 or more, found a smaller one; the point is"
          + " left out until its values lie closer together"),
  EXEMPLAR_TIME(
      "prometheus_exemplar_without_time",
      "expected the exemplars of a native histogram to have times, found one without; the exemplar"
          + " is left out; mend its producer"),
  EXEMPLAR_LABELS(
      "prometheus_exemplar_labels_too_long",
      "expected the ids and filtered attributes of an exemplar to have at most 128 characters,"
          + " found more; its attributes are left out; let views keep or drop fewer attributes"),
  EXEMPLAR_VALUE(
      "prometheus_exemplar_value_not_allowed",
      "expected the exemplars of a histogram to have values that lie in a bucket, found NaN; the"
          + " exemplar is left out; mend its producer"),
  RESERVED_LABEL(
      "prometheus_reserved_label",
      "expected no attribute le on histograms and none named quantile on summaries, found one; the"
          + " attribute is left out; rename it");

  private final String kind;
  private final String explanation;

  Fault(String kind, String explanation) {
    this.kind = kind;
    this.explanation = explanation;
  }

  /** The name of the kind of problem. */
  public String kind() {
    return kind;
  }

  /** What was expected, what was found and what to do. */
  public String explanation() {
    return explanation;
  }
}

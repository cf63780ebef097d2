package dev.millrace.format.prometheus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.format.prometheus.ReferenceExposition.Sample;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The samples that a server makes of families in protobuf, as {@link ReferenceExposition} does. */
final class ProtobufSamples {
  private ProtobufSamples() {}

  static List<Sample> of(ClientModel.Message family) {
    List<Sample> samples = new ArrayList<>();
    String name = family.text("name");
    for (ClientModel.Message metric : family.messages("metric")) {
      SortedMap<String, String> labels = labels(metric.messages("label"));
      String field = family.constant("type").toLowerCase(Locale.ROOT);
      ClientModel.Message value = metric.message(field);
      switch (field) {
        case "counter" ->
            samples.add(new Sample(name, labels, value.real("value"), exemplar(value)));
        case "gauge", "untyped" -> samples.add(new Sample(name, labels, value.real("value")));
        case "summary" -> samples.addAll(summary(name, labels, value));
        case "histogram" ->
            samples.addAll(
                value.has("schema") ? natives(name, labels, value) : classic(name, labels, value));
        default -> throw new AssertionError("unexpected type " + field);
      }
      if (!field.equals("gauge") && !field.equals("untyped") && value.has("created_timestamp")) {
        samples.add(new Sample(name + " created", labels, value.unixNanos("created_timestamp")));
      }
    }
    return samples;
  }

  static SortedMap<String, String> labels(List<ClientModel.Message> pairs) {
    SortedMap<String, String> labels = new TreeMap<>();
    for (ClientModel.Message pair : pairs) {
      if (labels.put(pair.text("name"), pair.text("value")) != null) {
        throw new AssertionError("twice: label " + pair.text("name"));
      }
    }
    return labels;
  }

  private static ReferenceExemplars.@Nullable Exemplar exemplar(ClientModel.Message owner) {
    return owner.has("exemplar") ? read(owner.message("exemplar")) : null;
  }

  private static ReferenceExemplars.Exemplar read(ClientModel.Message exemplar) {
    return new ReferenceExemplars.Exemplar(
        labels(exemplar.messages("label")),
        exemplar.real("value"),
        exemplar.has("timestamp") ? BigDecimal.valueOf(exemplar.unixNanos("timestamp"), 9) : null);
  }

  private static List<Sample> summary(
      String name, SortedMap<String, String> labels, ClientModel.Message summary) {
    List<Sample> samples = new ArrayList<>();
    for (ClientModel.Message quantile : summary.messages("quantile")) {
      String which = text(quantile.real("quantile"));
      SortedMap<String, String> more = ReferenceExposition.with(labels, "quantile", which);
      samples.add(new Sample(name, more, quantile.real("value")));
    }
    samples.add(new Sample(name + "_sum", labels, summary.real("sample_sum")));
    samples.add(new Sample(name + "_count", labels, summary.whole("sample_count")));
    return samples;
  }

  private static List<Sample> classic(
      String name, SortedMap<String, String> labels, ClientModel.Message histogram) {
    List<Sample> samples = new ArrayList<>();
    long count = histogram.whole("sample_count");
    ReferenceExemplars.Exemplar ofLast = null;
    for (ClientModel.Message bucket : histogram.messages("bucket")) {
      double bound = bucket.real("upper_bound");
      if (bound == Double.POSITIVE_INFINITY) {
        ofLast = exemplar(bucket);
        assertThat(ofLast).as("a last bucket without need").isNotNull();
        assertThat(bucket.whole("cumulative_count")).isEqualTo(count);
        continue;
      }
      assertThat(ofLast).as("a bucket after the last").isNull();
      samples.add(
          new Sample(
              name + "_bucket",
              ReferenceExposition.with(labels, "le", text(bound)),
              bucket.whole("cumulative_count"),
              exemplar(bucket)));
    }
    SortedMap<String, String> last = ReferenceExposition.with(labels, "le", "+Inf");
    samples.add(new Sample(name + "_bucket", last, count, ofLast));
    if (histogram.has("sample_sum")) {
      samples.add(new Sample(name + "_sum", labels, histogram.real("sample_sum")));
    }
    samples.add(new Sample(name + "_count", labels, count));
    return samples;
  }

  private static List<Sample> natives(
      String name, SortedMap<String, String> labels, ClientModel.Message histogram) {
    List<Sample> samples = new ArrayList<>();
    samples.add(sample(name, labels, "count", histogram.whole("sample_count")));
    if (histogram.has("sample_sum")) {
      samples.add(sample(name, labels, "sum", histogram.real("sample_sum")));
    }
    samples.add(sample(name, labels, "schema", histogram.whole("schema")));
    samples.add(sample(name, labels, "threshold", histogram.real("zero_threshold")));
    samples.add(sample(name, labels, "zero", histogram.whole("zero_count")));
    buckets(histogram, "negative")
        .forEach((index, count) -> samples.add(sample(name, labels, "-" + index, count)));
    buckets(histogram, "positive")
        .forEach((index, count) -> samples.add(sample(name, labels, "+" + index, count)));
    for (ClientModel.Message exemplar : histogram.messages("exemplars")) {
      SortedMap<String, String> more = ReferenceExposition.with(labels, "native", "exemplar");
      samples.add(new Sample(name, more, 0L, read(exemplar)));
    }
    return samples;
  }

  private static Sample sample(
      String name, SortedMap<String, String> labels, String what, Number value) {
    return new Sample(name, ReferenceExposition.with(labels, "native", what), value);
  }

  /** What is in each bucket by its index, without the empty ones; checks the spans on the way. */
  static Map<Integer, Long> buckets(ClientModel.Message histogram, String side) {
    Map<Integer, Long> buckets = new TreeMap<>();
    List<Long> deltas = histogram.wholes(side + "_delta");
    int index = 0;
    int next = 0;
    long count = 0;
    boolean first = true;
    for (ClientModel.Message span : histogram.messages(side + "_span")) {
      long offset = span.whole("offset");
      if (!first && offset < 0) {
        throw new AssertionError("a span goes back: " + histogram);
      }
      first = false;
      index = Math.toIntExact(index + offset);
      for (long i = span.whole("length"); i > 0; i--) {
        count += deltas.get(next++);
        if (count < 0) {
          throw new AssertionError("a bucket holds less than nothing: " + histogram);
        }
        if (count > 0) {
          buckets.put(index, count);
        }
        index++;
      }
    }
    if (next != deltas.size()) {
      throw new AssertionError("more buckets than spans say: " + histogram);
    }
    return buckets;
  }

  /** A bound as the reference has it; the others are no more than their number. */
  private static String text(double bound) {
    for (int i = 0; i < GeneratedMetrics.BOUNDS.length; i++) {
      if (GeneratedMetrics.BOUNDS[i] == bound) {
        return GeneratedMetrics.BOUND_TEXTS[i];
      }
    }
    return Double.toString(bound);
  }
}

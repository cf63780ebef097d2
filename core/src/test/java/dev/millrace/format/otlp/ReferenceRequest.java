package dev.millrace.format.otlp;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.millrace.model.FakeMetric;
import dev.millrace.model.FakePoint;
import dev.millrace.model.Labels;
import dev.millrace.model.MetricDescriptor;
import dev.millrace.model.MetricKind;
import dev.millrace.model.Resource;
import dev.millrace.model.Scope;
import dev.millrace.model.TypeHint;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.ArrayValue;
import io.opentelemetry.proto.common.v1.InstrumentationScope;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.common.v1.KeyValueList;
import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.Exemplar;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.HistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import io.opentelemetry.proto.metrics.v1.ScopeMetrics;
import io.opentelemetry.proto.metrics.v1.SummaryDataPoint;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** The requests that metrics are to become, slow and obvious, by protobuf's own builders. */
final class ReferenceRequest {
  private ReferenceRequest() {}

  static ExportMetricsServiceRequest of(List<FakeMetric> metrics)
      throws InvalidProtocolBufferException {
    Map<Resource, Map<Scope, List<Metric>>> groups = new LinkedHashMap<>();
    for (FakeMetric metric : metrics) {
      List<Metric> group =
          groups
              .computeIfAbsent(metric.resource(), r -> new LinkedHashMap<>())
              .computeIfAbsent(metric.scope(), s -> new ArrayList<>());
      Metric made = metric(metric);
      if (made != null) {
        group.add(made);
      }
    }
    // What has no points was there for its place only.
    groups.values().forEach(byScope -> byScope.values().removeIf(List::isEmpty));
    groups.values().removeIf(Map::isEmpty);
    ExportMetricsServiceRequest.Builder request = ExportMetricsServiceRequest.newBuilder();
    for (var byResource : groups.entrySet()) {
      Resource resource = byResource.getKey();
      ResourceMetrics.Builder resourceMetrics =
          request.addResourceMetricsBuilder().setSchemaUrl(clean(resource.schemaUrl()));
      resourceMetrics.getResourceBuilder().addAllAttributes(attributes(resource.attributes()));
      for (var byScope : byResource.getValue().entrySet()) {
        Scope scope = byScope.getKey();
        ScopeMetrics.Builder scopeMetrics =
            resourceMetrics.addScopeMetricsBuilder().setSchemaUrl(clean(scope.schemaUrl()));
        scopeMetrics.setScope(
            InstrumentationScope.newBuilder()
                .setName(clean(scope.name()))
                .setVersion(clean(scope.version()))
                .addAllAttributes(attributes(scope.attributes())));
        scopeMetrics.addAllMetrics(byScope.getValue());
      }
    }
    return request.build();
  }

  /** How many points are left out because their bounds and buckets do not belong together. */
  static long inconsistent(List<FakeMetric> metrics) {
    return metrics.stream()
        .flatMap(metric -> metric.points().stream())
        .filter(point -> !isWritten(point))
        .count();
  }

  static boolean isWritten(FakePoint point) {
    if (point.noRecordedValue() || !(point.value() instanceof FakePoint.Histogram histogram)) {
      return true;
    }
    double[] rising = Arrays.stream(histogram.bounds()).sorted().distinct().toArray();
    boolean rises =
        Arrays.equals(rising, histogram.bounds()) && Arrays.stream(rising).noneMatch(Double::isNaN);
    int buckets = histogram.buckets().length;
    return buckets == 0 || (buckets == rising.length + 1 && rises);
  }

  private static @Nullable Metric metric(FakeMetric metric) throws InvalidProtocolBufferException {
    List<FakePoint> points = metric.points().stream().filter(ReferenceRequest::isWritten).toList();
    if (points.isEmpty()) {
      return null;
    }
    MetricDescriptor descriptor = metric.descriptor();
    Metric.Builder out =
        Metric.newBuilder()
            .setName(clean(descriptor.name()))
            .setDescription(clean(descriptor.description()))
            .setUnit(clean(descriptor.unit()));
    if (descriptor.typeHint() != TypeHint.NONE) {
      String hint = descriptor.typeHint().name().toLowerCase(Locale.ROOT);
      out.addMetadata(
          KeyValue.newBuilder()
              .setKey("prometheus.type")
              .setValue(AnyValue.newBuilder().setStringValue(hint)));
    }
    AggregationTemporality temporality =
        switch (descriptor.temporality()) {
          case UNSPECIFIED -> AggregationTemporality.AGGREGATION_TEMPORALITY_UNSPECIFIED;
          case DELTA -> AggregationTemporality.AGGREGATION_TEMPORALITY_DELTA;
          case CUMULATIVE -> AggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE;
        };
    for (FakePoint point : points) {
      switch (descriptor.kind()) {
        case GAUGE -> out.getGaugeBuilder().addDataPoints(number(point));
        case SUM -> out.getSumBuilder().addDataPoints(number(point));
        case HISTOGRAM -> out.getHistogramBuilder().addDataPoints(histogram(point));
        case EXPONENTIAL_HISTOGRAM ->
            out.getExponentialHistogramBuilder().addDataPoints(exponential(point));
        case SUMMARY -> out.getSummaryBuilder().addDataPoints(summary(point));
      }
    }
    if (descriptor.kind() == MetricKind.SUM) {
      out.getSumBuilder()
          .setAggregationTemporality(temporality)
          .setIsMonotonic(descriptor.monotonic());
    } else if (descriptor.kind() == MetricKind.HISTOGRAM) {
      out.getHistogramBuilder().setAggregationTemporality(temporality);
    } else if (descriptor.kind() == MetricKind.EXPONENTIAL_HISTOGRAM) {
      out.getExponentialHistogramBuilder().setAggregationTemporality(temporality);
    }
    return out.build();
  }

  private static NumberDataPoint number(FakePoint point) throws InvalidProtocolBufferException {
    NumberDataPoint.Builder out =
        NumberDataPoint.newBuilder()
            .setStartTimeUnixNano(point.startTimeUnixNanos())
            .setTimeUnixNano(point.timeUnixNanos())
            .addAllAttributes(attributes(point.series().labels()));
    if (point.noRecordedValue()) {
      return out.setFlags(1).build();
    }
    if (point.value() instanceof FakePoint.Whole whole) {
      out.setAsInt(whole.value());
    } else if (point.value() instanceof FakePoint.Real real) {
      out.setAsDouble(real.value());
    }
    return out.addAllExemplars(exemplars(point)).build();
  }

  private static HistogramDataPoint histogram(FakePoint point)
      throws InvalidProtocolBufferException {
    HistogramDataPoint.Builder out =
        HistogramDataPoint.newBuilder()
            .setStartTimeUnixNano(point.startTimeUnixNanos())
            .setTimeUnixNano(point.timeUnixNanos())
            .addAllAttributes(attributes(point.series().labels()));
    if (point.noRecordedValue()) {
      return out.setFlags(1).build();
    }
    FakePoint.Histogram value = (FakePoint.Histogram) point.value();
    out.setCount(value.count()).addAllExemplars(exemplars(point));
    if (value.hasSum()) {
      out.setSum(value.sum());
    }
    if (value.buckets().length > 0) {
      out.addAllBucketCounts(LongStream.of(value.buckets()).boxed().toList());
      out.addAllExplicitBounds(DoubleStream.of(value.bounds()).boxed().toList());
    }
    if (!Double.isNaN(value.min())) {
      out.setMin(value.min()).setMax(FakePoint.maxOf(value));
    }
    return out.build();
  }

  private static ExponentialHistogramDataPoint exponential(FakePoint point)
      throws InvalidProtocolBufferException {
    ExponentialHistogramDataPoint.Builder out =
        ExponentialHistogramDataPoint.newBuilder()
            .setStartTimeUnixNano(point.startTimeUnixNanos())
            .setTimeUnixNano(point.timeUnixNanos())
            .addAllAttributes(attributes(point.series().labels()));
    if (point.noRecordedValue()) {
      return out.setFlags(1).build();
    }
    FakePoint.Exponential value = (FakePoint.Exponential) point.value();
    out.setCount(value.count())
        .setScale(value.scale())
        .setZeroCount(value.zeroCount())
        .setZeroThreshold(value.zeroThreshold())
        .addAllExemplars(exemplars(point));
    if (value.hasSum()) {
      out.setSum(value.sum());
    }
    if (value.buckets().length > 0) {
      out.getPositiveBuilder()
          .setOffset(value.offset())
          .addAllBucketCounts(LongStream.of(value.buckets()).boxed().toList());
    }
    if (value.negativeBuckets().length > 0) {
      out.getNegativeBuilder()
          .setOffset(value.negativeOffset())
          .addAllBucketCounts(LongStream.of(value.negativeBuckets()).boxed().toList());
    }
    if (!Double.isNaN(FakePoint.minOf(value))) {
      out.setMin(FakePoint.minOf(value)).setMax(FakePoint.maxOf(value));
    }
    return out.build();
  }

  private static SummaryDataPoint summary(FakePoint point) throws InvalidProtocolBufferException {
    SummaryDataPoint.Builder out =
        SummaryDataPoint.newBuilder()
            .setStartTimeUnixNano(point.startTimeUnixNanos())
            .setTimeUnixNano(point.timeUnixNanos())
            .addAllAttributes(attributes(point.series().labels()));
    if (point.noRecordedValue()) {
      return out.setFlags(1).build();
    }
    FakePoint.Summary value = (FakePoint.Summary) point.value();
    out.setCount(value.count()).setSum(value.sum());
    for (int i = 0; i < value.quantiles().length; i++) {
      out.addQuantileValuesBuilder().setQuantile(value.quantiles()[i]).setValue(value.values()[i]);
    }
    return out.build();
  }

  private static List<Exemplar> exemplars(FakePoint point) throws InvalidProtocolBufferException {
    List<Exemplar> exemplars = new ArrayList<>();
    for (FakePoint.Exemplar exemplar : point.exemplars()) {
      Exemplar.Builder out =
          Exemplar.newBuilder()
              .setTimeUnixNano(exemplar.timeUnixNanos())
              .addAllFilteredAttributes(attributes(exemplar.labels()));
      if (exemplar.value() instanceof FakePoint.Whole whole) {
        out.setAsInt(whole.value());
      } else if (exemplar.value() instanceof FakePoint.Real real) {
        out.setAsDouble(real.value());
      }
      if (exemplar.spanId() != 0) {
        out.setSpanId(id(exemplar.spanId()));
      }
      if (exemplar.traceIdHigh() != 0 || exemplar.traceIdLow() != 0) {
        out.setTraceId(id(exemplar.traceIdHigh(), exemplar.traceIdLow()));
      }
      exemplars.add(out.build());
    }
    return exemplars;
  }

  static List<KeyValue> attributes(Labels labels) throws InvalidProtocolBufferException {
    List<KeyValue> attributes = new ArrayList<>();
    for (int i = 0; i < labels.size(); i++) {
      AnyValue.Builder value = AnyValue.newBuilder();
      byte[] bytes = Arrays.copyOfRange(labels.bytes(), labels.valueStart(i), labels.valueEnd(i));
      switch (labels.type(i)) {
        case STRING -> value.setStringValue(labels.text(i));
        case BOOLEAN -> value.setBoolValue(labels.booleanValue(i));
        case LONG -> value.setIntValue(labels.longValue(i));
        case DOUBLE -> value.setDoubleValue(labels.doubleValue(i));
        case BYTES -> value.setBytesValue(ByteString.copyFrom(bytes));
        case ARRAY -> value.setArrayValue(ArrayValue.parseFrom(bytes));
        case MAP -> value.setKvlistValue(KeyValueList.parseFrom(bytes));
        case EMPTY -> {}
      }
      attributes.add(KeyValue.newBuilder().setKey(labels.key(i)).setValue(value).build());
    }
    return attributes;
  }

  private static ByteString id(long... halves) {
    ByteBuffer bytes = ByteBuffer.allocate(halves.length * Long.BYTES);
    for (long half : halves) {
      bytes.putLong(half);
    }
    return ByteString.copyFrom(bytes.array());
  }

  /** Text as UTF-8 has it: without unpaired surrogates. */
  private static String clean(String text) {
    return text.replace('\uD800', '\uFFFD');
  }
}

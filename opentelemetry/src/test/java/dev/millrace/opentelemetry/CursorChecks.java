package dev.millrace.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.model.MetricCursor;
import dev.millrace.model.MetricDescriptor;
import dev.millrace.model.MetricKind;
import dev.millrace.model.Temporality;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.api.trace.TraceId;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.data.DoubleExemplarData;
import io.opentelemetry.sdk.metrics.data.DoublePointData;
import io.opentelemetry.sdk.metrics.data.ExemplarData;
import io.opentelemetry.sdk.metrics.data.ExponentialHistogramPointData;
import io.opentelemetry.sdk.metrics.data.HistogramPointData;
import io.opentelemetry.sdk.metrics.data.LongExemplarData;
import io.opentelemetry.sdk.metrics.data.LongPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.data.PointData;
import io.opentelemetry.sdk.metrics.data.SummaryPointData;
import io.opentelemetry.sdk.metrics.data.ValueAtQuantile;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Compares what a cursor gives with the data that it was opened over, value by value. */
final class CursorChecks {
  private CursorChecks() {}

  static void assertShows(MetricCursor cursor, Collection<? extends MetricData> expected) {
    assertThat(cursor.metricCount()).isEqualTo(expected.size());
    int index = 0;
    for (MetricData data : expected) {
      cursor.seekMetric(index++);
      assertMetric(cursor, data);
      // Twice, as formats walk a metric again.
      for (int walk = 0; walk < 2; walk++) {
        for (PointData point : data.getData().getPoints()) {
          assertThat(cursor.nextPoint()).isTrue();
          assertPoint(cursor, point);
        }
        assertThat(cursor.nextPoint()).isFalse();
        cursor.rewindPoints();
      }
    }
  }

  private static void assertMetric(MetricCursor cursor, MetricData data) {
    MetricDescriptor descriptor = cursor.metric();
    assertThat(descriptor.name()).isEqualTo(data.getName());
    assertThat(descriptor.description()).isEqualTo(data.getDescription());
    assertThat(descriptor.unit()).isEqualTo(data.getUnit());
    assertThat(cursor.scope().name()).isEqualTo(data.getInstrumentationScopeInfo().getName());
    assertThat(cursor.scope().attributes())
        .isEqualTo(new AttributeLabels().of(data.getInstrumentationScopeInfo().getAttributes()));
    assertThat(cursor.resource().attributes())
        .isEqualTo(new AttributeLabels().of(data.getResource().getAttributes()));
    switch (data.getType()) {
      case LONG_GAUGE, DOUBLE_GAUGE ->
          assertKind(descriptor, MetricKind.GAUGE, false, Temporality.UNSPECIFIED);
      case LONG_SUM ->
          assertKind(
              descriptor,
              MetricKind.SUM,
              data.getLongSumData().isMonotonic(),
              temporality(data.getLongSumData().getAggregationTemporality()));
      case DOUBLE_SUM ->
          assertKind(
              descriptor,
              MetricKind.SUM,
              data.getDoubleSumData().isMonotonic(),
              temporality(data.getDoubleSumData().getAggregationTemporality()));
      case HISTOGRAM ->
          assertKind(
              descriptor,
              MetricKind.HISTOGRAM,
              false,
              temporality(data.getHistogramData().getAggregationTemporality()));
      case EXPONENTIAL_HISTOGRAM ->
          assertKind(
              descriptor,
              MetricKind.EXPONENTIAL_HISTOGRAM,
              false,
              temporality(data.getExponentialHistogramData().getAggregationTemporality()));
      case SUMMARY -> assertKind(descriptor, MetricKind.SUMMARY, false, Temporality.UNSPECIFIED);
    }
  }

  private static Temporality temporality(AggregationTemporality temporality) {
    return Temporality.valueOf(temporality.name());
  }

  private static void assertKind(
      MetricDescriptor descriptor, MetricKind kind, boolean monotonic, Temporality temporality) {
    assertThat(descriptor.kind()).isEqualTo(kind);
    assertThat(descriptor.monotonic()).isEqualTo(monotonic);
    assertThat(descriptor.temporality()).isEqualTo(temporality);
  }

  private static void assertPoint(MetricCursor cursor, PointData point) {
    assertThat(cursor.series().labels()).isEqualTo(new AttributeLabels().of(point.getAttributes()));
    assertThat(cursor.startTimeUnixNanos()).isEqualTo(point.getStartEpochNanos());
    assertThat(cursor.timeUnixNanos()).isEqualTo(point.getEpochNanos());
    assertThat(cursor.noRecordedValue()).isFalse();
    if (point instanceof LongPointData number) {
      assertThat(cursor.isLong()).isTrue();
      assertThat(cursor.longValue()).isEqualTo(number.getValue());
    } else if (point instanceof DoublePointData number) {
      assertThat(cursor.isLong()).isFalse();
      assertSame(cursor.doubleValue(), number.getValue());
    } else if (point instanceof HistogramPointData histogram) {
      assertHistogram(cursor, histogram);
    } else if (point instanceof ExponentialHistogramPointData histogram) {
      assertExponential(cursor, histogram);
    } else {
      assertSummary(cursor, (SummaryPointData) point);
      return;
    }
    assertExemplars(cursor, point.getExemplars());
  }

  private static void assertExemplars(MetricCursor cursor, List<? extends ExemplarData> exemplars) {
    assertThat(cursor.exemplarCount()).isEqualTo(exemplars.size());
    for (int i = 0; i < exemplars.size(); i++) {
      ExemplarData exemplar = exemplars.get(i);
      if (exemplar instanceof LongExemplarData whole) {
        assertThat(cursor.exemplarIsLong(i)).isTrue();
        assertThat(cursor.exemplarLongValue(i)).isEqualTo(whole.getValue());
      } else {
        assertThat(cursor.exemplarIsLong(i)).isFalse();
        assertSame(cursor.exemplarDoubleValue(i), ((DoubleExemplarData) exemplar).getValue());
      }
      assertThat(cursor.exemplarTimeUnixNanos(i)).isEqualTo(exemplar.getEpochNanos());
      SpanContext span = exemplar.getSpanContext();
      assertThat(TraceId.fromLongs(cursor.exemplarTraceIdHigh(i), cursor.exemplarTraceIdLow(i)))
          .isEqualTo(span.getTraceId());
      assertThat(SpanId.fromLong(cursor.exemplarSpanId(i))).isEqualTo(span.getSpanId());
      assertThat(cursor.exemplarLabels(i))
          .isEqualTo(new AttributeLabels().of(exemplar.getFilteredAttributes()));
    }
  }

  private static void assertHistogram(MetricCursor cursor, HistogramPointData point) {
    assertThat(cursor.count()).isEqualTo(point.getCount());
    assertThat(cursor.hasSum()).isTrue();
    assertSame(cursor.sum(), point.getSum());
    assertThat(cursor.hasMinMax()).isEqualTo(point.hasMin());
    if (point.hasMin()) {
      assertSame(cursor.min(), point.getMin());
      assertSame(cursor.max(), point.getMax());
    }
    assertThat(cursor.explicitBounds())
        .containsExactly(point.getBoundaries().stream().mapToDouble(bound -> bound).toArray());
    List<Long> buckets = new ArrayList<>();
    for (int i = 0; i < cursor.bucketCount(); i++) {
      buckets.add(cursor.bucket(i));
    }
    assertThat(buckets).isEqualTo(point.getCounts());
  }

  private static void assertExponential(MetricCursor cursor, ExponentialHistogramPointData point) {
    assertThat(cursor.count()).isEqualTo(point.getCount());
    assertThat(cursor.hasSum()).isTrue();
    assertSame(cursor.sum(), point.getSum());
    assertThat(cursor.hasMinMax()).isEqualTo(point.hasMin());
    if (point.hasMin()) {
      assertSame(cursor.min(), point.getMin());
      assertSame(cursor.max(), point.getMax());
    }
    assertThat(cursor.scale()).isEqualTo(point.getScale());
    assertThat(cursor.zeroCount()).isEqualTo(point.getZeroCount());
    assertThat(cursor.zeroThreshold()).isZero();
    assertThat(cursor.positiveOffset()).isEqualTo(point.getPositiveBuckets().getOffset());
    assertThat(cursor.negativeOffset()).isEqualTo(point.getNegativeBuckets().getOffset());
    List<Long> positive = new ArrayList<>();
    for (int i = 0; i < cursor.positiveBucketCount(); i++) {
      positive.add(cursor.positiveBucket(i));
    }
    assertThat(positive).isEqualTo(point.getPositiveBuckets().getBucketCounts());
    List<Long> negative = new ArrayList<>();
    for (int i = 0; i < cursor.negativeBucketCount(); i++) {
      negative.add(cursor.negativeBucket(i));
    }
    assertThat(negative).isEqualTo(point.getNegativeBuckets().getBucketCounts());
  }

  /** NaN is NaN, and -0.0 is not 0.0. */
  private static void assertSame(double actual, double expected) {
    assertThat(Double.valueOf(actual)).isEqualTo(Double.valueOf(expected));
  }

  private static void assertSummary(MetricCursor cursor, SummaryPointData point) {
    assertThat(cursor.count()).isEqualTo(point.getCount());
    assertSame(cursor.sum(), point.getSum());
    List<ValueAtQuantile> quantiles = new ArrayList<>();
    for (int i = 0; i < cursor.quantileCount(); i++) {
      quantiles.add(ValueAtQuantile.create(cursor.quantile(i), cursor.quantileValue(i)));
    }
    assertThat(quantiles).isEqualTo(point.getValues());
  }
}

package dev.millrace.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.ChunkWriter;
import dev.millrace.bytes.Payload;
import dev.millrace.format.MetricEncoder;
import dev.millrace.format.prometheus.EscapingScheme;
import dev.millrace.format.prometheus.PrometheusFormat;
import dev.millrace.format.prometheus.PrometheusFormats;
import dev.millrace.format.prometheus.PrometheusOptions;
import dev.millrace.model.EncodedLabelsBudget;
import dev.millrace.model.MetricCursor;
import dev.millrace.model.Problems;
import dev.millrace.testkit.AllocationMeter;
import dev.millrace.testkit.GivenBack;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.common.InstrumentationScopeInfo;
import io.opentelemetry.sdk.metrics.ExemplarFilter;
import io.opentelemetry.sdk.metrics.InstrumentSelector;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.View;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.data.DoubleExemplarData;
import io.opentelemetry.sdk.metrics.data.DoublePointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.data.SumData;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.testing.metrics.TestMetricData;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Exemplars of a real SDK on their way into OpenMetrics. */
class SdkExemplarsTest {
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String SPAN = "00f067aa0ba902b7";
  private static final String IDS = "trace_id=\"" + TRACE + "\",span_id=\"" + SPAN + "\"";
  private static final AttributeKey<String> USER = AttributeKey.stringKey("user.id");

  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(16), ChunkPool::outstandingChunks);

  private final MillraceMetricReader reader =
      new MillraceMetricReader(new EncodedLabelsBudget(1 << 20));
  private final MetricEncoder encoder =
      new PrometheusFormats(PrometheusOptions.DEFAULT.withScopeLabels(false), new Problems())
          .encoder(PrometheusFormat.OPEN_METRICS_1_0_0, EscapingScheme.UNDERSCORES);

  private String scrape() {
    try (MetricCursor cursor = reader.source().open();
        ChunkWriter out = new ChunkWriter(chunks.pool())) {
      encoder.encode(cursor, out);
      try (Payload payload = out.finish()) {
        return new String(payload.toByteArray(), StandardCharsets.UTF_8);
      }
    }
  }

  private static SpanContext span() {
    return SpanContext.create(TRACE, SPAN, TraceFlags.getSampled(), TraceState.getDefault());
  }

  private SdkMeterProvider provider() {
    return SdkMeterProvider.builder()
        .setExemplarFilter(ExemplarFilter.alwaysOn())
        .registerMetricReader(reader)
        .registerView(
            InstrumentSelector.builder().setName("*").build(),
            View.builder().setAttributeFilter(Set.of("route")).build())
        .build();
  }

  @Test
  void measurementsInASpanAreExemplars() {
    try (SdkMeterProvider provider = provider()) {
      Meter meter = provider.get("scope");
      Attributes attributes = Attributes.of(AttributeKey.stringKey("route"), "/", USER, "u7");
      Scope inSpan = Span.wrap(span()).makeCurrent();
      try {
        meter.counterBuilder("orders").build().add(3, attributes);
        meter.counterBuilder("weight").ofDoubles().build().add(2.5, attributes);
        meter.histogramBuilder("wait").build().record(70, attributes);
        meter.upDownCounterBuilder("queue").build().add(1, attributes);
        meter.gaugeBuilder("heat").build().set(1, attributes);
      } finally {
        inSpan.close();
      }
      String exemplar = " # {" + IDS + ",user_id=\"u7\"} ";
      String first = scrape();
      assertThat(withoutTimes(first).lines().filter(line -> line.contains(" # {")))
          .containsExactlyInAnyOrder(
              "orders_total{route=\"/\"} 3" + exemplar + "3 TIME",
              "weight_total{route=\"/\"} 2.5" + exemplar + "2.5 TIME",
              "wait_bucket{route=\"/\",le=\"75.0\"} 1" + exemplar + "70 TIME");
      assertThat(first).contains("queue{route=\"/\"} 1\n").contains("heat{route=\"/\"} 1\n");
      // The SDK tells of each exemplar once.
      assertThat(scrape()).contains("orders_total{route=\"/\"} 3\n").doesNotContain(" # {");
    }
  }

  @Test
  void measurementsOutsideOfSpansHaveNoIds() {
    try (SdkMeterProvider provider = provider()) {
      provider.get("scope").counterBuilder("c").build().add(3, Attributes.of(USER, "u7"));
      provider.get("scope").counterBuilder("d").build().add(4);
      assertThat(withoutTimes(scrape()))
          .contains("c_total 3 # {user_id=\"u7\"} 3 TIME\n")
          .contains("d_total 4 # {} 4 TIME\n");
    }
  }

  /** The SDK takes the times of exemplars from a clock that no test can set. */
  private static String withoutTimes(String exposition) {
    return exposition.replaceAll("(# [{].*[}] \\S+) [1-9][0-9]{9}([.][0-9]{1,9})?\n", "$1 TIME\n");
  }

  @ParameterizedTest
  @CsvSource({
    "00000000000000000000000000000000, 0, 0",
    "0123456789abcdefFEDCBA9876543210, 81985529216486895, -81985529216486896",
    "ffffffffffffffff8000000000000000, -1, -9223372036854775808",
    "'', 0, 0",
    "abc, 0, 0"
  })
  void idsAreReadFromTheirText(String traceId, long high, long low) {
    assertThat(SpanIds.traceIdHigh(traceId)).isEqualTo(high);
    assertThat(SpanIds.traceIdLow(traceId)).isEqualTo(low);
    String half = traceId.isEmpty() ? "" : traceId.substring(traceId.length() / 2);
    assertThat(SpanIds.spanId(half)).isEqualTo(low);
  }

  @Test
  void readingExemplarsAllocatesNothing() throws Exception {
    List<DoubleExemplarData> exemplars =
        List.of(
            DoubleExemplarData.create(Attributes.empty(), 1, span(), 0.5),
            DoubleExemplarData.create(Attributes.of(USER, "u7"), 2, span(), 1.5));
    MetricData metric =
        TestMetricData.builder()
            .setName("c")
            .setDescription("")
            .setUnit("")
            .setResource(Resource.empty())
            .setInstrumentationScopeInfo(InstrumentationScopeInfo.empty())
            .setDoubleSumData(
                SumData.createDoubleSumData(
                    true,
                    AggregationTemporality.CUMULATIVE,
                    List.of(DoublePointData.create(0, 1, Attributes.empty(), 2, exemplars))))
            .build();
    MetricDataSource source =
        new MetricDataSource(() -> List.of(metric), new EncodedLabelsBudget(0));
    long[] checksum = new long[1];
    try (MetricCursor cursor = source.open()) {
      cursor.seekMetric(0);
      assertThat(cursor.nextPoint()).isTrue();
      long bytes =
          AllocationMeter.bytesPerOperation(20_000, 1_000, () -> checksum[0] += read(cursor));
      assertThat(bytes).isZero();
    }
    assertThat(checksum[0]).isNotZero();
  }

  private static long read(MetricCursor cursor) {
    long checksum = cursor.exemplarLabels(0).size();
    for (int i = 0; i < cursor.exemplarCount(); i++) {
      checksum += cursor.exemplarIsLong(i) ? 1 : (long) cursor.exemplarDoubleValue(i);
      checksum += cursor.exemplarTimeUnixNanos(i) + cursor.exemplarSpanId(i);
      checksum += cursor.exemplarTraceIdHigh(i) + cursor.exemplarTraceIdLow(i);
    }
    return checksum;
  }
}

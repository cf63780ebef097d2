package dev.millrace.agent.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.millrace.agent.series.SeriesTable;
import dev.millrace.agent.series.SeriesTableOptions;
import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.ChunkWriter;
import dev.millrace.bytes.Payload;
import dev.millrace.format.prometheus.EscapingScheme;
import dev.millrace.format.prometheus.PrometheusFormat;
import dev.millrace.format.prometheus.PrometheusFormats;
import dev.millrace.format.prometheus.PrometheusOptions;
import dev.millrace.model.MetricCursor;
import dev.millrace.model.Problems;
import dev.millrace.testkit.AllocationMeter;
import dev.millrace.testkit.GivenBack;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.metrics.v1.Exemplar;
import io.opentelemetry.proto.metrics.v1.HistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Exemplars from requests through the series table into OpenMetrics, good ones and hostile ones.
 */
class OtlpExemplarsTest {
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String SPAN = "00f067aa0ba902b7";
  private static final String IDS = "trace_id=\"" + TRACE + "\",span_id=\"" + SPAN + "\"";
  private static final long TIME = 1_700_000_000_000_000_000L;

  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(64), ChunkPool::outstandingChunks);

  private final Problems problems = new Problems(() -> 0, line -> {});
  private final SeriesTable table = new SeriesTable(SeriesTableOptions.DEFAULTS, () -> 0, problems);
  private final OtlpMetricsReceiver receiver =
      new OtlpMetricsReceiver(table, chunks.pool(), problems);

  private void receive(Metric... metrics) {
    receive(OtlpEncoding.PROTOBUF, Points.request(metrics).toByteArray());
  }

  private void receive(OtlpEncoding encoding, byte[] content) {
    OtlpReply reply = receiver.receive(encoding, Payloads.of(chunks.pool(), content));
    assertThat(reply.httpStatus()).isEqualTo(200);
    assertThat(new String(reply.body(), StandardCharsets.UTF_8)).isIn("", "{}");
  }

  private List<String> samples() {
    try (MetricCursor cursor = table.open();
        ChunkWriter out = new ChunkWriter(chunks.pool())) {
      new PrometheusFormats(PrometheusOptions.DEFAULT, problems)
          .encoder(PrometheusFormat.OPEN_METRICS_1_0_0, EscapingScheme.UNDERSCORES)
          .encode(cursor, out);
      try (Payload payload = out.finish()) {
        return new String(payload.toByteArray(), StandardCharsets.UTF_8)
            .lines()
            .filter(line -> !line.startsWith("#"))
            .toList();
      }
    }
  }

  private static ByteString id(String hex) {
    return ByteString.copyFrom(HexFormat.of().parseHex(hex));
  }

  private static Exemplar.Builder exemplar(double value) {
    return Exemplar.newBuilder()
        .setTimeUnixNano(TIME + 250_000_000)
        .setTraceId(id(TRACE))
        .setSpanId(id(SPAN))
        .setAsDouble(value);
  }

  private static NumberDataPoint.Builder number(long time) {
    return Points.number(TIME, TIME + time, 7);
  }

  private static HistogramDataPoint.Builder histogram() {
    return HistogramDataPoint.newBuilder()
        .setStartTimeUnixNano(TIME)
        .setTimeUnixNano(TIME + 1_000_000_000)
        .setCount(3)
        .addAllBucketCounts(List.of(1L, 1L, 1L))
        .addAllExplicitBounds(List.of(0.5, 2.0));
  }

  @ParameterizedTest
  @EnumSource
  void exemplarsAreScraped(OtlpEncoding encoding) {
    ExportMetricsServiceRequest request =
        Points.request(
            Points.sum(
                Points.CUMULATIVE,
                number(1)
                    .addExemplars(
                        exemplar(0)
                            .setAsInt(3)
                            .addFilteredAttributes(Points.pair("user.id", "u7")))),
            Points.histogram(
                Points.CUMULATIVE,
                histogram()
                    .addExemplars(exemplar(0.25))
                    .addExemplars(exemplar(1.5).clearTimeUnixNano().clearSpanId())
                    .addExemplars(
                        Exemplar.newBuilder()
                            .setAsDouble(9)
                            .addFilteredAttributes(Points.pair("k", "v")))),
            Points.gauge(number(1).addExemplars(exemplar(1))));
    byte[] content =
        encoding == OtlpEncoding.PROTOBUF
            ? request.toByteArray()
            : new OtlpJsonText(new SplittableRandom(1))
                .write(request)
                .getBytes(StandardCharsets.UTF_8);
    receive(encoding, content);
    assertThat(samples())
        .contains(
            "sum_total 7 # {" + IDS + ",user_id=\"u7\"} 3 1700000000.25",
            "histogram_bucket{le=\"0.5\"} 1 # {" + IDS + "} 0.25 1700000000.25",
            "histogram_bucket{le=\"2.0\"} 2 # {trace_id=\"" + TRACE + "\"} 1.5",
            "histogram_bucket{le=\"+Inf\"} 3 # {k=\"v\"} 9",
            "gauge 7");
  }

  @ParameterizedTest
  @CsvSource({
    "'', '', true",
    "4bf92f3577b34da6a3ce929d0e0e4736, 00f067aa0ba902b7, true",
    "4bf92f3577b34da6a3ce929d0e0e47, 00f067aa0ba902b7, false",
    "4bf92f3577b34da6a3ce929d0e0e473600, 00f067aa0ba902b7, false",
    "4bf92f3577b34da6a3ce929d0e0e4736, 00f067aa0ba902, false",
    "4bf92f3577b34da6a3ce929d0e0e4736, 00f067aa0ba902b700, false",
    "00, '', false",
    "'', 00, false"
  })
  void idsHaveOneLength(String traceId, String spanId, boolean good) {
    receive(
        Points.sum(
            Points.CUMULATIVE,
            number(1).addExemplars(exemplar(1).setTraceId(id(traceId)).setSpanId(id(spanId)))));
    assertThat(problems.kind("malformed_exemplar").count()).isEqualTo(good ? 0 : 1);
    assertThat(samples())
        .singleElement()
        .asString()
        .matches("sum_total 7" + (good ? " # [{].*[}] 1 1700000000.25" : ""));
  }

  @ParameterizedTest
  @CsvSource({
    "\"traceId\":\"abc\"",
    "\"traceId\":\"not hexadecimal!\"",
    "\"spanId\":\"00f067aa0ba902b\"",
    "\"spanId\":\"00\"",
    "\"traceId\":\"4bf92f3577b34da6\""
  })
  void wrongIdsInJsonHarmTheirExemplarAlone(String member) {
    String json =
        """
        {"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"name":"sum","sum":{
          "aggregationTemporality":2,"isMonotonic":true,"dataPoints":[{"timeUnixNano":"1",
          "asInt":7,"exemplars":[{"asInt":1,%s},{"asInt":2}]}]}}]}]}]}
        """
            .formatted(member);
    receive(OtlpEncoding.JSON, json.getBytes(StandardCharsets.UTF_8));
    assertThat(problems.kind("malformed_exemplar").count()).isEqualTo(1);
    assertThat(samples()).containsExactly("sum_total 7 # {} 2");
  }

  @Test
  void exemplarsWithoutValueAndOutsideOfBucketsAreLeftOut() {
    receive(
        Points.sum(Points.CUMULATIVE, number(1).addExemplars(exemplar(1).clearValue())),
        Points.histogram(
            Points.CUMULATIVE,
            histogram().addExemplars(exemplar(Double.NaN)).addExemplars(exemplar(-1))));
    assertThat(problems.kind("malformed_exemplar").count()).isEqualTo(2);
    assertThat(samples().stream().filter(line -> line.contains(" # {"))).hasSize(1);
  }

  @Test
  void largeAttributesAreLeftOut() {
    receive(
        Points.sum(
            Points.CUMULATIVE,
            number(1)
                .addExemplars(
                    exemplar(1).addFilteredAttributes(Points.pair("k", "v".repeat(500_000))))));
    assertThat(problems.kind("exemplar_attributes").count()).isEqualTo(1);
    assertThat(samples()).containsExactly("sum_total 7 # {" + IDS + "} 1 1700000000.25");
    assertThat(table.exemplarBytes()).isLessThan(300);
    Exemplar.Builder many = exemplar(2);
    for (int i = 0; i < 50_000; i++) {
      many.addFilteredAttributes(Points.pair("k" + i, ""));
    }
    receive(Points.sum(Points.CUMULATIVE, number(2).addExemplars(many)));
    assertThat(problems.kind("exemplar_attributes").count()).isEqualTo(2);
    assertThat(samples()).containsExactly("sum_total 7 # {" + IDS + "} 2 1700000000.25");
  }

  @Test
  void attributesThatAreNotUtf8AreLeftOut() throws Exception {
    byte[] content =
        Points.request(
                Points.sum(
                    Points.CUMULATIVE,
                    number(1)
                        .addExemplars(exemplar(1).addFilteredAttributes(Points.pair("k", "~~~")))))
            .toByteArray();
    for (int i = 0; i < content.length; i++) {
      if (content[i] == '~') {
        content[i] = (byte) 0xff;
      }
    }
    receive(OtlpEncoding.PROTOBUF, content);
    assertThat(problems.kind("exemplar_attributes").count()).isEqualTo(1);
    assertThat(samples()).containsExactly("sum_total 7 # {" + IDS + "} 1 1700000000.25");
  }

  /** As many as a point of the largest size that is read can have, and beyond. */
  @Test
  void aMillionExemplarsOfOnePointCostNothing() throws Exception {
    HistogramDataPoint.Builder point = histogram();
    Exemplar small = Exemplar.newBuilder().setAsDouble(1.5).build();
    while (point.getExemplarsCount() < 85_000) {
      point.addExemplars(small);
    }
    byte[] request = Points.request(Points.histogram(Points.CUMULATIVE, point)).toByteArray();
    assertThat(request.length).isBetween(900_000, OtlpMetricsDecoder.MAX_PIECE_BYTES);
    receive(OtlpEncoding.PROTOBUF, request);
    assertThat(samples()).contains("histogram_bucket{le=\"2.0\"} 2 # {} 1.5");
    assertThat(table.exemplarBytes()).isLessThan(300);

    HistogramDataPoint.Builder empty = histogram();
    for (int i = 0; i < 1_000_000; i++) {
      empty.addExemplars(Exemplar.getDefaultInstance());
    }
    byte[] tooLarge = Points.request(Points.histogram(Points.CUMULATIVE, empty)).toByteArray();
    Payload payload = Payloads.of(chunks.pool(), tooLarge);
    OtlpReply reply = receiver.receive(OtlpEncoding.PROTOBUF, payload);
    assertThat(reply.httpStatus()).isEqualTo(200);
    assertThat(problems.kind("point_too_large").count()).isEqualTo(1);
    assertThat(table.exemplarBytes()).isLessThan(300);
  }

  @Test
  void exemplarsThatDoNotStayAreNotMade() throws Exception {
    NumberDataPoint.Builder point = number(1);
    for (int i = 0; i < 1_000; i++) {
      point.addExemplars(
          exemplar(i)
              .setTimeUnixNano(TIME + i)
              .addFilteredAttributes(Points.pair("k", "v".repeat(100))));
    }
    byte[] request = Points.request(Points.sum(Points.CUMULATIVE, point)).toByteArray();
    long bytes =
        AllocationMeter.bytesPerOperation(
            20,
            5,
            () ->
                receiver
                    .receive(OtlpEncoding.PROTOBUF, Payloads.of(chunks.pool(), request))
                    .httpStatus());
    // One set of attributes, the payload and its writer.
    assertThat(bytes).isLessThan(2_000);
    assertThat(samples()).singleElement().asString().contains("} 999 1700000000.000000999");
  }
}

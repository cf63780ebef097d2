package dev.millrace.opentelemetry.otlp;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.protobuf.Message;
import com.google.protobuf.util.JsonFormat;
import dev.millrace.export.http.HeaderSource;
import dev.millrace.export.push.Retry;
import dev.millrace.export.push.SenderOptions;
import dev.millrace.model.Problems;
import dev.millrace.testkit.Eventually;
import io.opentelemetry.api.metrics.LongCounter;
import io.opentelemetry.exporter.otlp.http.logs.OtlpHttpLogRecordExporter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTracePartialSuccess;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceResponse;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.logs.data.LogRecordData;
import io.opentelemetry.sdk.logs.export.LogRecordExporter;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.data.LongPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.export.MetricExporter;
import io.opentelemetry.sdk.metrics.export.PeriodicMetricReader;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OtlpExporterTest {
  private static final long PATIENCE_SECONDS = 60;

  private final OtlpSink sink = new OtlpSink();
  private final List<String> log = new ArrayList<>();
  private final Problems problems = new Problems(System::nanoTime, log::add);

  @AfterEach
  void close() {
    sink.close();
  }

  @ParameterizedTest
  @CsvSource({"HTTP_PROTOBUF, false", "HTTP_PROTOBUF, true", "HTTP_JSON, false", "HTTP_JSON, true"})
  void whatGoesInComesOut(OtlpProtocol protocol, boolean gzip) throws Exception {
    OtlpExporter otlp = exporter().protocol(protocol).gzip(gzip).build();
    SpanExporter spans = otlp.spans();
    LogRecordExporter logs = otlp.logs();
    for (long seed = 0; seed < 5; seed++) {
      List<SpanData> spanBatch = new RandomItems(seed).spans(300);
      succeeds(spans.export(spanBatch));
      assertThat(last().message())
          .as("seed %s", seed)
          .isEqualTo(carried(protocol, ReferenceEncoder.spans(spanBatch)));
      List<LogRecordData> logBatch = new RandomItems(seed).logs(300);
      succeeds(logs.export(logBatch));
      assertThat(last().message())
          .as("seed %s", seed)
          .isEqualTo(carried(protocol, ReferenceEncoder.logs(logBatch)));
    }
    assertThat(last().encoding()).isEqualTo(gzip ? "gzip" : "");
    assertThat(last().contentType())
        .isEqualTo(
            protocol == OtlpProtocol.HTTP_JSON ? "application/json" : "application/x-protobuf");
    assertThat(last().tenant()).isEqualTo("shop");
    succeeds(spans.shutdown());
    succeeds(logs.shutdown());
    assertThat(otlp.outstandingChunks()).isZero();
  }

  @Test
  void sendsWhatOtelsExporterSends() {
    List<SpanData> spanBatch = SampleSpans.spans(200);
    try (SpanExporter ours = exporter().build().spans();
        SpanExporter theirs =
            OtlpHttpSpanExporter.builder().setEndpoint(sink.uri() + "/v1/traces").build()) {
      succeeds(ours.export(spanBatch));
      succeeds(theirs.export(spanBatch));
    }
    assertThat(sink.requests()).hasSize(2);
    assertThat(sink.requests().get(0).message()).isEqualTo(sink.requests().get(1).message());
    List<LogRecordData> logBatch = new RandomItems(1).logs(1);
    try (LogRecordExporter ours = exporter().build().logs();
        LogRecordExporter theirs =
            OtlpHttpLogRecordExporter.builder().setEndpoint(sink.uri() + "/v1/logs").build()) {
      succeeds(ours.export(logBatch));
      succeeds(theirs.export(logBatch));
    }
    assertThat(sink.requests().get(2).message()).isEqualTo(sink.requests().get(3).message());
  }

  @Test
  void exportsMetrics() {
    MetricExporter metrics = exporter().build().metrics();
    try (SdkMeterProvider provider =
        SdkMeterProvider.builder()
            .registerMetricReader(PeriodicMetricReader.create(metrics))
            .build()) {
      LongCounter counter =
          provider.get("shop").counterBuilder("orders").setUnit("{order}").build();
      counter.add(3);
      succeeds(provider.forceFlush());
      counter.add(4);
      succeeds(provider.forceFlush());
    }
    List<Long> values = new ArrayList<>();
    for (OtlpSink.Request request : sink.requests()) {
      ((ExportMetricsServiceRequest) request.message())
          .getResourceMetrics(0).getScopeMetricsList().stream()
              .flatMap(scope -> scope.getMetricsList().stream())
              .filter(metric -> metric.getName().equals("orders"))
              .filter(metric -> metric.getUnit().equals("{order}"))
              .forEach(metric -> values.add(metric.getSum().getDataPoints(0).getAsInt()));
    }
    assertThat(values).startsWith(3L, 7L);
  }

  @Test
  void retriesWhatFailsForAWhile() {
    sink.willAnswer(503, new byte[0]);
    sink.willAnswer(429, new byte[0]);
    try (SpanExporter spans = exporter().build().spans()) {
      succeeds(spans.export(SampleSpans.spans(3)));
    }
    assertThat(sink.requests()).hasSize(3);
  }

  @Test
  void losesWhatIsRefused() {
    sink.willAnswer(400, new byte[0]);
    try (SpanExporter spans = exporter().build().spans()) {
      CompletableResultCode result = spans.export(SampleSpans.spans(3));
      assertThat(result.join(PATIENCE_SECONDS, SECONDS).isDone()).isTrue();
      assertThat(result.isSuccess()).isFalse();
    }
    assertThat(sink.requests()).hasSize(1);
    assertThat(log).hasSize(1);
  }

  @Test
  void splitsWhatIsTooLarge() {
    sink.willAnswer(413, new byte[0]);
    List<SpanData> batch = SampleSpans.spans(100);
    try (SpanExporter spans = exporter().build().spans()) {
      succeeds(spans.export(batch));
    }
    assertThat(sink.requests().subList(1, sink.requests().size()))
        .extracting(OtlpSink.Request::message)
        .containsExactly(
            ReferenceEncoder.spans(batch.subList(0, 50)),
            ReferenceEncoder.spans(batch.subList(50, 100)));
  }

  @Test
  void countsAPartialSuccessAndDoesNotResend() {
    sink.willAnswer(200, partialSuccess(2, "two are too old"));
    sink.willAnswer(200, partialSuccess(0, ""));
    try (SpanExporter spans = exporter().build().spans()) {
      succeeds(spans.export(SampleSpans.spans(5)));
      succeeds(spans.export(SampleSpans.spans(5)));
    }
    assertThat(sink.requests()).hasSize(2);
    assertThat(problems.kind(SignalSender.PARTIAL_SUCCESS).count()).isEqualTo(2);
    assertThat(log).singleElement().asString().contains("two are too old");
  }

  @Test
  void tellsOfItsHealth() {
    InMemoryMetricReader reader = InMemoryMetricReader.create();
    sink.willAnswer(200, partialSuccess(2, "two are too old"));
    sink.willAnswer(400, new byte[0]);
    try (SdkMeterProvider provider =
            SdkMeterProvider.builder().registerMetricReader(reader).build();
        SpanExporter spans = exporter().meterProvider(() -> provider).build().spans()) {
      succeeds(spans.export(SampleSpans.spans(5)));
      spans.export(SampleSpans.spans(7)).join(PATIENCE_SECONDS, SECONDS);
      Map<String, Long> exported = new HashMap<>();
      Collection<MetricData> metrics = reader.collectAllMetrics();
      for (MetricData metric : metrics) {
        if (metric.getName().endsWith(".inflight")) {
          assertThat(metric.getLongSumData().getPoints())
              .singleElement()
              .satisfies(point -> assertThat(point.getValue()).isZero());
        } else if (metric.getName().equals("otel.sdk.exporter.span.exported")) {
          for (LongPointData point : metric.getLongSumData().getPoints()) {
            Map<String, Object> attributes = new HashMap<>();
            point.getAttributes().forEach((key, value) -> attributes.put(key.getKey(), value));
            exported.put(String.valueOf(attributes.get("error.type")), point.getValue());
            assertThat(attributes)
                .containsEntry("otel.component.type", "otlp_http_span_exporter")
                .containsEntry("server.address", "localhost")
                .containsEntry("server.port", (long) sink.uri().getPort());
          }
        }
      }
      assertThat(exported).isEqualTo(Map.of("null", 3L, "rejected", 2L, "400", 7L));
      assertThat(metrics.stream().map(MetricData::getName).collect(Collectors.toSet()))
          .contains("otel.sdk.exporter.operation.duration", "otel.sdk.exporter.span.inflight");
    }
  }

  @Test
  void exportsAtOnce() throws Exception {
    OtlpExporter otlp = exporter().sending(sending().withMaxInFlight(1_000)).build();
    try (SpanExporter spans = otlp.spans()) {
      List<Thread> threads = new ArrayList<>();
      for (int t = 0; t < 8; t++) {
        int from = 1_000 * t;
        Thread thread =
            new Thread(
                () -> {
                  for (int i = 0; i < 20; i++) {
                    spans.export(List.of(SampleSpans.builder(from + i).build()));
                  }
                });
        thread.start();
        threads.add(thread);
      }
      for (Thread thread : threads) {
        thread.join();
      }
      succeeds(spans.flush());
    }
    List<Object> ids = new ArrayList<>();
    for (OtlpSink.Request request : sink.requests()) {
      ((ExportTraceServiceRequest) request.message())
          .getResourceSpans(0)
          .getScopeSpans(0)
          .getSpansList()
          .forEach(span -> ids.add(span.getSpanId()));
    }
    assertThat(ids).hasSize(160).doesNotHaveDuplicates();
    Eventually.isTrue(
        "all chunks given back",
        Duration.ofSeconds(PATIENCE_SECONDS),
        () -> otlp.outstandingChunks() == 0);
  }

  @Test
  void aBatchThatCannotBeEncodedFails() {
    try (SpanExporter spans = exporter().build().spans()) {
      SpanData broken =
          new SampleSpans.Delegating(SampleSpans.builder(1).build()) {
            @Override
            public String getName() {
              throw new UnsupportedOperationException("no name");
            }
          };
      assertThat(spans.export(List.of(broken)).isSuccess()).isFalse();
      assertThat(log).singleElement().asString().contains("no name");
      succeeds(spans.export(SampleSpans.spans(1)));
      succeeds(spans.export(List.of()));
      succeeds(spans.shutdown());
      assertThat(spans.export(SampleSpans.spans(1)).isSuccess()).isFalse();
    }
    assertThat(sink.requests()).hasSize(1);
  }

  @Test
  void namesTheArtifactThatGrpcNeeds() {
    OtlpExporter otlp =
        OtlpExporter.builder()
            .endpoint(URI.create("http://localhost:4317"))
            .protocol(OtlpProtocol.GRPC)
            .build();
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(otlp::spans)
        .withMessageContaining("dev.millrace:millrace-grpc");
  }

  private OtlpExporterBuilder exporter() {
    return OtlpExporter.builder()
        .endpoint(sink.uri())
        .headers(HeaderSource.of(Map.of("X-Tenant", "shop")))
        .sending(sending());
  }

  /** With time for a loaded machine, and short pauses. */
  private SenderOptions sending() {
    return SenderOptions.defaults()
        .withTimeoutMillis(1_000 * PATIENCE_SECONDS)
        .withRetry(new Retry(5, 1, 10, 1.5, 0.2))
        .withProblems(problems);
  }

  /** What protobuf's own library makes of a message on the way; in JSON it loses -0.0. */
  private static Message carried(OtlpProtocol protocol, Message message) throws Exception {
    if (protocol != OtlpProtocol.HTTP_JSON) {
      return message;
    }
    Message.Builder copy = message.newBuilderForType();
    JsonFormat.parser().merge(JsonFormat.printer().print(message), copy);
    return copy.build();
  }

  private OtlpSink.Request last() {
    return sink.requests().get(sink.requests().size() - 1);
  }

  private static void succeeds(CompletableResultCode result) {
    assertThat(result.join(PATIENCE_SECONDS, SECONDS).isSuccess()).isTrue();
  }

  private static byte[] partialSuccess(int rejected, String message) {
    return ExportTraceServiceResponse.newBuilder()
        .setPartialSuccess(
            ExportTracePartialSuccess.newBuilder()
                .setRejectedSpans(rejected)
                .setErrorMessage(message))
        .build()
        .toByteArray();
  }
}

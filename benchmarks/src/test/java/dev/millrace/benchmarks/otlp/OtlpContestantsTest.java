package dev.millrace.benchmarks.otlp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import dev.millrace.benchmarks.scrape.CountingOutputStream;
import dev.millrace.bytes.Payload;
import dev.millrace.opentelemetry.otlp.BenchmarkedEncoder;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.sdk.logs.data.LogRecordData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The contestants do the same work: what they write is the same message. */
class OtlpContestantsTest {
  private static final Parser<ExportTraceServiceRequest> TRACES =
      ExportTraceServiceRequest.parser();

  @ParameterizedTest
  @EnumSource(Reuse.class)
  void writeTheSameSpans(Reuse reuse) throws IOException {
    List<SpanData> spans = SpanWorkload.spans(300);
    RequestWriter<SpanData> peer =
        OtlpContestants.spans(OtlpContestants.OTEL_IMMUTABLE, Reuse.STEADY);
    for (String name : OtlpContestants.ALL) {
      RequestWriter<SpanData> writer = OtlpContestants.spans(name, reuse);
      SameRequest.check(TRACES, writer, peer, spans);
      assertThat(spanCount(TRACES.parseFrom(SameRequest.bytes(writer, spans)))).isEqualTo(300);
      assertThat(counted(writer, spans)).isEqualTo(SameRequest.bytes(writer, spans).length);
    }
  }

  @Test
  void writeTheSameLogs() throws IOException {
    List<LogRecordData> logs = LogWorkload.logs(300);
    for (String name : OtlpContestants.ALL) {
      SameRequest.check(
          ExportLogsServiceRequest.parser(),
          OtlpContestants.logs(name),
          OtlpContestants.logs(OtlpContestants.OTEL_IMMUTABLE),
          logs);
    }
  }

  @ParameterizedTest
  @EnumSource(PointKinds.class)
  void writeTheSamePoints(PointKinds kinds) throws IOException {
    for (String name : OtlpContestants.ALL) {
      checkMetrics(name, MetricWorkload.points(10_000, kinds));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 64})
  void writeTheSameMetadata(int metrics) throws IOException {
    for (String name : OtlpContestants.ALL) {
      MetricWorkload workload = MetricWorkload.metadata(metrics);
      assertThat(workload.next()).hasSize(metrics);
      checkMetrics(name, workload);
    }
  }

  private static void checkMetrics(String name, MetricWorkload workload) throws IOException {
    RequestWriter<MetricData> writer = OtlpContestants.metrics(name);
    for (int collection = 0; collection < 3; collection++) {
      SameRequest.check(
          ExportMetricsServiceRequest.parser(),
          writer,
          OtlpContestants.metrics(OtlpContestants.OTEL_IMMUTABLE),
          workload.next());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 32})
  void writeTheSameResource(int attributes) throws IOException {
    SpanData span = SpanWorkload.plainSpan(Resources.of(attributes));
    assertThat(span.getResource()).isEqualTo(Resources.of(attributes));
    for (String name : OtlpContestants.ALL) {
      SameRequest.check(
          TRACES,
          OtlpContestants.spans(name, Reuse.STEADY),
          OtlpContestants.spans(OtlpContestants.OTEL_IMMUTABLE, Reuse.STEADY),
          List.of(span));
    }
  }

  @Test
  void tellsRequestsApart() throws IOException {
    RequestWriter<SpanData> writer = OtlpContestants.spans(OtlpContestants.MILLRACE, Reuse.STEADY);
    List<SpanData> spans = SpanWorkload.spans(3);
    RequestWriter<SpanData> shortened =
        (items, out) -> writer.write(List.copyOf(items).subList(1, items.size()), out);
    assertThatThrownBy(() -> SameRequest.check(TRACES, shortened, writer, spans))
        .hasMessageContaining("found another one");
  }

  @ParameterizedTest
  @EnumSource(OtlpReceiver.Protocol.class)
  void exportTheSameSpans(OtlpReceiver.Protocol protocol) throws IOException {
    List<SpanData> spans = SpanWorkload.spans(200);
    Message expected =
        TRACES.parseFrom(
            SameRequest.bytes(
                OtlpContestants.spans(OtlpContestants.OTEL_IMMUTABLE, Reuse.STEADY), spans));
    Queue<byte[]> requests = new ConcurrentLinkedQueue<>();
    try (OtlpReceiver receiver = new OtlpReceiver(protocol, requests::add)) {
      for (String name : OtlpContestants.ALL) {
        try (SpanExporter exporter = SpanExporters.create(name, protocol, receiver.uri())) {
          SpanExporters.export(exporter, spans, 2);
        }
        assertThat(requests).as(name).hasSize(2);
        for (byte[] request : requests) {
          assertThat(TRACES.parseFrom(request)).as(name).isEqualTo(expected);
        }
        requests.clear();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(OtlpReceiver.Protocol.class)
  void receivesInAProcessOfItsOwn(OtlpReceiver.Protocol protocol) throws IOException {
    List<SpanData> spans = SpanWorkload.spans(20);
    try (ReceiverProcess receiver = new ReceiverProcess(protocol);
        SpanExporter exporter =
            SpanExporters.create(OtlpContestants.MILLRACE, protocol, receiver.uri())) {
      SpanExporters.export(exporter, spans, 1);
      assertThat(receiver.receivedBytes())
          .isEqualTo(
              SameRequest.bytes(
                      OtlpContestants.spans(OtlpContestants.MILLRACE, Reuse.STEADY), spans)
                  .length);
    }
  }

  @Test
  void hasSpansOfTheWorkloadsSize() throws IOException {
    List<SpanData> spans = SpanWorkload.spans(1_000);
    int bytes =
        SameRequest.bytes(OtlpContestants.spans(OtlpContestants.MILLRACE, Reuse.STEADY), spans)
            .length;
    assertThat(bytes / spans.size()).isBetween(330, 355);
    Span first =
        TRACES
            .parseFrom(
                SameRequest.bytes(
                    OtlpContestants.spans(OtlpContestants.MILLRACE, Reuse.STEADY), spans))
            .getResourceSpans(0)
            .getScopeSpans(0)
            .getSpans(0);
    assertThat(first.getAttributesCount()).isEqualTo(8);
  }

  @Test
  void givesBackItsChunks() throws IOException {
    try (BenchmarkedEncoder<SpanData> encoder = BenchmarkedEncoder.spans()) {
      List<SpanData> spans = SpanWorkload.spans(1_000);
      try (Payload held = encoder.encode(spans);
          Payload pooled = encoder.encodePooled(spans);
          Payload cold = encoder.encodeCold(spans)) {
        assertThat(encoder.outstandingChunks()).isPositive();
        assertThat(pooled.toByteArray())
            .isEqualTo(held.toByteArray())
            .isEqualTo(cold.toByteArray());
      }
      assertThat(encoder.outstandingChunks()).isZero();
    }
  }

  @Test
  void namesTheContestantsThatThereAre() {
    assertThatThrownBy(() -> OtlpContestants.logs("nobody"))
        .hasMessageContaining(OtlpContestants.MILLRACE)
        .hasMessageContaining("nobody");
  }

  private static int spanCount(ExportTraceServiceRequest request) {
    return request.getResourceSpans(0).getScopeSpans(0).getSpansCount();
  }

  private static <T> long counted(RequestWriter<T> writer, Collection<T> items) throws IOException {
    CountingOutputStream sink = new CountingOutputStream();
    OutputStream out = sink;
    writer.write(items, out);
    return sink.takeCount();
  }
}

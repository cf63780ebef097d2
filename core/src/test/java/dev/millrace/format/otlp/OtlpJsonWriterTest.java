package dev.millrace.format.otlp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.Message;
import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.MalformedProtobufException;
import dev.millrace.bytes.Payload;
import dev.millrace.bytes.Pieces;
import dev.millrace.testkit.AllocationMeter;
import dev.millrace.testkit.GivenBack;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.ArrayValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.logs.v1.LogRecord;
import io.opentelemetry.proto.logs.v1.ResourceLogs;
import io.opentelemetry.proto.logs.v1.ScopeLogs;
import io.opentelemetry.proto.resource.v1.Resource;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.ScopeSpans;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Status;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class OtlpJsonWriterTest {
  private static final int SEEDS = 400;

  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(64), ChunkPool::outstandingChunks);

  @ParameterizedTest
  @EnumSource
  void generatedRequestsAreTheReferencesText(OtlpSignal signal) throws Exception {
    OtlpJsonWriter writer = new OtlpJsonWriter(chunks.pool(), signal);
    for (long seed = 0; seed < SEEDS; seed++) {
      Message request = OtlpRequests.random(signal, seed);
      assertThat(json(writer, request.toByteArray()))
          .as("%s, seed %d", signal, seed)
          .isEqualTo(ReferenceJson.of(request));
    }
  }

  /** By the examples of the specification: ids in hexadecimal, enums as numbers. */
  @Test
  void aSpan() throws Exception {
    Span span =
        Span.newBuilder()
            .setTraceId(ByteString.fromHex("5b8efff798038103d269b633813fc60c"))
            .setSpanId(ByteString.fromHex("eee19b7ec3c1b174"))
            .setName("I'm a \"server\" span")
            .setKind(Span.SpanKind.SPAN_KIND_SERVER)
            .setStartTimeUnixNano(1544712660000000000L)
            .addAttributes(
                KeyValue.newBuilder()
                    .setKey("n")
                    .setValue(AnyValue.newBuilder().setIntValue(Long.MIN_VALUE)))
            .setStatus(Status.newBuilder().setCode(Status.StatusCode.STATUS_CODE_ERROR))
            .setFlags(-1)
            .build();
    byte[] request =
        ExportTraceServiceRequest.newBuilder()
            .addResourceSpans(
                ResourceSpans.newBuilder().addScopeSpans(ScopeSpans.newBuilder().addSpans(span)))
            .build()
            .toByteArray();
    assertThat(json(new OtlpJsonWriter(chunks.pool(), OtlpSignal.TRACES), request))
        .isEqualTo(
            "{\"resourceSpans\":[{\"scopeSpans\":[{\"spans\":[{"
                + "\"traceId\":\"5b8efff798038103d269b633813fc60c\",\"spanId\":\"eee19b7ec3c1b174\","
                + "\"name\":\"I'm a \\\"server\\\" span\",\"kind\":2,"
                + "\"startTimeUnixNano\":\"1544712660000000000\","
                + "\"attributes\":[{\"key\":\"n\",\"value\":{\"intValue\":\"-9223372036854775808\"}}],"
                + "\"status\":{\"code\":2},\"flags\":4294967295}]}]}]}");
  }

  @Test
  void fieldsInPiecesAreWhatProtobufReads() throws Exception {
    OtlpJsonWriter writer = new OtlpJsonWriter(chunks.pool(), OtlpSignal.LOGS);
    for (long seed = 0; seed < SEEDS; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      // One record after another as one field is one record of both: lists add up, the last of
      // other values counts, and messages are merged.
      LogRecord.Builder merged = LogRecord.newBuilder();
      ByteString pieces = ByteString.EMPTY;
      // Two at most: with three, protobuf-java merges a list with one that another value replaced.
      for (int i = random.nextInt(1, 3); i > 0; i--) {
        LogRecord piece = record(random);
        pieces = pieces.concat(piece.toByteString());
      }
      merged.mergeFrom(pieces);
      byte[] request = request(pieces);
      assertThat(json(writer, request))
          .as("seed %d", seed)
          .isEqualTo(ReferenceJson.of(request(merged.build())));
    }
  }

  /** Nothing in it has the default value, which in pieces would stay as it came. */
  private static LogRecord record(SplittableRandom random) {
    LogRecord.Builder record = LogRecord.newBuilder();
    if (random.nextBoolean()) {
      record.setSeverityText("t" + random.nextInt(9)).setFlags(1 + random.nextInt(9));
    }
    AnyValue.Builder body = record.getBodyBuilder();
    switch (random.nextInt(4)) {
      case 0 -> body.setStringValue("s");
      case 1 -> body.setIntValue(random.nextInt(9));
      case 2 ->
          body.setArrayValue(
              ArrayValue.newBuilder().addValues(AnyValue.newBuilder().setDoubleValue(0.5)));
      default -> body.setBoolValue(false);
    }
    for (int i = random.nextInt(3); i > 0; i--) {
      record.addAttributesBuilder().setKey("k" + random.nextInt(9));
    }
    return record.build();
  }

  private static ExportLogsServiceRequest request(LogRecord record) {
    return ExportLogsServiceRequest.newBuilder()
        .addResourceLogs(
            ResourceLogs.newBuilder()
                .setResource(Resource.getDefaultInstance())
                .addScopeLogs(ScopeLogs.newBuilder().addLogRecords(record)))
        .build();
  }

  /** A request with a record of any bytes; protobuf's library keeps them as a field of its own. */
  private static byte[] request(ByteString record) throws Exception {
    ByteString scopeLogs = field(2, record);
    ByteString resourceLogs = field(1, ByteString.EMPTY).concat(field(2, scopeLogs));
    return field(1, resourceLogs).toByteArray();
  }

  private static ByteString field(int number, ByteString content) throws Exception {
    ByteString.Output out = ByteString.newOutput();
    CodedOutputStream coded = CodedOutputStream.newInstance(out);
    coded.writeBytes(number, content);
    coded.flush();
    return out.toByteString();
  }

  @Test
  void textThatIsNotUtf8HasReplacements() throws Exception {
    ByteString record = field(3, ByteString.copyFrom(new byte[] {'a', (byte) 0xff, 'b'}));
    assertThat(json(new OtlpJsonWriter(chunks.pool(), OtlpSignal.LOGS), request(record)))
        .contains("\"severityText\":\"a\uFFFDb\"");
  }

  @Test
  void tooDeepIsRefused() throws Exception {
    OtlpJsonWriter writer = new OtlpJsonWriter(chunks.pool(), OtlpSignal.LOGS);
    ByteString value = ByteString.EMPTY;
    for (int i = 0; i < 47; i++) {
      value = field(5, field(1, value));
    }
    // The request, its three messages around the value, the value, and two for each within it.
    byte[] deepest = request(field(5, value));
    assertThat(json(writer, deepest)).contains("\"arrayValue\":{\"values\":[{}]}");
    byte[] deeper = request(field(5, field(5, field(1, field(5, field(1, value))))));
    assertThatThrownBy(() -> json(writer, deeper))
        .isInstanceOf(MalformedProtobufException.class)
        .hasMessageContaining("100 deep");
    assertThat(json(writer, new byte[0])).isEqualTo("{}");
  }

  @ParameterizedTest
  @EnumSource
  void damagedRequestsGiveBackWhatWasTaken(OtlpSignal signal) throws Exception {
    OtlpJsonWriter writer = new OtlpJsonWriter(chunks.pool(), signal);
    int refused = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      byte[] bytes = OtlpRequests.random(signal, seed).toByteArray();
      SplittableRandom random = new SplittableRandom(seed);
      if (bytes.length > 0) {
        byte[] damaged = Arrays.copyOf(bytes, random.nextInt(1, bytes.length + 1));
        damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
        try {
          json(writer, damaged);
        } catch (MalformedProtobufException e) {
          refused++;
        }
      }
    }
    assertThat(refused).isGreaterThan(SEEDS / 4);
  }

  @Test
  void nothingIsAllocatedButThePayload() throws Exception {
    ExportMetricsServiceRequest request = ReferenceRequest.of(GeneratedOtlp.of(21).metrics());
    OtlpJsonWriter writer = new OtlpJsonWriter(chunks.pool(), OtlpSignal.METRICS);
    try (Payload payload =
        Pieces.cut(chunks.pool(), request.toByteArray(), new SplittableRandom(1), 60_000)) {
      assertThat(AllocationMeter.bytesPerOperation(2_000, 100, () -> writer.write(payload).close()))
          .isLessThanOrEqualTo(64);
    }
  }

  private String json(OtlpJsonWriter writer, byte[] request) throws MalformedProtobufException {
    SplittableRandom random = new SplittableRandom(request.length);
    try (Payload protobuf = Pieces.cut(chunks.pool(), request, random, 1 + request.length / 6);
        Payload json = writer.write(protobuf)) {
      return new String(json.toByteArray(), UTF_8);
    }
  }
}

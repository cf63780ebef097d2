package dev.millrace.opentelemetry.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.Payload;
import dev.millrace.testkit.GivenBack;
import io.opentelemetry.api.common.Value;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.sdk.logs.data.LogRecordData;
import io.opentelemetry.sdk.testing.logs.TestLogRecordData;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class OtlpLogEncoderTest {
  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(64), ChunkPool::outstandingChunks);

  private final OtlpLogEncoder encoder = new OtlpLogEncoder(chunks.pool());

  @Test
  void writesTheBytesThatProtobufWrites() throws Exception {
    for (long seed = 0; seed < 200; seed++) {
      List<LogRecordData> logs = new RandomItems(seed).logs((int) seed);
      byte[] bytes = encode(logs);
      assertThat(ExportLogsServiceRequest.parseFrom(bytes))
          .as("seed %s", seed)
          .isEqualTo(ReferenceEncoder.logs(logs));
      assertThat(bytes).as("seed %s", seed).isEqualTo(ReferenceEncoder.logs(logs).toByteArray());
    }
  }

  @Test
  void nothingOfARecordIsInTheNext() {
    List<LogRecordData> logs = new RandomItems(1).logs(100);
    encode(logs);
    List<LogRecordData> plain = List.of(TestLogRecordData.builder().build());
    assertThat(encode(plain)).isEqualTo(ReferenceEncoder.logs(plain).toByteArray());
  }

  @Test
  void nestsNoDeeperThanReadersRead() throws Exception {
    Value<?> value = Value.of("deep");
    for (int i = 0; i < 10_000; i++) {
      value = Value.of(List.of(value));
    }
    byte[] bytes = encode(List.of(TestLogRecordData.builder().setBodyValue(value).build()));
    AnyValue body =
        ExportLogsServiceRequest.parseFrom(bytes)
            .getResourceLogs(0)
            .getScopeLogs(0)
            .getLogRecords(0)
            .getBody();
    int depth = 0;
    while (body.hasArrayValue()) {
      body = body.getArrayValue().getValues(0);
      depth++;
    }
    assertThat(depth).isEqualTo(AnyValues.MAX_DEPTH + 1);
  }

  private byte[] encode(List<LogRecordData> logs) {
    try (Payload payload = encoder.encode(logs)) {
      return payload.toByteArray();
    }
  }
}

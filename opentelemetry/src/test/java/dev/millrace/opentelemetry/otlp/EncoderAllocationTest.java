package dev.millrace.opentelemetry.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.testkit.AllocationMeter;
import dev.millrace.testkit.GivenBack;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.Value;
import io.opentelemetry.api.logs.Severity;
import io.opentelemetry.sdk.logs.data.LogRecordData;
import io.opentelemetry.sdk.testing.logs.TestLogRecordData;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class EncoderAllocationTest {
  /** A payload, the iterator over the batch, and what the JVM adds to a round. */
  private static final long MAX_BYTES_AN_EXPORT = 256;

  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(64), ChunkPool::outstandingChunks);

  @Test
  void spansAllocateNothing() throws Exception {
    List<SpanData> spans = SampleSpans.spans(2_000);
    OtlpSpanEncoder encoder = new OtlpSpanEncoder(chunks.pool());
    long bytes = AllocationMeter.bytesPerOperation(200, 20, () -> encoder.encode(spans).close());
    assertThat(bytes).isLessThanOrEqualTo(MAX_BYTES_AN_EXPORT);
  }

  @Test
  void logsAllocateNothing() throws Exception {
    List<LogRecordData> logs = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      logs.add(
          TestLogRecordData.builder()
              .setResource(SampleSpans.RESOURCE)
              .setInstrumentationScopeInfo(SampleSpans.SCOPE)
              .setTimestamp(i, TimeUnit.SECONDS)
              .setSeverity(Severity.INFO)
              .setSeverityText("INFO")
              .setBodyValue(Value.of("Order " + i + " was taken: é"))
              .setAttributes(
                  Attributes.builder()
                      .put("thread.name", "worker-" + i % 10)
                      .put("order.id", i)
                      .put("tags", "a", "b")
                      .put("long", "x".repeat(400))
                      .build())
              .setTotalAttributeCount(4)
              .build());
    }
    OtlpLogEncoder encoder = new OtlpLogEncoder(chunks.pool());
    long bytes = AllocationMeter.bytesPerOperation(200, 20, () -> encoder.encode(logs).close());
    assertThat(bytes).isLessThanOrEqualTo(MAX_BYTES_AN_EXPORT);
  }
}

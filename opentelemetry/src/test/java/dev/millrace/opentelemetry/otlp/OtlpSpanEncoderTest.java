package dev.millrace.opentelemetry.otlp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.Payload;
import dev.millrace.testkit.GivenBack;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.sdk.common.InstrumentationScopeInfo;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.data.StatusData;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class OtlpSpanEncoderTest {
  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(64), ChunkPool::outstandingChunks);

  private final OtlpSpanEncoder encoder = new OtlpSpanEncoder(chunks.pool());

  @Test
  void writesTheBytesThatProtobufWrites() throws Exception {
    for (long seed = 0; seed < 200; seed++) {
      List<SpanData> spans = new RandomItems(seed).spans((int) seed);
      byte[] bytes = encode(spans);
      assertThat(ExportTraceServiceRequest.parseFrom(bytes))
          .as("seed %s", seed)
          .isEqualTo(ReferenceEncoder.spans(spans));
      assertThat(bytes).as("seed %s", seed).isEqualTo(ReferenceEncoder.spans(spans).toByteArray());
    }
  }

  @Test
  void writesNothingForNothing() {
    assertThat(encode(List.of())).isEmpty();
  }

  @Test
  void writesManySpansIntoManyChunks() {
    List<SpanData> spans = new RandomItems(7).spans(10_000);
    assertThat(encode(spans)).isEqualTo(ReferenceEncoder.spans(spans).toByteArray());
  }

  @Test
  void groupsWhatComesInTurns() {
    List<SpanData> spans = new ArrayList<>();
    for (int i = 0; i < 3_000; i++) {
      Resource resource = Resource.create(Attributes.of(AttributeKey.longKey("r"), (long) i % 40));
      spans.add(
          SampleSpans.builder(i)
              .setResource(resource)
              .setInstrumentationScopeInfo(InstrumentationScopeInfo.create("scope" + i % 100))
              .build());
    }
    assertThat(encode(spans)).isEqualTo(ReferenceEncoder.spans(spans).toByteArray());
    assertThat(encoder.keptScopes()).isEqualTo(40 + 200);
  }

  @Test
  void keepsABoundedNumberOfScopes() {
    List<SpanData> spans = new ArrayList<>();
    for (int i = 0; i < 2 * ItemEncoder.MAX_KEPT_SCOPES; i++) {
      spans.add(
          SampleSpans.builder(i)
              .setInstrumentationScopeInfo(InstrumentationScopeInfo.create("scope" + i))
              .build());
    }
    assertThat(encode(spans)).isEqualTo(ReferenceEncoder.spans(spans).toByteArray());
    assertThat(encoder.keptScopes()).isZero();
    assertThat(encode(spans)).isEqualTo(ReferenceEncoder.spans(spans).toByteArray());
  }

  @Test
  void isUsableAfterASpanThatFails() {
    List<SpanData> spans = SampleSpans.spans(3_000);
    SpanData broken =
        new SampleSpans.Delegating(spans.get(0)) {
          @Override
          public StatusData getStatus() {
            throw new UnsupportedOperationException("no status");
          }
        };
    List<SpanData> withBroken = new ArrayList<>(spans);
    withBroken.add(broken);
    assertThatExceptionOfType(UnsupportedOperationException.class)
        .isThrownBy(() -> encode(withBroken));
    assertThat(encode(spans)).isEqualTo(ReferenceEncoder.spans(spans).toByteArray());
  }

  private byte[] encode(List<SpanData> spans) {
    try (Payload payload = encoder.encode(spans)) {
      return payload.toByteArray();
    }
  }
}

package dev.millrace.opentelemetry.otlp;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.Payload;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.Collection;

/** Encodes spans on the caller's thread, and has them sent. Thread-safe. */
final class OtlpSpanExporter implements SpanExporter {
  private final SignalSender sender;
  private final EncoderPool<OtlpSpanEncoder> encoders;

  OtlpSpanExporter(SignalSender sender, ChunkPool pool) {
    this.sender = sender;
    encoders = new EncoderPool<>(() -> new OtlpSpanEncoder(pool));
  }

  @Override
  public CompletableResultCode export(Collection<SpanData> spans) {
    if (sender.isShutDown()) {
      return CompletableResultCode.ofFailure();
    }
    if (spans.isEmpty()) {
      return CompletableResultCode.ofSuccess();
    }
    OtlpSpanEncoder encoder = encoders.take();
    Payload payload;
    try {
      payload = encoder.encode(spans);
    } catch (RuntimeException e) {
      return sender.notEncoded(e);
    } finally {
      encoders.giveBack(encoder);
    }
    return sender.send(payload, spans.size());
  }

  @Override
  public CompletableResultCode flush() {
    return sender.flush();
  }

  @Override
  public CompletableResultCode shutdown() {
    CompletableResultCode result = sender.shutdown();
    encoders.clear();
    return result;
  }

  @Override
  public String toString() {
    return "OtlpSpanExporter{" + sender + "}";
  }
}

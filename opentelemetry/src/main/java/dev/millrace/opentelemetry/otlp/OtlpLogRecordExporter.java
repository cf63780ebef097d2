package dev.millrace.opentelemetry.otlp;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.Payload;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.logs.data.LogRecordData;
import io.opentelemetry.sdk.logs.export.LogRecordExporter;
import java.util.Collection;

/** Encodes log records on the caller's thread, and has them sent. Thread-safe. */
final class OtlpLogRecordExporter implements LogRecordExporter {
  private final SignalSender sender;
  private final EncoderPool<OtlpLogEncoder> encoders;

  OtlpLogRecordExporter(SignalSender sender, ChunkPool pool) {
    this.sender = sender;
    encoders = new EncoderPool<>(() -> new OtlpLogEncoder(pool));
  }

  @Override
  public CompletableResultCode export(Collection<LogRecordData> logs) {
    if (sender.isShutDown()) {
      return CompletableResultCode.ofFailure();
    }
    if (logs.isEmpty()) {
      return CompletableResultCode.ofSuccess();
    }
    OtlpLogEncoder encoder = encoders.take();
    Payload payload;
    try {
      payload = encoder.encode(logs);
    } catch (RuntimeException e) {
      return sender.notEncoded(e);
    } finally {
      encoders.giveBack(encoder);
    }
    return sender.send(payload, logs.size());
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
    return "OtlpLogRecordExporter{" + sender + "}";
  }
}

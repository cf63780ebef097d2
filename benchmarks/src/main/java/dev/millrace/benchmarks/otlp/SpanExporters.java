package dev.millrace.benchmarks.otlp;

import dev.millrace.opentelemetry.otlp.OtlpExporter;
import dev.millrace.opentelemetry.otlp.OtlpProtocol;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.exporter.otlp.trace.OtlpGrpcSpanExporter;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.common.export.MemoryMode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.net.URI;
import java.util.Collection;
import java.util.concurrent.TimeUnit;

/** Each contestant's exporter of spans, with its defaults. */
final class SpanExporters {
  private static final int TIMEOUT_SECONDS = 30;

  private SpanExporters() {}

  /** An exporter; the caller closes it. */
  static SpanExporter create(String name, OtlpReceiver.Protocol protocol, URI receiver) {
    return switch (name) {
      case OtlpContestants.MILLRACE ->
          OtlpExporter.builder()
              .endpoint(receiver)
              .protocol(
                  protocol == OtlpReceiver.Protocol.GRPC
                      ? OtlpProtocol.GRPC
                      : OtlpProtocol.HTTP_PROTOBUF)
              .build()
              .spans();
      case OtlpContestants.OTEL_IMMUTABLE -> otel(protocol, receiver, MemoryMode.IMMUTABLE_DATA);
      case OtlpContestants.OTEL_REUSABLE -> otel(protocol, receiver, MemoryMode.REUSABLE_DATA);
      default -> throw OtlpContestants.unknown(name);
    };
  }

  private static SpanExporter otel(OtlpReceiver.Protocol protocol, URI receiver, MemoryMode mode) {
    return switch (protocol) {
      case HTTP ->
          OtlpHttpSpanExporter.builder()
              .setEndpoint(receiver + "/v1/traces")
              .setMemoryMode(mode)
              .build();
      case GRPC ->
          OtlpGrpcSpanExporter.builder()
              .setEndpoint(receiver.toString())
              .setMemoryMode(mode)
              .build();
    };
  }

  /**
   * Exports a batch some times, each when the one before has arrived.
   *
   * @throws IllegalStateException if it does not arrive
   */
  static void export(SpanExporter exporter, Collection<SpanData> batch, int times) {
    for (int i = 0; i < times; i++) {
      CompletableResultCode result = exporter.export(batch).join(TIMEOUT_SECONDS, TimeUnit.SECONDS);
      if (!result.isSuccess()) {
        throw new IllegalStateException("expected that " + exporter + " succeeds, found a failure");
      }
    }
  }
}

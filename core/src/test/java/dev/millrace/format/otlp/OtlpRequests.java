package dev.millrace.format.otlp;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import dev.millrace.testkit.RandomMessages;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import java.util.SplittableRandom;

/** Export requests of each signal, made and read by protobuf's own library. */
final class OtlpRequests {
  /** Deep enough for attributes of exemplars, and for values within their values. */
  private static final int DEPTH = 12;

  private OtlpRequests() {}

  /** A request of any content: every field, every value. */
  static Message random(OtlpSignal signal, long seed) {
    Message.Builder builder = builder(signal);
    new RandomMessages(new SplittableRandom(seed), 3).fill(builder, DEPTH);
    return builder.build();
  }

  static Message parse(OtlpSignal signal, byte[] bytes) throws InvalidProtocolBufferException {
    return builder(signal).mergeFrom(bytes).build();
  }

  private static Message.Builder builder(OtlpSignal signal) {
    return switch (signal) {
      case METRICS -> ExportMetricsServiceRequest.newBuilder();
      case TRACES -> ExportTraceServiceRequest.newBuilder();
      case LOGS -> ExportLogsServiceRequest.newBuilder();
    };
  }
}

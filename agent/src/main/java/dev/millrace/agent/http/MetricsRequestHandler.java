package dev.millrace.agent.http;

import dev.millrace.agent.otlp.OtlpEncoding;
import dev.millrace.agent.otlp.OtlpReply;
import dev.millrace.bytes.Payload;

/** Takes the metrics of one OTLP request. Thread-safe; may take its time. */
@FunctionalInterface
public interface MetricsRequestHandler {
  /**
   * Takes a request.
   *
   * @param body an {@code ExportMetricsServiceRequest}, not compressed; the handler owns it from
   *     here on and closes it on every path
   */
  OtlpReply receive(OtlpEncoding encoding, Payload body);
}

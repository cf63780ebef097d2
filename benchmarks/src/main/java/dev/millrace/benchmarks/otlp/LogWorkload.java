package dev.millrace.benchmarks.otlp;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.logs.Logger;
import io.opentelemetry.api.logs.Severity;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.logs.SdkLoggerProvider;
import io.opentelemetry.sdk.logs.data.LogRecordData;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Log records as a logging library's bridge emits them, recorded by the OpenTelemetry SDK and
 * handed over as its batch processor does: a line of text, a severity, a span and four attributes.
 */
final class LogWorkload {
  private static final long TIME_NANOS = 1_700_000_000_000_000_000L;
  private static final AttributeKey<String> THREAD = AttributeKey.stringKey("thread.name");
  private static final AttributeKey<Long> THREAD_ID = AttributeKey.longKey("thread.id");
  private static final AttributeKey<String> CODE = AttributeKey.stringKey("code.function.name");
  private static final AttributeKey<Long> LINE = AttributeKey.longKey("code.line.number");

  private LogWorkload() {}

  /** Emitted log records. */
  static List<LogRecordData> logs(int count) {
    List<LogRecordData> emitted = new ArrayList<>();
    try (SdkLoggerProvider provider =
        SdkLoggerProvider.builder()
            .setResource(Resources.of(8))
            .addLogRecordProcessor((context, log) -> emitted.add(log.toLogRecordData()))
            .build()) {
      Logger logger = provider.get("dev.shop.orders.OrderService");
      for (int i = 0; i < count; i++) {
        logger
            .logRecordBuilder()
            .setContext(Context.root().with(Span.wrap(span(i))))
            .setTimestamp(TIME_NANOS + i, TimeUnit.NANOSECONDS)
            .setObservedTimestamp(TIME_NANOS + i, TimeUnit.NANOSECONDS)
            .setSeverity(Severity.INFO)
            .setSeverityText("INFO")
            .setBody("Order " + (100_000 + i) + " was taken by the till and paid in cash")
            .setAttribute(THREAD, "http-worker-" + i % 16)
            .setAttribute(THREAD_ID, 40L + i % 16)
            .setAttribute(CODE, "dev.shop.orders.OrderService.take")
            .setAttribute(LINE, 100L + i % 50)
            .emit();
      }
    }
    return emitted;
  }

  private static SpanContext span(int i) {
    return SpanContext.create(
        String.format("%032x", 0x1234_5678_9abcL + i),
        String.format("%016x", 0x9876_5432L + i),
        TraceFlags.getSampled(),
        TraceState.getDefault());
  }
}

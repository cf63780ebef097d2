package dev.millrace.opentelemetry.otlp;

import dev.millrace.bytes.ChunkPool;
import io.opentelemetry.api.common.Value;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.sdk.common.InstrumentationScopeInfo;
import io.opentelemetry.sdk.logs.data.LogRecordData;
import io.opentelemetry.sdk.resources.Resource;
import org.jspecify.annotations.Nullable;

/**
 * Encodes log records as an {@code ExportLogsServiceRequest} (opentelemetry-proto, {@code
 * logs/v1/logs.proto}):
 *
 * <pre>
 *   LogRecord  1: fixed64 time             2: SeverityNumber           3: string severity_text
 *              5: AnyValue body            6: repeated KeyValue attributes
 *              7: uint32 dropped_attributes_count                      8: fixed32 flags
 *              9: bytes trace_id          10: bytes span_id           11: fixed64 observed_time
 *             12: string event_name
 * </pre>
 *
 * <p>Not thread-safe.
 */
final class OtlpLogEncoder extends ItemEncoder<LogRecordData> {
  private static final int TIME_FIELD = 1;
  private static final int SEVERITY_FIELD = 2;
  private static final int SEVERITY_TEXT_FIELD = 3;
  private static final int BODY_FIELD = 5;
  private static final int ATTRIBUTES_FIELD = 6;
  private static final int DROPPED_ATTRIBUTES_FIELD = 7;
  private static final int FLAGS_FIELD = 8;
  private static final int TRACE_ID_FIELD = 9;
  private static final int SPAN_ID_FIELD = 10;
  private static final int OBSERVED_TIME_FIELD = 11;
  private static final int EVENT_NAME_FIELD = 12;

  OtlpLogEncoder(ChunkPool pool) {
    super(pool);
  }

  @Override
  Resource resource(LogRecordData log) {
    return log.getResource();
  }

  @Override
  InstrumentationScopeInfo scope(LogRecordData log) {
    return log.getInstrumentationScopeInfo();
  }

  @Override
  void write(LogRecordData log, @Nullable LogRecordData before) {
    if (log.getTimestampEpochNanos() != 0) {
      out.writeFixed64(TIME_FIELD, log.getTimestampEpochNanos());
    }
    int severity = log.getSeverity().getSeverityNumber();
    if (severity != 0) {
      out.writeVarint(SEVERITY_FIELD, severity);
    }
    String severityText = log.getSeverityText();
    if (severityText != null && !severityText.isEmpty()) {
      out.writeUtf8(SEVERITY_TEXT_FIELD, severityText);
    }
    Value<?> body = log.getBodyValue();
    if (body != null) {
      AnyValues.writeField(out, BODY_FIELD, body);
    }
    attributes.write(ATTRIBUTES_FIELD, log.getAttributes());
    dropped(DROPPED_ATTRIBUTES_FIELD, log.getTotalAttributeCount() - log.getAttributes().size());
    SpanContext context = log.getSpanContext();
    int flags = context.getTraceFlags().asByte() & TRACE_FLAGS_MASK;
    if (flags != 0) {
      out.writeFixed32(FLAGS_FIELD, flags);
    }
    ids(TRACE_ID_FIELD, SPAN_ID_FIELD, context, before == null ? null : before.getSpanContext());
    if (log.getObservedTimestampEpochNanos() != 0) {
      out.writeFixed64(OBSERVED_TIME_FIELD, log.getObservedTimestampEpochNanos());
    }
    String eventName = log.getEventName();
    if (eventName != null && !eventName.isEmpty()) {
      out.writeUtf8(EVENT_NAME_FIELD, eventName);
    }
  }
}

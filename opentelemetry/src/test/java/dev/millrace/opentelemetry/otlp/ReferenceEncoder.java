package dev.millrace.opentelemetry.otlp;

import com.google.protobuf.ByteString;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.Value;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.ArrayValue;
import io.opentelemetry.proto.common.v1.InstrumentationScope;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.common.v1.KeyValueList;
import io.opentelemetry.proto.logs.v1.LogRecord;
import io.opentelemetry.proto.logs.v1.ResourceLogs;
import io.opentelemetry.proto.logs.v1.ScopeLogs;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.ScopeSpans;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Status;
import io.opentelemetry.sdk.common.InstrumentationScopeInfo;
import io.opentelemetry.sdk.logs.data.LogRecordData;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.data.EventData;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The slow, obvious way to a request, on protobuf-java. */
final class ReferenceEncoder {
  private ReferenceEncoder() {}

  static ExportTraceServiceRequest spans(Collection<SpanData> spans) {
    ExportTraceServiceRequest.Builder request = ExportTraceServiceRequest.newBuilder();
    grouped(spans, SpanData::getResource, SpanData::getInstrumentationScopeInfo)
        .forEach(
            (resource, scopes) -> {
              ResourceSpans.Builder group =
                  ResourceSpans.newBuilder()
                      .setResource(resource(resource))
                      .setSchemaUrl(orEmpty(resource.getSchemaUrl()));
              scopes.forEach(
                  (scope, items) ->
                      group.addScopeSpans(
                          ScopeSpans.newBuilder()
                              .setScope(scope(scope))
                              .setSchemaUrl(orEmpty(scope.getSchemaUrl()))
                              .addAllSpans(items.stream().map(ReferenceEncoder::span).toList())));
              request.addResourceSpans(group);
            });
    return request.build();
  }

  static ExportLogsServiceRequest logs(Collection<LogRecordData> logs) {
    ExportLogsServiceRequest.Builder request = ExportLogsServiceRequest.newBuilder();
    grouped(logs, LogRecordData::getResource, LogRecordData::getInstrumentationScopeInfo)
        .forEach(
            (resource, scopes) -> {
              ResourceLogs.Builder group =
                  ResourceLogs.newBuilder()
                      .setResource(resource(resource))
                      .setSchemaUrl(orEmpty(resource.getSchemaUrl()));
              scopes.forEach(
                  (scope, items) ->
                      group.addScopeLogs(
                          ScopeLogs.newBuilder()
                              .setScope(scope(scope))
                              .setSchemaUrl(orEmpty(scope.getSchemaUrl()))
                              .addAllLogRecords(
                                  items.stream().map(ReferenceEncoder::log).toList())));
              request.addResourceLogs(group);
            });
    return request.build();
  }

  private static <T> Map<Resource, Map<InstrumentationScopeInfo, List<T>>> grouped(
      Collection<T> items,
      Function<T, Resource> resource,
      Function<T, InstrumentationScopeInfo> scope) {
    return items.stream()
        .collect(
            Collectors.groupingBy(
                resource,
                LinkedHashMap::new,
                Collectors.groupingBy(scope, LinkedHashMap::new, Collectors.toList())));
  }

  private static Span span(SpanData data) {
    SpanContext context = data.getSpanContext();
    SpanContext parent = data.getParentSpanContext();
    Span.Builder span =
        Span.newBuilder()
            .setTraceId(traceId(context))
            .setSpanId(spanId(context))
            .setTraceState(traceState(context))
            .setParentSpanId(spanId(parent))
            .setName(data.getName())
            .setKind(kind(data.getKind()))
            .setStartTimeUnixNano(data.getStartEpochNanos())
            .setEndTimeUnixNano(data.getEndEpochNanos())
            .addAllAttributes(attributes(data.getAttributes()))
            .setDroppedAttributesCount(data.getTotalAttributeCount() - data.getAttributes().size())
            .setDroppedEventsCount(data.getTotalRecordedEvents() - data.getEvents().size())
            .setDroppedLinksCount(data.getTotalRecordedLinks() - data.getLinks().size())
            .setFlags(flags(context, parent));
    for (EventData event : data.getEvents()) {
      span.addEvents(
          Span.Event.newBuilder()
              .setTimeUnixNano(event.getEpochNanos())
              .setName(event.getName())
              .addAllAttributes(attributes(event.getAttributes()))
              .setDroppedAttributesCount(event.getDroppedAttributesCount()));
    }
    for (LinkData link : data.getLinks()) {
      span.addLinks(
          Span.Link.newBuilder()
              .setTraceId(traceId(link.getSpanContext()))
              .setSpanId(spanId(link.getSpanContext()))
              .setTraceState(traceState(link.getSpanContext()))
              .addAllAttributes(attributes(link.getAttributes()))
              .setDroppedAttributesCount(
                  link.getTotalAttributeCount() - link.getAttributes().size())
              .setFlags(flags(link.getSpanContext(), link.getSpanContext())));
    }
    Status status =
        Status.newBuilder()
            .setMessage(data.getStatus().getDescription())
            .setCode(status(data.getStatus().getStatusCode()))
            .build();
    if (!status.equals(Status.getDefaultInstance())) {
      span.setStatus(status);
    }
    return span.build();
  }

  private static LogRecord log(LogRecordData data) {
    LogRecord.Builder log =
        LogRecord.newBuilder()
            .setTimeUnixNano(data.getTimestampEpochNanos())
            .setObservedTimeUnixNano(data.getObservedTimestampEpochNanos())
            .setSeverityNumberValue(data.getSeverity().getSeverityNumber())
            .setSeverityText(orEmpty(data.getSeverityText()))
            .addAllAttributes(attributes(data.getAttributes()))
            .setDroppedAttributesCount(data.getTotalAttributeCount() - data.getAttributes().size())
            .setFlags(data.getSpanContext().getTraceFlags().asByte() & 0xff)
            .setTraceId(traceId(data.getSpanContext()))
            .setSpanId(spanId(data.getSpanContext()))
            .setEventName(orEmpty(data.getEventName()));
    Value<?> body = data.getBodyValue();
    if (body != null) {
      log.setBody(anyValue(body));
    }
    return log.build();
  }

  private static io.opentelemetry.proto.resource.v1.Resource resource(Resource resource) {
    return io.opentelemetry.proto.resource.v1.Resource.newBuilder()
        .addAllAttributes(attributes(resource.getAttributes()))
        .build();
  }

  private static InstrumentationScope scope(InstrumentationScopeInfo scope) {
    return InstrumentationScope.newBuilder()
        .setName(scope.getName())
        .setVersion(orEmpty(scope.getVersion()))
        .addAllAttributes(attributes(scope.getAttributes()))
        .build();
  }

  private static List<KeyValue> attributes(Attributes attributes) {
    List<KeyValue> list = new ArrayList<>();
    for (Map.Entry<AttributeKey<?>, Object> entry : attributes.asMap().entrySet()) {
      list.add(
          KeyValue.newBuilder()
              .setKey(entry.getKey().getKey())
              .setValue(anyValue(entry.getValue()))
              .build());
    }
    return list;
  }

  private static AnyValue anyValue(Object value) {
    AnyValue.Builder any = AnyValue.newBuilder();
    if (value instanceof Value<?> typed) {
      return switch (typed.getType()) {
        case EMPTY -> any.build();
        case KEY_VALUE_LIST -> any.setKvlistValue(keyValueList((List<?>) typed.getValue())).build();
        default -> anyValue(typed.getValue());
      };
    }
    if (value instanceof String text) {
      any.setStringValue(text);
    } else if (value instanceof Boolean flag) {
      any.setBoolValue(flag);
    } else if (value instanceof Long number) {
      any.setIntValue(number);
    } else if (value instanceof Double number) {
      any.setDoubleValue(number);
    } else if (value instanceof ByteBuffer buffer) {
      any.setBytesValue(ByteString.copyFrom(buffer.duplicate()));
    } else {
      ArrayValue.Builder array = ArrayValue.newBuilder();
      for (Object element : (List<?>) value) {
        array.addValues(anyValue(element));
      }
      any.setArrayValue(array);
    }
    return any.build();
  }

  private static KeyValueList keyValueList(List<?> entries) {
    KeyValueList.Builder list = KeyValueList.newBuilder();
    for (Object entry : entries) {
      var keyValue = (io.opentelemetry.api.common.KeyValue) entry;
      list.addValues(
          KeyValue.newBuilder().setKey(keyValue.getKey()).setValue(anyValue(keyValue.getValue())));
    }
    return list.build();
  }

  private static ByteString traceId(SpanContext context) {
    return context.isValid() ? hex(context.getTraceId()) : ByteString.EMPTY;
  }

  private static ByteString spanId(SpanContext context) {
    return context.isValid() ? hex(context.getSpanId()) : ByteString.EMPTY;
  }

  private static ByteString hex(String text) {
    return ByteString.copyFrom(HexFormat.of().parseHex(text));
  }

  private static String traceState(SpanContext context) {
    return context.getTraceState().asMap().entrySet().stream()
        .map(entry -> entry.getKey() + "=" + entry.getValue())
        .collect(Collectors.joining(","));
  }

  private static int flags(SpanContext context, SpanContext maybeRemote) {
    return (context.getTraceFlags().asByte() & 0xff) + (maybeRemote.isRemote() ? 0x300 : 0x100);
  }

  private static Span.SpanKind kind(SpanKind kind) {
    return Span.SpanKind.valueOf("SPAN_KIND_" + kind.name());
  }

  private static Status.StatusCode status(StatusCode code) {
    return Status.StatusCode.valueOf("STATUS_CODE_" + code.name());
  }

  private static String orEmpty(String text) {
    return text == null ? "" : text;
  }
}

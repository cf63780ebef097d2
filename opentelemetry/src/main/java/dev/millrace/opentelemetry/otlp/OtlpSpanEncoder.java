package dev.millrace.opentelemetry.otlp;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.Varint;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.common.InstrumentationScopeInfo;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.data.EventData;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.data.StatusData;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Encodes spans as an {@code ExportTraceServiceRequest} (opentelemetry-proto, {@code
 * trace/v1/trace.proto}):
 *
 * <pre>
 *   Span    1: bytes trace_id            2: bytes span_id               3: string trace_state
 *           4: bytes parent_span_id      5: string name                 6: SpanKind kind
 *           7: fixed64 start_time        8: fixed64 end_time            9: repeated KeyValue attributes
 *          10: uint32 dropped_attributes_count
 *          11: repeated Event           12: uint32 dropped_events_count
 *          13: repeated Link            14: uint32 dropped_links_count
 *          15: Status                   16: fixed32 flags
 *   Event   1: fixed64 time   2: string name     3: repeated KeyValue   4: uint32 dropped
 *   Link    1: bytes trace_id 2: bytes span_id   3: string trace_state  4: repeated KeyValue
 *           5: uint32 dropped 6: fixed32 flags
 *   Status  2: string message 3: StatusCode code
 * </pre>
 *
 * <p>An id that is not valid is left out, as is a status that is not set. Not thread-safe.
 */
final class OtlpSpanEncoder extends ItemEncoder<SpanData> {
  private static final int TRACE_ID_FIELD = 1;
  private static final int SPAN_ID_FIELD = 2;
  private static final int TRACE_STATE_FIELD = 3;
  private static final int PARENT_SPAN_ID_FIELD = 4;
  private static final int NAME_FIELD = 5;
  private static final int KIND_FIELD = 6;
  private static final int START_FIELD = 7;
  private static final int END_FIELD = 8;
  private static final int ATTRIBUTES_FIELD = 9;
  private static final int DROPPED_ATTRIBUTES_FIELD = 10;
  private static final int EVENTS_FIELD = 11;
  private static final int DROPPED_EVENTS_FIELD = 12;
  private static final int LINKS_FIELD = 13;
  private static final int DROPPED_LINKS_FIELD = 14;
  private static final int STATUS_FIELD = 15;
  private static final int FLAGS_FIELD = 16;

  private static final int EVENT_TIME_FIELD = 1;
  private static final int EVENT_NAME_FIELD = 2;
  private static final int EVENT_ATTRIBUTES_FIELD = 3;
  private static final int EVENT_DROPPED_FIELD = 4;

  private static final int LINK_ATTRIBUTES_FIELD = 4;
  private static final int LINK_DROPPED_FIELD = 5;
  private static final int LINK_FLAGS_FIELD = 6;

  private static final int STATUS_MESSAGE_FIELD = 2;
  private static final int STATUS_CODE_FIELD = 3;

  /** {@code SpanFlags}: whether the other bit says something, which it always does here. */
  private static final int CONTEXT_HAS_IS_REMOTE = 0x100;

  private static final int CONTEXT_IS_REMOTE = 0x200;

  private static final int PARENT_BYTES = 2 + HexIds.SPAN_ID_BYTES;
  private static final int KIND_AND_TIMES_BYTES = 2 + 2 * (1 + Long.BYTES);

  /** A status that has a code and no message. */
  private static final int STATUS_BYTES = 2;

  private static final int STATUS_AND_FLAGS_BYTES = 2 + STATUS_BYTES + 2 + Integer.BYTES;

  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final TraceStates traceStates;

  /** Whether the number is the id of the parent of the span before. */
  private boolean parentKnown;

  private long parentIdBits;

  OtlpSpanEncoder(ChunkPool pool) {
    super(pool);
    traceStates = new TraceStates(out);
  }

  @Override
  Resource resource(SpanData span) {
    return span.getResource();
  }

  @Override
  InstrumentationScopeInfo scope(SpanData span) {
    return span.getInstrumentationScopeInfo();
  }

  @Override
  void write(SpanData span, @Nullable SpanData before) {
    SpanContext context = span.getSpanContext();
    ids(TRACE_ID_FIELD, SPAN_ID_FIELD, context, before == null ? null : before.getSpanContext());
    traceStates.write(TRACE_STATE_FIELD, context.getTraceState());
    SpanContext parent = span.getParentSpanContext();
    parent(parent, before == null ? null : before.getParentSpanContext());
    String name = span.getName();
    if (!name.isEmpty()) {
      out.writeUtf8(NAME_FIELD, name);
    }
    kindAndTimes(span.getKind(), span.getStartEpochNanos(), span.getEndEpochNanos());
    attributes.write(ATTRIBUTES_FIELD, span.getAttributes());
    dropped(DROPPED_ATTRIBUTES_FIELD, span.getTotalAttributeCount() - span.getAttributes().size());
    List<EventData> events = span.getEvents();
    int eventCount = events.size();
    for (int i = 0; i < eventCount; i++) {
      event(events.get(i));
    }
    dropped(DROPPED_EVENTS_FIELD, span.getTotalRecordedEvents() - eventCount);
    List<LinkData> links = span.getLinks();
    int linkCount = links.size();
    for (int i = 0; i < linkCount; i++) {
      link(links.get(i));
    }
    dropped(DROPPED_LINKS_FIELD, span.getTotalRecordedLinks() - linkCount);
    statusAndFlags(span.getStatus(), flags(context, parent));
  }

  /** Writes the parent's id; spans of one parent often come one after the other. */
  @SuppressWarnings("ReferenceEquality") // An equal text that is another object is read again.
  private void parent(SpanContext parent, @Nullable SpanContext before) {
    boolean known = parentKnown;
    parentKnown = false;
    String spanId = parent.getSpanId();
    if (!parent.isValid() || !HexIds.isSpanId(spanId)) {
      return;
    }
    if (before == null || !known || before.getSpanId() != spanId) {
      parentIdBits = hexIds.read(spanId, 0);
    }
    parentKnown = true;
    int at = out.reserve(PARENT_BYTES);
    out.advanceTo(spanId(PARENT_SPAN_ID_FIELD, parentIdBits, out.reservedBytes(), at));
  }

  private void kindAndTimes(SpanKind kind, long startEpochNanos, long endEpochNanos) {
    int at = out.reserve(KIND_AND_TIMES_BYTES);
    byte[] bytes = out.reservedBytes();
    bytes[at] = KIND_FIELD << 3;
    bytes[at + 1] = (byte) number(kind);
    at += 2;
    at = time(START_FIELD, startEpochNanos, bytes, at);
    out.advanceTo(time(END_FIELD, endEpochNanos, bytes, at));
  }

  private static int time(int field, long epochNanos, byte[] bytes, int at) {
    if (epochNanos == 0) {
      return at;
    }
    bytes[at] = (byte) (field << 3 | 1);
    LONGS.set(bytes, at + 1, epochNanos);
    return at + 1 + Long.BYTES;
  }

  private void event(EventData event) {
    out.begin(EVENTS_FIELD);
    if (event.getEpochNanos() != 0) {
      out.writeFixed64(EVENT_TIME_FIELD, event.getEpochNanos());
    }
    if (!event.getName().isEmpty()) {
      out.writeUtf8(EVENT_NAME_FIELD, event.getName());
    }
    attributes.write(EVENT_ATTRIBUTES_FIELD, event.getAttributes());
    dropped(EVENT_DROPPED_FIELD, event.getDroppedAttributesCount());
    out.end();
  }

  private void link(LinkData link) {
    SpanContext context = link.getSpanContext();
    out.begin(LINKS_FIELD);
    otherIds(TRACE_ID_FIELD, SPAN_ID_FIELD, context);
    traceStates.write(TRACE_STATE_FIELD, context.getTraceState());
    attributes.write(LINK_ATTRIBUTES_FIELD, link.getAttributes());
    dropped(LINK_DROPPED_FIELD, link.getTotalAttributeCount() - link.getAttributes().size());
    out.writeFixed32(LINK_FLAGS_FIELD, flags(context, context));
    out.end();
  }

  private void statusAndFlags(StatusData status, int flags) {
    StatusCode code = status.getStatusCode();
    String description = status.getDescription();
    if (!description.isEmpty()) {
      out.begin(STATUS_FIELD);
      out.writeUtf8(STATUS_MESSAGE_FIELD, description);
      if (code != StatusCode.UNSET) {
        out.writeVarint(STATUS_CODE_FIELD, number(code));
      }
      out.end();
    }
    int at = out.reserve(STATUS_AND_FLAGS_BYTES);
    byte[] bytes = out.reservedBytes();
    if (description.isEmpty() && code != StatusCode.UNSET) {
      bytes[at] = STATUS_FIELD << 3 | 2;
      bytes[at + 1] = STATUS_BYTES;
      bytes[at + 2] = STATUS_CODE_FIELD << 3;
      bytes[at + 3] = number(code);
      at += 2 + STATUS_BYTES;
    }
    at = Varint.put(FLAGS_FIELD << 3 | 5, bytes, at);
    INTS.set(bytes, at, flags);
    out.advanceTo(at + Integer.BYTES);
  }

  /** The flags of a context, and whether another one came from another process. */
  private static int flags(SpanContext context, SpanContext maybeRemote) {
    return (context.getTraceFlags().asByte() & TRACE_FLAGS_MASK)
        | CONTEXT_HAS_IS_REMOTE
        | (maybeRemote.isRemote() ? CONTEXT_IS_REMOTE : 0);
  }

  private static byte number(StatusCode code) {
    return switch (code) {
      case UNSET -> 0;
      case OK -> 1;
      case ERROR -> 2;
    };
  }

  private static int number(SpanKind kind) {
    return switch (kind) {
      case INTERNAL -> 1;
      case SERVER -> 2;
      case CLIENT -> 3;
      case PRODUCER -> 4;
      case CONSUMER -> 5;
    };
  }
}

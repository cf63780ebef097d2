package dev.millrace.benchmarks.otlp;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.IdGenerator;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Spans as a web server has them, recorded by the OpenTelemetry SDK and handed over as its batch
 * processor does: eight attributes, some 342 bytes each.
 */
final class SpanWorkload {
  private static final long START_NANOS = 1_700_000_000_000_000_000L;
  private static final long DURATION_NANOS = 1_234_567;

  // Constants, as instrumentation has them.
  private static final AttributeKey<String> METHOD = AttributeKey.stringKey("http.request.method");
  private static final AttributeKey<Long> STATUS =
      AttributeKey.longKey("http.response.status_code");
  private static final AttributeKey<String> ROUTE = AttributeKey.stringKey("http.route");
  private static final AttributeKey<String> VERSION =
      AttributeKey.stringKey("network.protocol.version");
  private static final AttributeKey<String> ADDRESS = AttributeKey.stringKey("server.address");
  private static final AttributeKey<Long> PORT = AttributeKey.longKey("server.port");
  private static final AttributeKey<String> PATH = AttributeKey.stringKey("url.path");
  private static final AttributeKey<String> USER_AGENT =
      AttributeKey.stringKey("user_agent.original");

  private SpanWorkload() {}

  /** Ended spans. */
  static List<SpanData> spans(int count) {
    Collecting collecting = new Collecting();
    try (SdkTracerProvider provider = provider(Resources.of(8), collecting)) {
      Tracer tracer =
          provider.tracerBuilder("dev.shop.http").setInstrumentationVersion("1.2.3").build();
      for (int i = 0; i < count; i++) {
        Span span =
            tracer
                .spanBuilder("GET /orders/{id}")
                .setParent(Context.root().with(Span.wrap(parent(i / 10))))
                .setSpanKind(SpanKind.SERVER)
                .setStartTimestamp(START_NANOS + i, TimeUnit.NANOSECONDS)
                .startSpan();
        span.setAttribute(METHOD, "GET")
            .setAttribute(STATUS, 200L)
            .setAttribute(ROUTE, "/orders/{id}")
            .setAttribute(VERSION, "1.1")
            .setAttribute(ADDRESS, "shop.example")
            .setAttribute(PORT, 8443L)
            .setAttribute(PATH, "/orders/" + (100_000 + i))
            .setAttribute(USER_AGENT, "Mozilla/5.0 (X11)")
            .setStatus(StatusCode.OK)
            .end(START_NANOS + i + DURATION_NANOS, TimeUnit.NANOSECONDS);
      }
    }
    return collecting.ended;
  }

  /**
   * One span that has nothing but what every span has, of a resource. Its status is set, because
   * the SDK's exporter writes an empty message for one that is not.
   */
  static SpanData plainSpan(Resource resource) {
    Collecting collecting = new Collecting();
    try (SdkTracerProvider provider = provider(resource, collecting)) {
      provider.get("s").spanBuilder("s").startSpan().setStatus(StatusCode.OK).end();
    }
    return collecting.ended.get(0);
  }

  private static SdkTracerProvider provider(Resource resource, SpanProcessor processor) {
    return SdkTracerProvider.builder()
        .setResource(resource)
        .setIdGenerator(new CountedIds())
        .addSpanProcessor(processor)
        .build();
  }

  private static SpanContext parent(int i) {
    return SpanContext.create(
        String.format("%032x", 0x1234_5678_9abcL + i),
        String.format("%016x", 0x9876_5432L + i),
        TraceFlags.getSampled(),
        TraceState.getDefault());
  }

  /** The same ids in each run. */
  private static final class CountedIds implements IdGenerator {
    private long next = 0x1122_3344L;

    @Override
    public String generateSpanId() {
      return String.format("%016x", next++);
    }

    @Override
    public String generateTraceId() {
      return String.format("%032x", next++);
    }
  }

  private static final class Collecting implements SpanProcessor {
    private final List<SpanData> ended = new ArrayList<>();

    @Override
    public void onStart(Context parentContext, ReadWriteSpan span) {
      // Nothing to export yet.
    }

    @Override
    public boolean isStartRequired() {
      return false;
    }

    @Override
    public void onEnd(ReadableSpan span) {
      ended.add(span.toSpanData());
    }

    @Override
    public boolean isEndRequired() {
      return true;
    }
  }
}

package dev.millrace.opentelemetry.otlp;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.sdk.common.InstrumentationScopeInfo;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.testing.trace.TestSpanData;
import io.opentelemetry.sdk.trace.data.DelegatingSpanData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.data.StatusData;
import java.util.ArrayList;
import java.util.List;

/** Spans as a web server has them: eight attributes, some 342 bytes each. */
final class SampleSpans {
  static final Resource RESOURCE =
      Resource.create(
          Attributes.builder().put("service.name", "shop").put("host.name", "web-17").build());
  static final InstrumentationScopeInfo SCOPE =
      InstrumentationScopeInfo.builder("dev.shop.http").setVersion("1.2.3").build();

  private SampleSpans() {}

  /** A span that is another one but for what is overridden. */
  abstract static class Delegating extends DelegatingSpanData {
    Delegating(SpanData delegate) {
      super(delegate);
    }
  }

  static List<SpanData> spans(int count) {
    List<SpanData> spans = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      spans.add(builder(i).build());
    }
    return spans;
  }

  static TestSpanData.Builder builder(int i) {
    return TestSpanData.builder()
        .setResource(RESOURCE)
        .setInstrumentationScopeInfo(SCOPE)
        .setSpanContext(context(i))
        .setParentSpanContext(context(i / 10))
        .setName("GET /orders/{id}")
        .setKind(SpanKind.SERVER)
        .setStartEpochNanos(1_700_000_000_000_000_000L + i)
        .setEndEpochNanos(1_700_000_000_001_000_000L + i)
        .setHasEnded(true)
        .setStatus(StatusData.ok())
        .setAttributes(
            Attributes.builder()
                .put("http.request.method", "GET")
                .put("http.response.status_code", 200)
                .put("http.route", "/orders/{id}")
                .put("network.protocol.version", "1.1")
                .put("server.address", "shop.example")
                .put("server.port", 8443)
                .put("url.path", "/orders/" + (100_000 + i))
                .put("user_agent.original", "Mozilla/5.0 (X11)")
                .build())
        .setTotalAttributeCount(8);
  }

  private static SpanContext context(int i) {
    return SpanContext.create(
        String.format("%032x", 0x1234_5678_9abcL + i),
        String.format("%016x", 0x9876_5432L + i),
        TraceFlags.getSampled(),
        TraceState.getDefault());
  }
}

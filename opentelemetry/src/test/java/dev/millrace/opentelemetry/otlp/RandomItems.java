package dev.millrace.opentelemetry.otlp;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.common.KeyValue;
import io.opentelemetry.api.common.Value;
import io.opentelemetry.api.logs.Severity;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.TraceStateBuilder;
import io.opentelemetry.sdk.common.InstrumentationScopeInfo;
import io.opentelemetry.sdk.common.InstrumentationScopeInfoBuilder;
import io.opentelemetry.sdk.logs.data.LogRecordData;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.testing.logs.TestLogRecordData;
import io.opentelemetry.sdk.testing.trace.TestSpanData;
import io.opentelemetry.sdk.trace.data.EventData;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.data.StatusData;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * Spans and log records that have everything that the SDK's data can have, and much of it wrong.
 */
final class RandomItems {
  private final SplittableRandom random;
  private final List<Resource> resources = new ArrayList<>();
  private final List<InstrumentationScopeInfo> scopes = new ArrayList<>();

  /** As an application has them: objects that come again and again. */
  private final List<AttributeKey<String>> commonKeys = new ArrayList<>();

  private final List<String> commonTexts = new ArrayList<>();
  private SpanContext lastContext = SpanContext.getInvalid();

  RandomItems(long seed) {
    random = new SplittableRandom(seed);
    for (int i = 1; i < 9; i++) {
      commonKeys.add(AttributeKey.stringKey("common." + i));
      commonTexts.add(text());
    }
    for (int i = 0; i < 3; i++) {
      String schemaUrl = random.nextBoolean() ? "https://schemas/" + i : null;
      Attributes attributes =
          attributes().toBuilder().removeIf(key -> !key.getKey().matches("[ -~]{1,200}")).build();
      resources.add(Resource.create(attributes, schemaUrl));
    }
    for (int i = 0; i < 5; i++) {
      InstrumentationScopeInfoBuilder scope = InstrumentationScopeInfo.builder(text());
      if (random.nextBoolean()) {
        scope.setVersion(text());
      }
      if (random.nextBoolean()) {
        scope.setSchemaUrl("https://schemas/scope");
      }
      scopes.add(scope.setAttributes(attributes()).build());
    }
  }

  List<SpanData> spans(int count) {
    List<SpanData> spans = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      spans.add(span());
    }
    return spans;
  }

  List<LogRecordData> logs(int count) {
    List<LogRecordData> logs = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      logs.add(log());
    }
    return logs;
  }

  private SpanData span() {
    Attributes attributes = attributes();
    List<EventData> events = new ArrayList<>();
    for (int i = random.nextInt(-3, 4); i > 0; i--) {
      Attributes of = attributes();
      events.add(EventData.create(time(), text(), of, of.size() + dropped()));
    }
    List<LinkData> links = new ArrayList<>();
    for (int i = random.nextInt(-3, 4); i > 0; i--) {
      Attributes of = attributes();
      links.add(LinkData.create(context(), of, of.size() + dropped()));
    }
    return TestSpanData.builder()
        .setResource(resource())
        .setInstrumentationScopeInfo(scope())
        .setSpanContext(context())
        .setParentSpanContext(context())
        .setName(text())
        .setKind(oneOf(SpanKind.values()))
        .setStartEpochNanos(time())
        .setEndEpochNanos(time())
        .setHasEnded(true)
        .setAttributes(attributes)
        .setTotalAttributeCount(attributes.size() + dropped())
        .setEvents(events)
        .setTotalRecordedEvents(events.size() + dropped())
        .setLinks(links)
        .setTotalRecordedLinks(links.size() + dropped())
        .setStatus(
            StatusData.create(oneOf(StatusCode.values()), random.nextBoolean() ? "" : text()))
        .build();
  }

  private LogRecordData log() {
    Attributes attributes = attributes();
    TestLogRecordData.Builder log =
        TestLogRecordData.builder()
            .setResource(resource())
            .setInstrumentationScopeInfo(scope())
            .setTimestamp(time(), TimeUnit.NANOSECONDS)
            .setObservedTimestamp(time(), TimeUnit.NANOSECONDS)
            .setSpanContext(context())
            .setSeverity(oneOf(Severity.values()))
            .setAttributes(attributes)
            .setTotalAttributeCount(attributes.size() + dropped());
    if (random.nextBoolean()) {
      log.setSeverityText(text());
    }
    if (random.nextBoolean()) {
      log.setEventName(text());
    }
    if (random.nextInt(4) > 0) {
      log.setBodyValue(value(0));
    }
    return log.build();
  }

  private Resource resource() {
    Resource resource = oneOf(resources.toArray(new Resource[0]));
    return random.nextInt(4) > 0
        ? resource
        : Resource.create(resource.getAttributes(), resource.getSchemaUrl());
  }

  private InstrumentationScopeInfo scope() {
    return oneOf(scopes.toArray(new InstrumentationScopeInfo[0]));
  }

  private Attributes attributes() {
    AttributesBuilder attributes = Attributes.builder();
    for (int i = random.nextInt(0, 9); i > 0; i--) {
      String key = random.nextInt(10) == 0 ? text() + "é".repeat(random.nextInt(60)) : "key." + i;
      switch (random.nextInt(16)) {
        case 0 -> attributes.put(key, number());
        case 1 -> attributes.put(key, real());
        case 2 -> attributes.put(key, random.nextBoolean());
        case 3 -> attributes.put(AttributeKey.valueKey(key), value(0));
        case 4 -> attributes.put(key, text(), "", text());
        case 5 -> attributes.put(key, number(), 0, number());
        case 6 -> attributes.put(key, real(), real());
        case 7 -> attributes.put(key, true, false);
        case 8, 9 -> attributes.put(key, text());
        case 10 -> attributes.put(commonKeys.get(i - 1), oneOf("a", "b", "c"));
        case 11 -> attributes.put("number." + i, 200L);
        default -> attributes.put(commonKeys.get(i - 1), commonTexts.get(i - 1));
      }
    }
    return attributes.build();
  }

  private Value<?> value(int depth) {
    return switch (random.nextInt(depth > 3 ? 6 : 8)) {
      case 0 -> Value.of(number());
      case 1 -> Value.of(real());
      case 2 -> Value.of(random.nextBoolean());
      case 3 -> Value.of(bytes());
      case 4 -> Value.empty();
      case 5 -> Value.of(text());
      case 6 -> {
        List<Value<?>> values = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
          values.add(value(depth + 1));
        }
        yield Value.of(values);
      }
      default -> {
        KeyValue[] pairs = new KeyValue[random.nextInt(4)];
        for (int i = 0; i < pairs.length; i++) {
          pairs[i] = KeyValue.of(i == 0 ? "" : text(), value(depth + 1));
        }
        yield Value.of(pairs);
      }
    };
  }

  private byte[] bytes() {
    byte[] bytes = new byte[random.nextInt(20) == 0 ? 3_000 : random.nextInt(20)];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) random.nextInt();
    }
    return bytes;
  }

  private SpanContext context() {
    if (random.nextInt(5) == 0) {
      return SpanContext.getInvalid();
    }
    String traceId = String.format("%016x%016x", random.nextLong(), random.nextLong() | 1);
    String spanId = String.format("%016x", random.nextLong() | 1);
    if (lastContext.isValid() && random.nextBoolean()) {
      // Of the same trace, or the same span, with the very text of its id.
      traceId = lastContext.getTraceId();
      spanId = random.nextBoolean() ? lastContext.getSpanId() : spanId;
    }
    TraceFlags flags = TraceFlags.fromByte((byte) random.nextInt());
    TraceStateBuilder state = TraceState.builder();
    for (int i = random.nextInt(-2, 3); i > 0; i--) {
      state.put("vendor" + i, "value" + random.nextInt());
    }
    lastContext =
        random.nextBoolean()
            ? SpanContext.create(traceId, spanId, flags, state.build())
            : SpanContext.createFromRemoteParent(traceId, spanId, flags, state.build());
    return lastContext;
  }

  private String text() {
    String unit = oneOf("a", "é", "€", "😀", "\0", "\"\\\n", "/orders/{id}");
    int count =
        switch (random.nextInt(20)) {
          case 0 -> 0;
          case 1 -> random.nextInt(2_000);
          case 2 -> random.nextInt(120, 140);
          default -> random.nextInt(20);
        };
    return unit.repeat(count);
  }

  private long time() {
    return random.nextInt(8) == 0 ? 0 : 1_700_000_000_000_000_000L + random.nextLong(1L << 50);
  }

  private long number() {
    return random.nextBoolean() ? random.nextLong() : random.nextLong(-3, 200);
  }

  private double real() {
    return random.nextInt(4) > 0
        ? random.nextDouble()
        : oneOf(Double.NaN, -0.0, Double.NEGATIVE_INFINITY, Double.MIN_VALUE);
  }

  private int dropped() {
    return random.nextInt(4) == 0 ? random.nextInt(1_000) : 0;
  }

  @SafeVarargs
  private final <T> T oneOf(T... values) {
    return values[random.nextInt(values.length)];
  }
}

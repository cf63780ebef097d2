package dev.millrace.agent.e2e;

import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.api.metrics.LongCounter;
import io.opentelemetry.api.metrics.LongUpDownCounter;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.context.Scope;
import java.io.IOException;
import java.util.List;

/**
 * A small shop that knows only the OpenTelemetry API; the Java agent beside it brings SDK and
 * exporter.
 */
public final class ShopProgram {
  static final int ORDERS = 41;
  static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  static final String SPAN = "00f067aa0ba902b7";
  static final List<Double> SECONDS = List.of(0.004, 0.2, 0.2, 7.5, 20.0);

  private ShopProgram() {}

  /** Records once, in a span, and stays until its input ends, so that the agent keeps exporting. */
  public static void main(String[] args) throws IOException {
    Meter meter = GlobalOpenTelemetry.get().getMeter("shop");
    LongCounter orders =
        meter
            .counterBuilder("shop.orders")
            .setDescription("Orders taken.")
            .setUnit("{order}")
            .build();
    LongUpDownCounter basket = meter.upDownCounterBuilder("shop.basket.items").build();
    DoubleHistogram duration =
        meter
            .histogramBuilder("shop.checkout.duration")
            .setUnit("s")
            .setExplicitBucketBoundariesAdvice(List.of(0.005, 0.25, 10.0))
            .build();
    meter
        .gaugeBuilder("shop.till.temperature")
        .setUnit("Cel")
        .buildWithCallback(measurement -> measurement.record(21.5));

    Attributes cash = Attributes.of(AttributeKey.stringKey("payment.kind"), "cash \"only\"\n");
    SpanContext span =
        SpanContext.create(TRACE, SPAN, TraceFlags.getSampled(), TraceState.getDefault());
    Scope inSpan = Span.wrap(span).makeCurrent();
    try {
      for (int i = 0; i < ORDERS; i++) {
        orders.add(1, cash);
      }
      basket.add(5);
      basket.add(-7);
      SECONDS.forEach(duration::record);
    } finally {
      inSpan.close();
    }
    System.out.println("recorded");
    int end = System.in.read();
    System.out.println("input ended with " + end);
  }
}

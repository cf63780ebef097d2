package dev.millrace.opentelemetry.extension;

import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.LongCounter;
import io.opentelemetry.api.metrics.Meter;
import java.io.IOException;

/**
 * A program that knows only the OpenTelemetry API; the Java agent beside it brings the SDK, and its
 * extension the exporter.
 */
public final class BakeryProgram {
  static final int LOAVES = 17;

  private BakeryProgram() {}

  /** Records once, and stays until its input ends, so that it can be scraped. */
  public static void main(String[] args) throws IOException {
    Meter meter = GlobalOpenTelemetry.get().getMeter("bakery");
    LongCounter loaves = meter.counterBuilder("bakery.loaves").setUnit("{loaf}").build();
    for (int i = 0; i < LOAVES; i++) {
      loaves.add(1, Attributes.of(AttributeKey.stringKey("kind.of.flour"), "rye"));
    }
    meter.histogramBuilder("bakery.baking").setUnit("s").build().record(1800);
    GlobalOpenTelemetry.get().getTracer("bakery").spanBuilder("bake").startSpan().end();
    GlobalOpenTelemetry.get()
        .getLogsBridge()
        .get("bakery")
        .logRecordBuilder()
        .setBody("baked")
        .emit();
    System.out.println("recorded");
    int end = System.in.read();
    System.out.println("input ended with " + end);
  }
}

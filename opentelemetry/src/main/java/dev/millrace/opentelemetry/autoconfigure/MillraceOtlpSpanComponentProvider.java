package dev.millrace.opentelemetry.autoconfigure;

import dev.millrace.format.otlp.OtlpSignal;
import dev.millrace.opentelemetry.otlp.OtlpExporter;
import io.opentelemetry.api.incubator.config.DeclarativeConfigProperties;
import io.opentelemetry.sdk.autoconfigure.spi.internal.ComponentProvider;
import io.opentelemetry.sdk.trace.export.SpanExporter;

/**
 * Makes the exporter of traces that a declarative configuration file names {@code millrace_otlp}.
 * The SDK finds it as a service.
 */
public final class MillraceOtlpSpanComponentProvider implements ComponentProvider {
  /** Called by the SDK. */
  public MillraceOtlpSpanComponentProvider() {}

  @Override
  public Class<SpanExporter> getType() {
    return SpanExporter.class;
  }

  /** What a file calls the exporter. */
  @Override
  public String getName() {
    return OtlpSettings.FILE_NAME;
  }

  /**
   * Makes an exporter.
   *
   * @throws io.opentelemetry.api.incubator.config.DeclarativeConfigException if the settings cannot
   *     be used
   */
  @Override
  public SpanExporter create(DeclarativeConfigProperties config) {
    return new OtlpFile(OtlpSignal.TRACES, config).made(OtlpExporter::spans);
  }
}

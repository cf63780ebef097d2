package dev.millrace.opentelemetry.autoconfigure;

import dev.millrace.format.otlp.OtlpSignal;
import io.opentelemetry.api.incubator.config.DeclarativeConfigProperties;
import io.opentelemetry.sdk.autoconfigure.spi.internal.ComponentProvider;
import io.opentelemetry.sdk.metrics.export.MetricExporter;

/**
 * Makes the exporter of metrics that a declarative configuration file names {@code millrace_otlp}.
 * The SDK finds it as a service.
 */
public final class MillraceOtlpMetricComponentProvider implements ComponentProvider {
  /** Called by the SDK. */
  public MillraceOtlpMetricComponentProvider() {}

  @Override
  public Class<MetricExporter> getType() {
    return MetricExporter.class;
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
  public MetricExporter create(DeclarativeConfigProperties config) {
    return new OtlpFile(OtlpSignal.METRICS, config).metrics();
  }
}

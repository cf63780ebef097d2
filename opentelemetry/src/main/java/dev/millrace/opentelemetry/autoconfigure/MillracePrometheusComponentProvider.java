package dev.millrace.opentelemetry.autoconfigure;

import io.opentelemetry.api.incubator.config.DeclarativeConfigProperties;
import io.opentelemetry.sdk.autoconfigure.spi.internal.ComponentProvider;
import io.opentelemetry.sdk.metrics.export.MetricReader;

/**
 * Makes the exporter that a declarative configuration file names {@code millrace_prometheus}, among
 * the exporters of a pull reader. The SDK finds it as a service.
 */
public final class MillracePrometheusComponentProvider implements ComponentProvider {
  private static final String NAME = "millrace_prometheus";

  /** Called by the SDK. */
  public MillracePrometheusComponentProvider() {}

  /** A metric reader: an exporter of the kind that pulls is one. */
  @Override
  public Class<MetricReader> getType() {
    return MetricReader.class;
  }

  /** What a file calls the exporter. */
  @Override
  public String getName() {
    return NAME;
  }

  /**
   * Makes an exporter, whose server has started.
   *
   * @throws io.opentelemetry.api.incubator.config.DeclarativeConfigException if the settings cannot
   *     be used
   */
  @Override
  public MetricReader create(DeclarativeConfigProperties config) {
    DeclarativeSettings settings = new DeclarativeSettings(NAME, config);
    settings.requireKnown(ExporterSettings.NAMES);
    return ExporterSettings.exporter(settings);
  }
}

package dev.millrace.opentelemetry.autoconfigure;

import io.opentelemetry.api.incubator.config.DeclarativeConfigProperties;
import io.opentelemetry.sdk.autoconfigure.spi.internal.ComponentProvider;
import io.opentelemetry.sdk.metrics.export.MetricExporter;

/**
 * Makes the exporter that a declarative configuration file names {@code millrace_remote_write},
 * among the exporters of a periodic reader. The SDK finds it as a service.
 */
public final class MillraceRemoteWriteComponentProvider implements ComponentProvider {
  /** Called by the SDK. */
  public MillraceRemoteWriteComponentProvider() {}

  @Override
  public Class<MetricExporter> getType() {
    return MetricExporter.class;
  }

  /** What a file calls the exporter. */
  @Override
  public String getName() {
    return RemoteWriteSettings.FILE_NAME;
  }

  /**
   * Makes an exporter.
   *
   * @throws io.opentelemetry.api.incubator.config.DeclarativeConfigException if the settings cannot
   *     be used
   */
  @Override
  public MetricExporter create(DeclarativeConfigProperties config) {
    DeclarativeSettings settings = new DeclarativeSettings(RemoteWriteSettings.FILE_NAME, config);
    settings.requireKnown(RemoteWriteSettings.NAMES);
    return RemoteWriteSettings.exporter(settings, settings.headers(), null);
  }
}

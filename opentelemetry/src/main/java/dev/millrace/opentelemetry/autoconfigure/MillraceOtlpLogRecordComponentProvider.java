package dev.millrace.opentelemetry.autoconfigure;

import dev.millrace.format.otlp.OtlpSignal;
import dev.millrace.opentelemetry.otlp.OtlpExporter;
import io.opentelemetry.api.incubator.config.DeclarativeConfigProperties;
import io.opentelemetry.sdk.autoconfigure.spi.internal.ComponentProvider;
import io.opentelemetry.sdk.logs.export.LogRecordExporter;

/**
 * Makes the exporter of logs that a declarative configuration file names {@code millrace_otlp}. The
 * SDK finds it as a service.
 */
public final class MillraceOtlpLogRecordComponentProvider implements ComponentProvider {
  /** Called by the SDK. */
  public MillraceOtlpLogRecordComponentProvider() {}

  @Override
  public Class<LogRecordExporter> getType() {
    return LogRecordExporter.class;
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
  public LogRecordExporter create(DeclarativeConfigProperties config) {
    return new OtlpFile(OtlpSignal.LOGS, config).made(OtlpExporter::logs);
  }
}

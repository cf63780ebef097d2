package dev.millrace.format.otlp;

/** The signals of OTLP that have export requests of their own. */
public enum OtlpSignal {
  /** {@code ExportMetricsServiceRequest}; its items are metric points. */
  METRICS,
  /** {@code ExportTraceServiceRequest}; its items are spans. */
  TRACES,
  /** {@code ExportLogsServiceRequest}; its items are log records. */
  LOGS
}

package dev.millrace.benchmarks.otlp;

/** What an export finds ready. */
public enum Reuse {
  /** The encoder of the export before. */
  STEADY,
  /** An encoder from the exporter's own pool, which is how exporters export. */
  POOLED,
  /** Nothing: encoder and memory are new. */
  COLD_START
}

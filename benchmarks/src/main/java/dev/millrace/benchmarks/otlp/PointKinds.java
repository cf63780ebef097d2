package dev.millrace.benchmarks.otlp;

/** What metric points are of. */
public enum PointKinds {
  /** Counters alone. */
  COUNTERS,
  /** 70% counters, 10% histograms of 15 bounds, 20% gauges. */
  MIXED
}

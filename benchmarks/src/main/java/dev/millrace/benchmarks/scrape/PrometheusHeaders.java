package dev.millrace.benchmarks.scrape;

/** What Prometheus servers ask for, by version. */
public enum PrometheusHeaders {
  /** Prometheus 2.42. */
  PROMETHEUS_2(
      "application/openmetrics-text;version=1.0.0,"
          + "application/openmetrics-text;version=0.0.1;q=0.75,"
          + "text/plain;version=0.0.4;q=0.5,*/*;q=0.1"),

  /** Prometheus 3.5. */
  PROMETHEUS_3(
      "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,"
          + "application/openmetrics-text;version=0.0.1;q=0.5,"
          + "text/plain;version=1.0.0;escaping=allow-utf-8;q=0.4,"
          + "text/plain;version=0.0.4;q=0.3,*/*;q=0.2");

  final String accept;

  PrometheusHeaders(String accept) {
    this.accept = accept;
  }
}

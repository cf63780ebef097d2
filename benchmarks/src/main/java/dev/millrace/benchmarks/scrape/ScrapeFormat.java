package dev.millrace.benchmarks.scrape;

import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.OpenMetricsTextFormatWriter;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;

/** The formats that are measured, each with its defaults, and without {@code _created}. */
public enum ScrapeFormat {
  /** Prometheus text 0.0.4. */
  TEXT {
    @Override
    String accept() {
      return "text/plain;version=0.0.4";
    }

    @Override
    ExpositionFormatWriter writer() {
      return PrometheusTextFormatWriter.create();
    }
  },
  /** OpenMetrics 1.0.0. */
  OPENMETRICS {
    @Override
    String accept() {
      return "application/openmetrics-text;version=1.0.0";
    }

    @Override
    ExpositionFormatWriter writer() {
      return OpenMetricsTextFormatWriter.create();
    }
  };

  /** The header that asks for it. */
  abstract String accept();

  /** That of client_java, which the OpenTelemetry exporter uses too. */
  abstract ExpositionFormatWriter writer();
}

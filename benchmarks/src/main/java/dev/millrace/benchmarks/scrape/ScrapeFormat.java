package dev.millrace.benchmarks.scrape;

import dev.millrace.format.MetricEncoder;
import dev.millrace.format.prometheus.PrometheusFormats;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.OpenMetricsTextFormatWriter;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;

/** The formats that are measured, each with its defaults, and without {@code _created}. */
public enum ScrapeFormat {
  /** Prometheus text 0.0.4. */
  TEXT {
    @Override
    MetricEncoder encoder(PrometheusFormats formats) {
      return formats.text();
    }

    @Override
    ExpositionFormatWriter writer() {
      return PrometheusTextFormatWriter.create();
    }
  },
  /** OpenMetrics 1.0.0. */
  OPENMETRICS {
    @Override
    MetricEncoder encoder(PrometheusFormats formats) {
      return formats.openMetrics();
    }

    @Override
    ExpositionFormatWriter writer() {
      return OpenMetricsTextFormatWriter.create();
    }
  };

  /** Ours. */
  abstract MetricEncoder encoder(PrometheusFormats formats);

  /** That of client_java, which the OpenTelemetry exporter uses too. */
  abstract ExpositionFormatWriter writer();
}

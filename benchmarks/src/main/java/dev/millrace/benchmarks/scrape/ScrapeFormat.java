package dev.millrace.benchmarks.scrape;

import dev.millrace.format.MetricEncoder;
import dev.millrace.format.prometheus.EscapingScheme;
import dev.millrace.format.prometheus.PrometheusFormat;
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
      return formats.encoder(PrometheusFormat.TEXT_0_0_4, EscapingScheme.UNDERSCORES);
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
      return formats.encoder(PrometheusFormat.OPEN_METRICS_1_0_0, EscapingScheme.UNDERSCORES);
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

package dev.millrace.format.prometheus;

import dev.millrace.format.MetricEncoder;
import dev.millrace.model.Problems;

/**
 * Makes the encoders of one exporter. All of them share the labels that series keep, so a series
 * that is scraped in both formats keeps its labels once; and they report what is wrong with metrics
 * under the same kinds of problem, whose names begin with {@code prometheus_}.
 *
 * <p>Thread-safe. The encoders are not: one serves one thread at a time.
 *
 * <pre>{@code
 * PrometheusFormats formats = new PrometheusFormats(PrometheusOptions.DEFAULT, new Problems());
 * MetricEncoder encoder = formats.text();
 * try (MetricCursor cursor = source.open(); ChunkWriter out = new ChunkWriter(pool)) {
 *   encoder.encode(cursor, out);
 *   assert encoder.contentType().equals(PrometheusFormats.TEXT_TYPE);
 * }
 * }</pre>
 */
public final class PrometheusFormats {
  /** The media type of the Prometheus text format 0.0.4. */
  public static final String TEXT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  /** The media type of OpenMetrics 1.0.0. */
  public static final String OPEN_METRICS_TYPE =
      "application/openmetrics-text; version=1.0.0; charset=utf-8";

  private final PrometheusOptions options;
  private final Problems problems;
  private final LabelNames labelNames;

  /**
   * Formats for one exporter.
   *
   * @param problems takes what is wrong with metrics
   */
  public PrometheusFormats(PrometheusOptions options, Problems problems) {
    this.options = options;
    this.problems = problems;
    this.labelNames = new LabelNames(options);
  }

  /** A new encoder of the Prometheus text format 0.0.4. */
  public MetricEncoder text() {
    return new ExpositionEncoder(new TextSyntax(), options, labelNames, problems);
  }

  /** A new encoder of OpenMetrics 1.0.0. */
  public MetricEncoder openMetrics() {
    return new ExpositionEncoder(new OpenMetricsSyntax(), options, labelNames, problems);
  }
}

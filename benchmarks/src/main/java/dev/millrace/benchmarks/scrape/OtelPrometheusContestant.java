package dev.millrace.benchmarks.scrape;

import io.opentelemetry.exporter.prometheus.PrometheusMetricReader;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.common.export.MemoryMode;
import io.opentelemetry.sdk.metrics.InstrumentType;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.export.CollectionRegistration;
import io.opentelemetry.sdk.metrics.export.MetricReader;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.io.OutputStream;

/**
 * The OpenTelemetry SDK's own exporter: what its {@code PrometheusHttpServer} does for a request,
 * with its defaults, between the request and the reply. The server first collects the reply in an
 * array, which is left out here in its favour.
 */
final class OtelPrometheusContestant implements Contestant {
  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final SdkWorkload workload;
  private final ExpositionFormatWriter writer;
  private final ScrapeCoding coding;

  OtelPrometheusContestant(ScrapeWorkload workload, ScrapeFormat format, ScrapeCoding coding) {
    PrometheusMetricReader reader = PrometheusMetricReader.create();
    this.workload = SdkWorkload.record(workload, new ReusingReader(reader));
    registry.register(reader);
    writer = format.writer();
    this.coding = coding;
  }

  @Override
  public void scrape(OutputStream out) throws IOException {
    try (OutputStream coded = coding.encode(out)) {
      writer.write(coded, registry.scrape());
    }
  }

  @Override
  public void renewTenth() {
    workload.renewTenth();
  }

  @Override
  public void close() {
    workload.close();
  }

  /** Collects into reusable memory, as {@code PrometheusHttpServer} does unless told otherwise. */
  private static final class ReusingReader implements MetricReader {
    private final PrometheusMetricReader reader;

    ReusingReader(PrometheusMetricReader reader) {
      this.reader = reader;
    }

    @Override
    public MemoryMode getMemoryMode() {
      return MemoryMode.REUSABLE_DATA;
    }

    @Override
    public AggregationTemporality getAggregationTemporality(InstrumentType instrumentType) {
      return reader.getAggregationTemporality(instrumentType);
    }

    @Override
    public void register(CollectionRegistration registration) {
      reader.register(registration);
    }

    @Override
    public CompletableResultCode forceFlush() {
      return reader.forceFlush();
    }

    @Override
    public CompletableResultCode shutdown() {
      return reader.shutdown();
    }
  }
}

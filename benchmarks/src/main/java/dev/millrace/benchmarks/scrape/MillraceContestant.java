package dev.millrace.benchmarks.scrape;

import dev.millrace.bytes.Chunk;
import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.ChunkWriter;
import dev.millrace.format.MetricEncoder;
import dev.millrace.format.prometheus.PrometheusFormats;
import dev.millrace.format.prometheus.PrometheusOptions;
import dev.millrace.model.MetricCursor;
import dev.millrace.model.Problems;
import dev.millrace.opentelemetry.MillraceMetricReader;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/** Millrace over the OpenTelemetry SDK, streaming chunk by chunk. */
final class MillraceContestant implements Contestant {
  private final MillraceMetricReader reader = new MillraceMetricReader();
  private final SdkMeterProvider provider;
  private final MetricEncoder encoder;
  private final ChunkPool pool = new ChunkPool(4);
  private final ChunkWriter writer = new ChunkWriter(pool, this::write);
  private OutputStream out = OutputStream.nullOutputStream();

  MillraceContestant(ScrapeWorkload workload, ScrapeFormat format) {
    provider = SdkWorkload.record(workload, reader);
    encoder = format.encoder(new PrometheusFormats(PrometheusOptions.DEFAULT, new Problems()));
  }

  @Override
  public void scrape(OutputStream out) {
    this.out = out;
    try (MetricCursor cursor = reader.source().open()) {
      encoder.encode(cursor, writer);
      writer.flush();
    } finally {
      writer.close();
    }
  }

  private void write(Chunk chunk, ChunkPool from) {
    try {
      out.write(chunk.bytes(), 0, chunk.lengthBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      from.giveBack(chunk);
    }
  }

  /** Chunks that are in somebody's hands. */
  long outstandingChunks() {
    return pool.outstandingChunks();
  }

  @Override
  public void close() {
    provider.close();
  }
}

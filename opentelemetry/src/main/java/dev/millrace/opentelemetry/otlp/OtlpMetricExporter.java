package dev.millrace.opentelemetry.otlp;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.Payload;
import dev.millrace.format.otlp.OtlpMetricsEncoder;
import dev.millrace.model.EncodedLabelsBudget;
import dev.millrace.model.MetricCursor;
import dev.millrace.model.Problems;
import dev.millrace.opentelemetry.MetricDataSource;
import dev.millrace.opentelemetry.MillraceMetricReader;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.common.export.MemoryMode;
import io.opentelemetry.sdk.metrics.Aggregation;
import io.opentelemetry.sdk.metrics.InstrumentType;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.export.AggregationTemporalitySelector;
import io.opentelemetry.sdk.metrics.export.DefaultAggregationSelector;
import io.opentelemetry.sdk.metrics.export.MetricExporter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Encodes metrics on the caller's thread, and has them sent. Thread-safe: exports that come at once
 * are encoded one after the other.
 */
final class OtlpMetricExporter implements MetricExporter {
  private final SignalSender sender;
  private final AggregationTemporalitySelector temporality;
  private final DefaultAggregationSelector aggregation;
  private final OtlpMetricsEncoder encoder;
  private final MetricDataSource source;
  private final ReentrantLock lock = new ReentrantLock();
  private final List<CompletableResultCode> results = new ArrayList<>();
  private Collection<MetricData> current = List.of();

  OtlpMetricExporter(
      SignalSender sender,
      ChunkPool pool,
      Problems problems,
      AggregationTemporalitySelector temporality,
      DefaultAggregationSelector aggregation) {
    this.sender = sender;
    this.temporality = temporality;
    this.aggregation = aggregation;
    encoder = new OtlpMetricsEncoder(pool, problems);
    source =
        new MetricDataSource(
            () -> current,
            new EncodedLabelsBudget(MillraceMetricReader.DEFAULT_ENCODED_LABELS_BYTES));
  }

  @Override
  public CompletableResultCode export(Collection<MetricData> metrics) {
    if (sender.isShutDown()) {
      return CompletableResultCode.ofFailure();
    }
    lock.lock();
    try {
      current = metrics;
      try (MetricCursor cursor = source.open()) {
        encoder.encode(cursor, sender.maxRequestBytes(), this::send);
      }
      return switch (results.size()) {
        case 0 -> CompletableResultCode.ofSuccess();
        case 1 -> results.get(0);
        default -> CompletableResultCode.ofAll(new ArrayList<>(results));
      };
    } catch (RuntimeException e) {
      return sender.notEncoded(e);
    } finally {
      current = List.of();
      results.clear();
      lock.unlock();
    }
  }

  private void send(Payload payload, int points) {
    results.add(sender.send(payload, points));
  }

  @Override
  public AggregationTemporality getAggregationTemporality(InstrumentType instrumentType) {
    return temporality.getAggregationTemporality(instrumentType);
  }

  @Override
  public Aggregation getDefaultAggregation(InstrumentType instrumentType) {
    return aggregation.getDefaultAggregation(instrumentType);
  }

  /** Reusable: what is exported has been read when {@link #export} returns. */
  @Override
  public MemoryMode getMemoryMode() {
    return MemoryMode.REUSABLE_DATA;
  }

  @Override
  public CompletableResultCode flush() {
    return sender.flush();
  }

  @Override
  public CompletableResultCode shutdown() {
    return sender.shutdown();
  }

  @Override
  public String toString() {
    return "OtlpMetricExporter{" + sender + "}";
  }
}

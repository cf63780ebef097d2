package dev.millrace.opentelemetry.otlp;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.format.otlp.OtlpSignal;
import io.opentelemetry.sdk.logs.export.LogRecordExporter;
import io.opentelemetry.sdk.metrics.export.AggregationTemporalitySelector;
import io.opentelemetry.sdk.metrics.export.DefaultAggregationSelector;
import io.opentelemetry.sdk.metrics.export.MetricExporter;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.net.URI;

/**
 * Exports spans, log records and metrics of the OpenTelemetry SDK in OTLP. It takes the place of
 * the SDK's own {@code opentelemetry-exporter-otlp}.
 *
 * <pre>{@code
 * OtlpExporter otlp = OtlpExporter.to(URI.create("http://collector:4318"));
 * SpanExporter spans = otlp.spans();
 * BatchSpanProcessor processor = BatchSpanProcessor.builder(spans).build();
 * PeriodicMetricReader reader = PeriodicMetricReader.create(otlp.metrics());
 * assert spans.toString().equals("OtlpSpanExporter{http://collector:4318}");
 * }</pre>
 *
 * <p>An export is encoded in the thread that exports, and sent by others: it returns before the
 * receiver has it, and its {@code CompletableResultCode} tells the outcome. Several may be under
 * way. What fails for a while is sent again, what is too large is split, a partial success is
 * logged and counted and never resent. {@code flush} ends when all that was under way has ended.
 * {@code shutdown} waits for it, at most as long as an export may take.
 *
 * <p>Each exporter that this makes has its own connections, and is shut down by the SDK that it was
 * given to. They share a pool of memory, which holds at most {@value #MAX_IDLE_CHUNKS} idle chunks
 * of 64 KiB. Thread-safe; none of the threads keeps the JVM alive.
 */
public final class OtlpExporter {
  /** 8 MiB: some batches of spans under way at once. Chunks that nobody needs are let go. */
  static final int MAX_IDLE_CHUNKS = 128;

  private final OtlpExporterBuilder options;
  private final ChunkPool pool = new ChunkPool(MAX_IDLE_CHUNKS);

  OtlpExporter(OtlpExporterBuilder options) {
    this.options = options;
  }

  /**
   * An exporter by OTLP over HTTP in protobuf, with everything else as {@link #builder} has it.
   *
   * @param endpoint {@code http} or {@code https}; each signal goes to a path under it, {@code
   *     v1/traces} and so on
   * @throws IllegalArgumentException if it is no such address
   */
  public static OtlpExporter to(URI endpoint) {
    return builder().endpoint(endpoint).build();
  }

  /** An exporter that is not built yet. */
  public static OtlpExporterBuilder builder() {
    return new OtlpExporterBuilder();
  }

  /**
   * Makes an exporter of spans.
   *
   * @throws IllegalArgumentException if an option cannot be used, or the protocol's library is
   *     missing
   * @throws java.io.UncheckedIOException if a file of TLS or the disk directory cannot be used
   */
  public SpanExporter spans() {
    return new OtlpSpanExporter(new SignalSender(OtlpSignal.TRACES, options, pool), pool);
  }

  /** Makes an exporter of log records; the exceptions are those of {@link #spans}. */
  public LogRecordExporter logs() {
    return new OtlpLogRecordExporter(new SignalSender(OtlpSignal.LOGS, options, pool), pool);
  }

  /**
   * Makes an exporter of metrics, with cumulative values and the SDK's default aggregations; the
   * exceptions are those of {@link #spans}.
   */
  public MetricExporter metrics() {
    return metrics(
        AggregationTemporalitySelector.alwaysCumulative(), DefaultAggregationSelector.getDefault());
  }

  /**
   * Makes an exporter of metrics; the exceptions are those of {@link #spans}.
   *
   * @param temporality cumulative values or what came since the last export, such as {@code
   *     AggregationTemporalitySelector.deltaPreferred()}
   * @param aggregation how the SDK aggregates what no view names
   */
  public MetricExporter metrics(
      AggregationTemporalitySelector temporality, DefaultAggregationSelector aggregation) {
    return new OtlpMetricExporter(
        new SignalSender(OtlpSignal.METRICS, options, pool),
        pool,
        options.problems(),
        temporality,
        aggregation);
  }

  /** Chunks of memory that are in use; for tests. */
  long outstandingChunks() {
    return pool.outstandingChunks();
  }
}

package dev.millrace.benchmarks.otlp;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.Payload;
import dev.millrace.format.otlp.OtlpMetricsEncoder;
import dev.millrace.model.EncodedLabelsBudget;
import dev.millrace.model.MetricCursor;
import dev.millrace.model.Problems;
import dev.millrace.opentelemetry.MetricDataSource;
import dev.millrace.opentelemetry.MillraceMetricReader;
import dev.millrace.opentelemetry.otlp.BenchmarkedEncoder;
import io.opentelemetry.exporter.internal.marshal.Marshaler;
import io.opentelemetry.exporter.internal.otlp.logs.LogsRequestMarshaler;
import io.opentelemetry.exporter.internal.otlp.logs.LowAllocationLogsRequestMarshaler;
import io.opentelemetry.exporter.internal.otlp.metrics.LowAllocationMetricsRequestMarshaler;
import io.opentelemetry.exporter.internal.otlp.metrics.MetricsRequestMarshaler;
import io.opentelemetry.exporter.internal.otlp.traces.LowAllocationTraceRequestMarshaler;
import io.opentelemetry.exporter.internal.otlp.traces.SpanReusableDataMarshaler;
import io.opentelemetry.exporter.internal.otlp.traces.TraceRequestMarshaler;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.common.export.MemoryMode;
import io.opentelemetry.sdk.logs.data.LogRecordData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.List;

/**
 * Who is measured, by the names that parameters and tables have: Millrace, and the exporter of the
 * OpenTelemetry SDK in both of its memory modes, used as its own benchmarks use it.
 */
final class OtlpContestants {
  static final String MILLRACE = "millrace";
  static final String OTEL_IMMUTABLE = "opentelemetry-exporter-otlp-immutable";
  static final String OTEL_REUSABLE = "opentelemetry-exporter-otlp-reusable";
  static final List<String> ALL = List.of(MILLRACE, OTEL_IMMUTABLE, OTEL_REUSABLE);

  private static final int IDLE_CHUNKS = 128;

  private OtlpContestants() {}

  /** A writer of spans. */
  static RequestWriter<SpanData> spans(String name, Reuse reuse) {
    return switch (name) {
      case MILLRACE -> {
        BenchmarkedEncoder<SpanData> encoder = BenchmarkedEncoder.spans();
        yield switch (reuse) {
          case STEADY -> (items, out) -> write(encoder.encode(items), out);
          case POOLED -> (items, out) -> write(encoder.encodePooled(items), out);
          case COLD_START -> (items, out) -> write(encoder.encodeCold(items), out);
        };
      }
      // What is made for each export is all that there is in this mode.
      case OTEL_IMMUTABLE ->
          reuse == Reuse.POOLED
              ? pooledSpans(MemoryMode.IMMUTABLE_DATA)
              : (items, out) -> TraceRequestMarshaler.create(items).writeBinaryTo(out);
      case OTEL_REUSABLE ->
          switch (reuse) {
            case STEADY -> reusableSpans(new LowAllocationTraceRequestMarshaler());
            case POOLED -> pooledSpans(MemoryMode.REUSABLE_DATA);
            case COLD_START ->
                (items, out) ->
                    reusableSpans(new LowAllocationTraceRequestMarshaler()).write(items, out);
          };
      default -> throw unknown(name);
    };
  }

  private static RequestWriter<SpanData> reusableSpans(
      LowAllocationTraceRequestMarshaler marshaler) {
    return (items, out) -> {
      marshaler.initialize(items);
      try {
        marshaler.writeBinaryTo(out);
      } finally {
        marshaler.reset();
      }
    };
  }

  private static RequestWriter<SpanData> pooledSpans(MemoryMode mode) {
    Target target = new Target();
    SpanReusableDataMarshaler marshaler = new SpanReusableDataMarshaler(mode, target::write);
    return (items, out) -> {
      target.out = out;
      marshaler.export(items);
    };
  }

  /** A writer of log records. */
  static RequestWriter<LogRecordData> logs(String name) {
    switch (name) {
      case MILLRACE -> {
        BenchmarkedEncoder<LogRecordData> encoder = BenchmarkedEncoder.logs();
        return (items, out) -> write(encoder.encode(items), out);
      }
      case OTEL_IMMUTABLE -> {
        return (items, out) -> LogsRequestMarshaler.create(items).writeBinaryTo(out);
      }
      case OTEL_REUSABLE -> {
        LowAllocationLogsRequestMarshaler marshaler = new LowAllocationLogsRequestMarshaler();
        return (items, out) -> {
          marshaler.initialize(items);
          try {
            marshaler.writeBinaryTo(out);
          } finally {
            marshaler.reset();
          }
        };
      }
      default -> throw unknown(name);
    }
  }

  /** A writer of metrics that have been collected. */
  static RequestWriter<MetricData> metrics(String name) {
    switch (name) {
      case MILLRACE -> {
        return new MillraceMetrics();
      }
      case OTEL_IMMUTABLE -> {
        return (items, out) -> MetricsRequestMarshaler.create(items).writeBinaryTo(out);
      }
      case OTEL_REUSABLE -> {
        LowAllocationMetricsRequestMarshaler marshaler = new LowAllocationMetricsRequestMarshaler();
        return (items, out) -> {
          marshaler.initialize(items);
          try {
            marshaler.writeBinaryTo(out);
          } finally {
            marshaler.reset();
          }
        };
      }
      default -> throw unknown(name);
    }
  }

  static IllegalArgumentException unknown(String name) {
    return new IllegalArgumentException("contestant: expected one of " + ALL + ", found " + name);
  }

  private static void write(Payload payload, OutputStream out) throws IOException {
    try (payload) {
      payload.writeTo(out);
    }
  }

  /** What Millrace's metric exporter does with a collection. */
  private static final class MillraceMetrics implements RequestWriter<MetricData> {
    private Collection<MetricData> current = List.of();
    private final OtlpMetricsEncoder encoder =
        new OtlpMetricsEncoder(new ChunkPool(IDLE_CHUNKS), new Problems());
    private final MetricDataSource source =
        new MetricDataSource(
            () -> current,
            new EncodedLabelsBudget(MillraceMetricReader.DEFAULT_ENCODED_LABELS_BYTES));

    @Override
    public void write(Collection<MetricData> items, OutputStream out) throws IOException {
      current = items;
      try (MetricCursor cursor = source.open()) {
        Payload payload = encoder.encode(cursor);
        if (payload != null) {
          OtlpContestants.write(payload, out);
        }
      }
    }
  }

  /** Where the SDK's exporter writes to, in place of a connection. */
  private static final class Target {
    private OutputStream out = OutputStream.nullOutputStream();

    CompletableResultCode write(Marshaler marshaler, Integer items) {
      try {
        marshaler.writeBinaryTo(out);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return CompletableResultCode.ofSuccess();
    }
  }
}

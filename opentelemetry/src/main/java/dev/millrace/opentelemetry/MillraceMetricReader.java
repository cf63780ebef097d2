package dev.millrace.opentelemetry;

import dev.millrace.model.EncodedLabelsBudget;
import dev.millrace.model.MetricSource;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.common.export.MemoryMode;
import io.opentelemetry.sdk.metrics.InstrumentType;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.export.CollectionRegistration;
import io.opentelemetry.sdk.metrics.export.MetricReader;

/**
 * Registers with the OpenTelemetry SDK and makes its metrics a {@link MetricSource}. It reads
 * cumulative values, lets the SDK reuse its data objects, and leaves the SDK's cardinality limits
 * as they are. It has no thread: each {@link MetricSource#open} collects. Thread-safe.
 *
 * <pre>{@code
 * MillraceMetricReader reader = new MillraceMetricReader();
 * SdkMeterProvider provider = SdkMeterProvider.builder().registerMetricReader(reader).build();
 * provider.get("shop").counterBuilder("orders").build().add(3);
 * try (MetricCursor cursor = reader.source().open()) {
 *   assert cursor.metricCount() == 1;
 * }
 * }</pre>
 */
public final class MillraceMetricReader implements MetricReader {
  /**
   * The most bytes spent on encoded labels unless told otherwise: 256 MiB, which a million series
   * with some 200 bytes of labels fill. It is a bound; only labels that were encoded take memory.
   */
  public static final long DEFAULT_ENCODED_LABELS_BYTES = 256L << 20;

  private final MetricDataSource source;
  private volatile CollectionRegistration registration = CollectionRegistration.noop();

  /** A reader that spends at most {@link #DEFAULT_ENCODED_LABELS_BYTES} on encoded labels. */
  public MillraceMetricReader() {
    this(new EncodedLabelsBudget(DEFAULT_ENCODED_LABELS_BYTES));
  }

  /**
   * A reader with a budget of its own.
   *
   * @param budget bounds the encoded labels of this reader's series
   */
  public MillraceMetricReader(EncodedLabelsBudget budget) {
    source = new MetricDataSource(() -> registration.collectAllMetrics(), budget);
  }

  /** The SDK's metrics; none before the reader is registered and after it was shut down. */
  public MetricSource source() {
    return source;
  }

  /** Called by the SDK. */
  @Override
  public void register(CollectionRegistration registration) {
    this.registration = registration;
  }

  /** Cumulative, always. */
  @Override
  public AggregationTemporality getAggregationTemporality(InstrumentType instrumentType) {
    return AggregationTemporality.CUMULATIVE;
  }

  /** Reusable, always: the source reads one collection at a time. */
  @Override
  public MemoryMode getMemoryMode() {
    return MemoryMode.REUSABLE_DATA;
  }

  /** Does nothing: whoever wants the metrics opens the source. */
  @Override
  public CompletableResultCode forceFlush() {
    return CompletableResultCode.ofSuccess();
  }

  /** Ends the connection to the SDK: the source has no metrics from here on. */
  @Override
  public CompletableResultCode shutdown() {
    registration = CollectionRegistration.noop();
    return CompletableResultCode.ofSuccess();
  }

  /** A description for people; the form is not fixed. */
  @Override
  public String toString() {
    return "MillraceMetricReader{}";
  }
}

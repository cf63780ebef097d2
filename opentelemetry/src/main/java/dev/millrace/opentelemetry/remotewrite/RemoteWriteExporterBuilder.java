package dev.millrace.opentelemetry.remotewrite;

import dev.millrace.export.remotewrite.RemoteWriterOptions;
import dev.millrace.opentelemetry.MillraceMetricReader;
import io.opentelemetry.api.metrics.MeterProvider;
import io.opentelemetry.sdk.metrics.export.DefaultAggregationSelector;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How a {@link RemoteWriteExporter} is to be. Not thread-safe.
 *
 * <pre>{@code
 * RemoteWriteExporter exporter =
 *     RemoteWriteExporter.builder()
 *         .endpoint(
 *             RemoteWriterOptions.to(URI.create("https://mimir/api/v1/push"))
 *                 .withHeaders(HeaderSource.of(Map.of("X-Scope-OrgID", "shop")))
 *                 .withQueue(RemoteWriteQueue.defaults().withDirectory(Path.of("/var/spool/shop"))))
 *         .build();
 * assert exporter.toString().contains("https://mimir");
 * }</pre>
 */
public final class RemoteWriteExporterBuilder {
  /** Where a Prometheus on the same host listens that takes remote write. */
  public static final URI DEFAULT_ENDPOINT = URI.create("http://localhost:9090/api/v1/write");

  private final List<RemoteWriterOptions> endpoints = new ArrayList<>();
  DefaultAggregationSelector defaultAggregation = DefaultAggregationSelector.getDefault();
  long encodedLabelsBytes = MillraceMetricReader.DEFAULT_ENCODED_LABELS_BYTES;
  @Nullable Supplier<MeterProvider> meterProvider;

  RemoteWriteExporterBuilder() {}

  /**
   * Sends to this address, with everything else as {@link RemoteWriterOptions#to} has it. Called
   * again it adds another endpoint, with a queue of its own. {@link #DEFAULT_ENDPOINT} unless set.
   *
   * @param endpoint {@code http} or {@code https}, with the receiver's path
   */
  public RemoteWriteExporterBuilder endpoint(URI endpoint) {
    return endpoint(RemoteWriterOptions.to(endpoint));
  }

  /**
   * Sends to an endpoint with options of its own: headers and credentials, TLS, the message's
   * version, names and labels, times and attempts, the queue in memory and on disk, and who is told
   * of problems. Called again it adds another endpoint. Two of them must not share a directory.
   */
  public RemoteWriteExporterBuilder endpoint(RemoteWriterOptions endpoint) {
    endpoints.add(endpoint);
    return this;
  }

  /**
   * How the SDK aggregates what no view names, such as {@code
   * DefaultAggregationSelector.getDefault().with(HISTOGRAM, base2ExponentialBucketHistogram())} for
   * native histograms. The SDK's default unless set.
   */
  public RemoteWriteExporterBuilder defaultAggregation(
      DefaultAggregationSelector defaultAggregation) {
    this.defaultAggregation = defaultAggregation;
    return this;
  }

  /**
   * The most bytes of memory that the encoded labels of all series may take; past it they are
   * encoded again in each export. {@link MillraceMetricReader#DEFAULT_ENCODED_LABELS_BYTES} unless
   * set.
   *
   * @param encodedLabelsBytes 0 or more; 0 keeps nothing
   * @throws IllegalArgumentException if it is less
   */
  public RemoteWriteExporterBuilder encodedLabelsBytes(long encodedLabelsBytes) {
    if (encodedLabelsBytes < 0) {
      throw new IllegalArgumentException(
          "encodedLabelsBytes: expected 0 or more, found " + encodedLabelsBytes);
    }
    this.encodedLabelsBytes = encodedLabelsBytes;
    return this;
  }

  /**
   * Where the exporter's own health goes to, as metrics: asked at each export, because the SDK that
   * has it is built after its exporters. Nowhere unless set.
   */
  public RemoteWriteExporterBuilder meterProvider(Supplier<MeterProvider> meterProvider) {
    this.meterProvider = meterProvider;
    return this;
  }

  /**
   * Builds the exporter. What an earlier process left on disk is sent from here on.
   *
   * @throws IllegalArgumentException if an endpoint cannot be used, or a file has something else
   *     than expected
   * @throws java.io.UncheckedIOException if a file of TLS or a disk directory cannot be used
   */
  public RemoteWriteExporter build() {
    return new RemoteWriteExporter(this);
  }

  List<RemoteWriterOptions> endpoints() {
    return endpoints.isEmpty()
        ? List.of(RemoteWriterOptions.to(DEFAULT_ENDPOINT))
        : List.copyOf(endpoints);
  }
}

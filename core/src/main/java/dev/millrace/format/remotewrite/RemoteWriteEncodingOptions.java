package dev.millrace.format.remotewrite;

import dev.millrace.format.prometheus.PrometheusOptions;
import dev.millrace.model.Labels;
import java.util.function.Consumer;

/**
 * What a {@link RemoteWriteEncoder} writes. Immutable.
 *
 * <pre>{@code
 * RemoteWriteEncodingOptions options =
 *     RemoteWriteEncodingOptions.DEFAULT
 *         .withExternalLabels(Labels.of("cluster", "eu-1"))
 *         .withLimits(RemoteWriteLimits.DEFAULT.withShards(4));
 * assert options.version() == RemoteWriteVersion.V2 && options.limits().maxSamples() == 2_000;
 * }</pre>
 */
public final class RemoteWriteEncodingOptions {
  /**
   * Five minutes: metadata changes rarely, and a server that has forgotten it, because it was
   * started anew, knows it again soon.
   */
  public static final long DEFAULT_METADATA_INTERVAL_MILLIS = 300_000;

  /**
   * Version 2.0 with the names of the scrape exporter, {@code job} and {@code instance} on every
   * series, native histograms, stale markers and metadata; no external labels, no custom buckets.
   */
  public static final RemoteWriteEncodingOptions DEFAULT =
      new RemoteWriteEncodingOptions(new Draft());

  private final RemoteWriteVersion version;
  private final PrometheusOptions prometheus;
  private final Labels externalLabels;
  private final boolean nativeHistograms;
  private final boolean customBuckets;
  private final boolean staleMarkers;
  private final long metadataIntervalMillis;
  private final RemoteWriteLimits limits;

  /** Options that are being put together. */
  private static final class Draft {
    RemoteWriteVersion version = RemoteWriteVersion.V2;
    PrometheusOptions prometheus = PrometheusOptions.DEFAULT.withTargetLabels(true);
    Labels externalLabels = Labels.EMPTY;
    boolean nativeHistograms = true;
    boolean customBuckets;
    boolean staleMarkers = true;
    long metadataIntervalMillis = DEFAULT_METADATA_INTERVAL_MILLIS;
    RemoteWriteLimits limits = RemoteWriteLimits.DEFAULT;

    Draft() {}

    Draft(RemoteWriteEncodingOptions from) {
      version = from.version;
      prometheus = from.prometheus;
      externalLabels = from.externalLabels;
      nativeHistograms = from.nativeHistograms;
      customBuckets = from.customBuckets;
      staleMarkers = from.staleMarkers;
      metadataIntervalMillis = from.metadataIntervalMillis;
      limits = from.limits;
    }
  }

  private RemoteWriteEncodingOptions(Draft draft) {
    version = draft.version;
    prometheus = draft.prometheus;
    externalLabels = draft.externalLabels;
    nativeHistograms = draft.nativeHistograms;
    customBuckets = draft.customBuckets;
    staleMarkers = draft.staleMarkers;
    metadataIntervalMillis = draft.metadataIntervalMillis;
    limits = draft.limits;
  }

  /** The version that an encoder begins with. {@link RemoteWriteVersion#V2} unless set. */
  public RemoteWriteVersion version() {
    return version;
  }

  /**
   * How metrics and labels are named, and which labels and series stand beside those of the
   * metrics. Unless set, {@link PrometheusOptions#DEFAULT} with target labels: without {@code job}
   * and {@code instance} a server could not tell two processes apart. {@link
   * PrometheusOptions#createdTimestamps()} means nothing here: 2.0 always has start timestamps, and
   * 1.0 never.
   */
  public PrometheusOptions prometheus() {
    return prometheus;
  }

  /**
   * Labels that every series gets, named as attributes are. One that a series has itself, by its
   * attributes, its scope or its resource, stays as the series has it. None unless set.
   */
  public Labels externalLabels() {
    return externalLabels;
  }

  /**
   * Whether exponential histograms become native histograms; else they become what {@link
   * PrometheusOptions#exponentialHistograms()} says. On unless set.
   */
  public boolean nativeHistograms() {
    return nativeHistograms;
  }

  /**
   * Whether histograms with explicit bounds become native histograms with custom buckets (schema
   * -53) in 2.0; else, and always in 1.0, they become a series for each bucket. Off unless set:
   * receivers and queries have to know them.
   */
  public boolean customBuckets() {
    return customBuckets;
  }

  /** Whether a series that ends gets a stale marker. On unless set. */
  public boolean staleMarkers() {
    return staleMarkers;
  }

  /**
   * How often 1.0 requests repeat the metadata of families, in milliseconds; a family that is new
   * has it at once. 0 sends none at all. {@value #DEFAULT_METADATA_INTERVAL_MILLIS} unless set.
   * With 2.0 every series has its metadata, unless this is 0.
   */
  public long metadataIntervalMillis() {
    return metadataIntervalMillis;
  }

  /** How large requests may become. {@link RemoteWriteLimits#DEFAULT} unless set. */
  public RemoteWriteLimits limits() {
    return limits;
  }

  /** These options with another {@link #version()}. */
  public RemoteWriteEncodingOptions withVersion(RemoteWriteVersion version) {
    return with(draft -> draft.version = version);
  }

  /** These options with another {@link #prometheus()}. */
  public RemoteWriteEncodingOptions withPrometheus(PrometheusOptions prometheus) {
    return with(draft -> draft.prometheus = prometheus);
  }

  /** These options with other {@link #externalLabels()}. */
  public RemoteWriteEncodingOptions withExternalLabels(Labels externalLabels) {
    return with(draft -> draft.externalLabels = externalLabels);
  }

  /** These options with another {@link #nativeHistograms()}. */
  public RemoteWriteEncodingOptions withNativeHistograms(boolean nativeHistograms) {
    return with(draft -> draft.nativeHistograms = nativeHistograms);
  }

  /** These options with another {@link #customBuckets()}. */
  public RemoteWriteEncodingOptions withCustomBuckets(boolean customBuckets) {
    return with(draft -> draft.customBuckets = customBuckets);
  }

  /** These options with another {@link #staleMarkers()}. */
  public RemoteWriteEncodingOptions withStaleMarkers(boolean staleMarkers) {
    return with(draft -> draft.staleMarkers = staleMarkers);
  }

  /** These options with another {@link #metadataIntervalMillis()}, 0 or more. */
  public RemoteWriteEncodingOptions withMetadataIntervalMillis(long metadataIntervalMillis) {
    if (metadataIntervalMillis < 0) {
      throw new IllegalArgumentException(
          "metadataIntervalMillis: expected 0 or more, found " + metadataIntervalMillis);
    }
    return with(draft -> draft.metadataIntervalMillis = metadataIntervalMillis);
  }

  /** These options with other {@link #limits()}. */
  public RemoteWriteEncodingOptions withLimits(RemoteWriteLimits limits) {
    return with(draft -> draft.limits = limits);
  }

  private RemoteWriteEncodingOptions with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return new RemoteWriteEncodingOptions(draft);
  }
}

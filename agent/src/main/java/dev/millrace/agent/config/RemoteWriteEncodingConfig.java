package dev.millrace.agent.config;

import dev.millrace.format.prometheus.ExponentialHistograms;
import dev.millrace.format.prometheus.PrometheusOptions;
import dev.millrace.format.prometheus.TranslationStrategy;
import dev.millrace.format.remotewrite.RemoteWriteEncodingOptions;
import dev.millrace.format.remotewrite.RemoteWriteLimits;
import dev.millrace.model.Labels;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/** Reads what an exporter of type {@code prometheusremotewrite} makes of metrics. */
final class RemoteWriteEncodingConfig {
  /** More than a request of 32 MiB holds. */
  private static final int MAX_SAMPLES = 10_000_000;

  private static final Duration MAX_AGE = Duration.ofDays(365);

  private static final Map<String, Boolean> DELTA =
      new TreeMap<>(Map.of("accumulate", false, "refuse", true));

  private RemoteWriteEncodingConfig() {}

  static boolean refusesDelta(Section section) {
    return section.choice("delta", false, DELTA);
  }

  static boolean resourceLabels(Section section) {
    return section.section(
        "resource_to_telemetry_conversion", within -> within.flag("enabled", false));
  }

  /**
   * Reads the keys of an exporter's section.
   *
   * @param consumers how many sequences of requests there are, unless another key says otherwise
   */
  static RemoteWriteEncodingOptions read(Section section, boolean resourceLabels, int consumers) {
    RemoteWriteEncodingOptions options =
        RemoteWriteEncodingOptions.DEFAULT
            .withPrometheus(prometheus(section, resourceLabels))
            .withExternalLabels(externalLabels(section))
            .withNativeHistograms(section.flag("send_native_histograms", true))
            .withCustomBuckets(section.flag("convert_histograms_to_nhcb", false))
            .withStaleMarkers(section.flag("send_stale_markers", true))
            .withLimits(limits(section, consumers));
    return section.flag("send_metadata", true) ? options : options.withMetadataIntervalMillis(0);
  }

  private static PrometheusOptions prometheus(Section section, boolean resourceLabels) {
    PrometheusOptions options =
        RemoteWriteEncodingOptions.DEFAULT
            .prometheus()
            .withTranslationStrategy(strategy(section))
            .withScopeLabels(!section.flag("disable_scope_info", false))
            .withTargetInfo(section.section("target_info", within -> within.flag("enabled", true)))
            .withExponentialHistograms(
                section.choice(
                    "exponential_histograms",
                    ExponentialHistograms.COUNT_AND_SUM,
                    TranslationConfig.EXPONENTIAL_HISTOGRAMS));
    return resourceLabels ? options.withPromotedResourceAttributes(key -> true) : options;
  }

  /** The older of two ways to say the same is taken where the newer is not there. */
  private static TranslationStrategy strategy(Section section) {
    boolean suffixes = section.flag("add_metric_suffixes", true);
    TranslationStrategy byDefault =
        suffixes
            ? TranslationStrategy.UNDERSCORE_ESCAPING_WITH_SUFFIXES
            : TranslationStrategy.UNDERSCORE_ESCAPING_WITHOUT_SUFFIXES;
    TranslationStrategy strategy =
        section.choice("translation_strategy", byDefault, TranslationConfig.STRATEGIES);
    if (!suffixes && strategy != byDefault) {
      section.problem("expected one of add_metric_suffixes and translation_strategy, found both");
    }
    return strategy;
  }

  private static Labels externalLabels(Section section) {
    Labels.Builder labels = new Labels.Builder();
    section.texts("external_labels").forEach(labels::put);
    return labels.build();
  }

  private static RemoteWriteLimits limits(Section section, int consumers) {
    RemoteWriteLimits limits = RemoteWriteLimits.DEFAULT;
    return limits
        .withShards(
            section.wholeNumber(
                "max_batch_request_parallelism", consumers, 1, RemoteWriteLimits.MAX_SHARDS))
        .withMaxSamples(
            section.wholeNumber("max_samples_per_send", limits.maxSamples(), 1, MAX_SAMPLES))
        .withMaxRequestBytes(
            (int)
                section.sizeBytes(
                    "max_batch_size_bytes",
                    limits.maxRequestBytes(),
                    RemoteWriteLimits.MIN_REQUEST_BYTES,
                    RemoteWriteLimits.MAX_REQUEST_BYTES))
        .withMaxAgeMillis(
            section.duration("sample_age_limit", Duration.ZERO, Duration.ZERO, MAX_AGE).toMillis());
  }
}

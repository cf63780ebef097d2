package dev.millrace.agent.config;

import dev.millrace.format.prometheus.ExponentialHistograms;
import dev.millrace.format.prometheus.PrometheusOptions;
import dev.millrace.format.prometheus.TranslationStrategy;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What an exporter of type {@code prometheus} makes of metrics. Immutable.
 *
 * @param strategy how names are made
 * @param scopeLabels whether points carry their scope as {@code otel_scope_*}
 * @param resourceLabels whether points carry all attributes of their resource as labels
 * @param exponentialHistograms what becomes of them where a format has no native histograms
 */
public record TranslationConfig(
    TranslationStrategy strategy,
    boolean scopeLabels,
    boolean resourceLabels,
    ExponentialHistograms exponentialHistograms) {
  /** That of {@link PrometheusOptions#DEFAULT}. */
  public static final TranslationConfig DEFAULT =
      new TranslationConfig(
          PrometheusOptions.DEFAULT.translationStrategy(),
          PrometheusOptions.DEFAULT.scopeLabels(),
          false,
          PrometheusOptions.DEFAULT.exponentialHistograms());

  static final Map<String, ExponentialHistograms> EXPONENTIAL_HISTOGRAMS =
      choices(
          Map.entry("omitted", ExponentialHistograms.OMITTED),
          Map.entry("count_and_sum", ExponentialHistograms.COUNT_AND_SUM),
          Map.entry("explicit_buckets", ExponentialHistograms.EXPLICIT_BUCKETS));

  static final Map<String, TranslationStrategy> STRATEGIES = strategies();

  /** The options of the encoders, for metrics of many resources. */
  public PrometheusOptions options() {
    PrometheusOptions options =
        PrometheusOptions.DEFAULT
            .withTargetLabels(true)
            .withTranslationStrategy(strategy)
            .withScopeLabels(scopeLabels)
            .withExponentialHistograms(exponentialHistograms);
    return resourceLabels ? options.withPromotedResourceAttributes(key -> true) : options;
  }

  /** Reads the keys of an exporter's section. */
  static TranslationConfig read(Section section) {
    return new TranslationConfig(
        section.choice("translation_strategy", DEFAULT.strategy, STRATEGIES),
        !section.flag("without_scope_info", !DEFAULT.scopeLabels),
        section.section(
            "resource_to_telemetry_conversion",
            within -> within.flag("enabled", DEFAULT.resourceLabels)),
        section.choice(
            "exponential_histograms", DEFAULT.exponentialHistograms, EXPONENTIAL_HISTOGRAMS));
  }

  private static Map<String, TranslationStrategy> strategies() {
    Map<String, TranslationStrategy> strategies = new LinkedHashMap<>();
    for (TranslationStrategy strategy : TranslationStrategy.values()) {
      strategies.put(strategy.specificationName(), strategy);
    }
    return strategies;
  }

  @SafeVarargs
  private static <T> Map<String, T> choices(Map.Entry<String, T>... choices) {
    Map<String, T> map = new LinkedHashMap<>();
    for (Map.Entry<String, T> choice : choices) {
      map.put(choice.getKey(), choice.getValue());
    }
    return map;
  }
}

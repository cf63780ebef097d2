package dev.millrace.opentelemetry.autoconfigure;

import dev.millrace.format.prometheus.ExponentialHistograms;
import dev.millrace.format.prometheus.PrometheusOptions;
import dev.millrace.format.prometheus.TranslationStrategy;
import java.util.List;

/** What is made of names and labels, as settings say; the same for scrapes and remote write. */
final class PrometheusOptionSettings {
  private PrometheusOptionSettings() {}

  /**
   * Names and labels.
   *
   * @param defaults hold for what is not set
   */
  static PrometheusOptions options(Settings settings, PrometheusOptions defaults) {
    PrometheusOptions options = defaults;
    TranslationStrategy strategy =
        settings.oneOf("translation_strategy", TranslationStrategy.class);
    if (strategy != null) {
      options = options.withTranslationStrategy(strategy);
    }
    Boolean scopeLabels = settings.flag("scope_info_enabled");
    if (scopeLabels != null) {
      options = options.withScopeLabels(scopeLabels);
    }
    Boolean targetInfo = settings.flag("target_info_enabled");
    if (targetInfo != null) {
      options = options.withTargetInfo(targetInfo);
    }
    Boolean created = settings.flag("created_timestamps_enabled");
    if (created != null) {
      options = options.withCreatedTimestamps(created);
    }
    ExponentialHistograms exponential =
        settings.oneOf("exponential_histograms", ExponentialHistograms.class);
    if (exponential != null) {
      options = options.withExponentialHistograms(exponential);
    }
    List<String> included = settings.texts("resource_constant_labels.included");
    List<String> excluded = settings.texts("resource_constant_labels.excluded");
    if (included != null || excluded != null) {
      options = options.withPromotedResourceAttributes(GlobPattern.selecting(included, excluded));
    }
    return options;
  }
}

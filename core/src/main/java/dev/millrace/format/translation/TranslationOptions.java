package dev.millrace.format.translation;

import dev.millrace.model.Labels;
import java.util.function.Predicate;

/**
 * What stands beside the metrics themselves, in all formats that translate. Immutable.
 *
 * @param targetLabels whether every point carries {@code job} and {@code instance}
 * @param scopeLabels whether every point carries its scope
 * @param targetInfo whether resources are written as {@code target_info}
 * @param omitsExponentialHistograms whether these are left out where the format has no native ones
 * @param promotedResourceAttributes says of the key of a resource attribute whether every point
 *     carries it
 * @param externalLabels attributes that every point carries unless it has a label of that name
 *     itself
 */
public record TranslationOptions(
    boolean targetLabels,
    boolean scopeLabels,
    boolean targetInfo,
    boolean omitsExponentialHistograms,
    Predicate<String> promotedResourceAttributes,
    Labels externalLabels) {

  /** Whether every point carries that attribute of its resource. */
  public boolean promotesResourceAttribute(String key) {
    return promotedResourceAttributes.test(key);
  }
}

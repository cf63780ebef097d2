package dev.millrace.format.prometheus;

import dev.millrace.format.translation.TranslationOptions;
import dev.millrace.model.Labels;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What {@link PrometheusFormats} write beside the metrics themselves, and how they name things.
 * Immutable.
 *
 * <pre>{@code
 * PrometheusOptions ofAnAgent =
 *     PrometheusOptions.DEFAULT
 *         .withTargetLabels(true)
 *         .withPromotedResourceAttributes(Set.of("k8s.pod.name")::contains);
 * assert ofAnAgent.scopeLabels() && !PrometheusOptions.DEFAULT.targetLabels();
 * }</pre>
 */
public final class PrometheusOptions {
  /**
   * What an exporter of one SDK needs: scope labels and {@code target_info}, nothing else, and
   * names that every Prometheus reads.
   */
  public static final PrometheusOptions DEFAULT = new PrometheusOptions(new Draft());

  private final boolean targetLabels;
  private final boolean scopeLabels;
  private final boolean targetInfo;
  private final boolean createdTimestamps;
  private final ExponentialHistograms exponentialHistograms;
  private final TranslationStrategy translationStrategy;
  private final @Nullable Predicate<String> promotedResourceAttributes;

  /** Options that are being put together. */
  private static final class Draft {
    boolean targetLabels;
    boolean scopeLabels = true;
    boolean targetInfo = true;
    boolean createdTimestamps;
    ExponentialHistograms exponentialHistograms = ExponentialHistograms.COUNT_AND_SUM;
    TranslationStrategy translationStrategy = TranslationStrategy.UNDERSCORE_ESCAPING_WITH_SUFFIXES;
    @Nullable Predicate<String> promotedResourceAttributes;

    Draft() {}

    Draft(PrometheusOptions from) {
      targetLabels = from.targetLabels;
      scopeLabels = from.scopeLabels;
      targetInfo = from.targetInfo;
      createdTimestamps = from.createdTimestamps;
      exponentialHistograms = from.exponentialHistograms;
      translationStrategy = from.translationStrategy;
      promotedResourceAttributes = from.promotedResourceAttributes;
    }
  }

  private PrometheusOptions(Draft draft) {
    targetLabels = draft.targetLabels;
    scopeLabels = draft.scopeLabels;
    targetInfo = draft.targetInfo;
    createdTimestamps = draft.createdTimestamps;
    exponentialHistograms = draft.exponentialHistograms;
    translationStrategy = draft.translationStrategy;
    promotedResourceAttributes = draft.promotedResourceAttributes;
  }

  /**
   * Whether every point carries {@code job} ({@code service.namespace} and {@code service.name} of
   * its resource) and {@code instance} ({@code service.instance.id}). Needed where the metrics of
   * several resources stand in one reply. Off unless set.
   */
  public boolean targetLabels() {
    return targetLabels;
  }

  /**
   * Whether every point carries its scope as {@code otel_scope_name}, {@code otel_scope_version},
   * {@code otel_scope_schema_url} and {@code otel_scope_}<i>attribute</i>. What is empty is left
   * out. On unless set.
   */
  public boolean scopeLabels() {
    return scopeLabels;
  }

  /** Whether resources are written as {@code target_info}. On unless set. */
  public boolean targetInfo() {
    return targetInfo;
  }

  /**
   * Whether OpenMetrics gets a {@code _created} sample for each series whose start time is known.
   * Off unless set: a Prometheus server that was not told otherwise stores each of them as one more
   * series. In protobuf start times are always written, since they are no samples there.
   */
  public boolean createdTimestamps() {
    return createdTimestamps;
  }

  /**
   * What becomes of exponential histograms in the text formats and in OpenMetrics, which have no
   * native histograms. {@link ExponentialHistograms#COUNT_AND_SUM} unless set.
   */
  public ExponentialHistograms exponentialHistograms() {
    return exponentialHistograms;
  }

  /**
   * How the names of metrics and attributes are made. {@link
   * TranslationStrategy#UNDERSCORE_ESCAPING_WITH_SUFFIXES} unless set.
   */
  public TranslationStrategy translationStrategy() {
    return translationStrategy;
  }

  /**
   * Whether every point carries that attribute of its resource as a label. None unless set (the
   * specification's {@code resource_constant_labels}).
   *
   * @param key of the resource attribute
   */
  public boolean promotesResourceAttribute(String key) {
    return promotedResourceAttributes != null && promotedResourceAttributes.test(key);
  }

  /** These options with another {@link #targetLabels()}. */
  public PrometheusOptions withTargetLabels(boolean targetLabels) {
    return with(draft -> draft.targetLabels = targetLabels);
  }

  /** These options with another {@link #scopeLabels()}. */
  public PrometheusOptions withScopeLabels(boolean scopeLabels) {
    return with(draft -> draft.scopeLabels = scopeLabels);
  }

  /** These options with another {@link #targetInfo()}. */
  public PrometheusOptions withTargetInfo(boolean targetInfo) {
    return with(draft -> draft.targetInfo = targetInfo);
  }

  /** These options with another {@link #createdTimestamps()}. */
  public PrometheusOptions withCreatedTimestamps(boolean createdTimestamps) {
    return with(draft -> draft.createdTimestamps = createdTimestamps);
  }

  /** These options with another {@link #exponentialHistograms()}. */
  public PrometheusOptions withExponentialHistograms(ExponentialHistograms exponentialHistograms) {
    return with(draft -> draft.exponentialHistograms = exponentialHistograms);
  }

  /** These options with another {@link #translationStrategy()}. */
  public PrometheusOptions withTranslationStrategy(TranslationStrategy translationStrategy) {
    return with(draft -> draft.translationStrategy = translationStrategy);
  }

  /**
   * These options with other resource attributes as labels. They stay in {@code target_info}, too.
   * Where a point has an attribute whose label has the same name, the point's is written.
   *
   * @param keys says of the key of a resource attribute whether it is promoted: always the same of
   *     the same key, and from any thread
   */
  public PrometheusOptions withPromotedResourceAttributes(Predicate<String> keys) {
    return with(draft -> draft.promotedResourceAttributes = keys);
  }

  /** What of this the formats have in common with other formats of Prometheus. */
  TranslationOptions translation() {
    return new TranslationOptions(
        targetLabels,
        scopeLabels,
        targetInfo,
        exponentialHistograms == ExponentialHistograms.OMITTED,
        this::promotesResourceAttribute,
        Labels.EMPTY);
  }

  private PrometheusOptions with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return new PrometheusOptions(draft);
  }
}

package dev.millrace.format.translation;

import dev.millrace.model.MetricDescriptor;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The names of metrics and labels by one strategy and one escaping scheme: first translated, then
 * escaped (OpenTelemetry specification, "Metrics Exporter - Prometheus", "Interaction with
 * Translation Strategy"). Immutable.
 */
public final class Naming {
  /** The label by which Prometheus itself knows the name of a metric. */
  private static final String METRIC_NAME_LABEL = "__name__";

  private static final String UNUSABLE_PREFIX = "key";

  private final NamingStrategy strategy;
  private final NameEscaping.Scheme escaping;

  public Naming(NamingStrategy strategy, NameEscaping.Scheme escaping) {
    this.strategy = strategy;
    this.escaping = escaping;
  }

  /**
   * Names a metric.
   *
   * @return the name, or {@code null} where nothing of the metric's own can stand in one
   */
  public @Nullable MetricName metric(MetricDescriptor metric, FamilyType type) {
    String name = MetricTranslation.name(metric, type, strategy);
    if (name.isEmpty()) {
      return null;
    }
    String unit = MetricTranslation.unit(metric, type, strategy);
    return MetricName.of(NameEscaping.escape(name, escaping, true), type, unit);
  }

  /** The name of what is known of targets, which has its suffix by any strategy. */
  public MetricName targetInfo() {
    String name = NameEscaping.escape("target_info", escaping, true);
    return MetricName.of(name, FamilyType.INFO, "");
  }

  /**
   * Names a label.
   *
   * @param key as bytes of UTF-8, valid or not
   */
  public String label(byte[] key) {
    if (strategy.escapesToUnderscores()) {
      String name = new String(LabelTranslation.underscored(key), StandardCharsets.US_ASCII);
      return NameEscaping.escape(name, escaping, false);
    }
    if (key.length == 0) {
      return UNUSABLE_PREFIX;
    }
    String name = NameEscaping.escape(new String(key, StandardCharsets.UTF_8), escaping, false);
    // A label of that name would rename the metric, or keep the whole scrape from being read.
    return name.equals(METRIC_NAME_LABEL) ? UNUSABLE_PREFIX + name : name;
  }
}

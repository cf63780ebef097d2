package dev.millrace.format.prometheus;

/**
 * What {@link PrometheusFormats} write beside the metrics themselves. Immutable.
 *
 * <pre>{@code
 * PrometheusOptions ofAnAgent = PrometheusOptions.DEFAULT.withTargetLabels(true);
 * assert ofAnAgent.scopeLabels() && !PrometheusOptions.DEFAULT.targetLabels();
 * }</pre>
 */
public final class PrometheusOptions {
  /** What an exporter of one SDK needs: scope labels and {@code target_info}, nothing else. */
  public static final PrometheusOptions DEFAULT = new PrometheusOptions(false, true, true, false);

  private final boolean targetLabels;
  private final boolean scopeLabels;
  private final boolean targetInfo;
  private final boolean createdTimestamps;

  private PrometheusOptions(
      boolean targetLabels, boolean scopeLabels, boolean targetInfo, boolean createdTimestamps) {
    this.targetLabels = targetLabels;
    this.scopeLabels = scopeLabels;
    this.targetInfo = targetInfo;
    this.createdTimestamps = createdTimestamps;
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
   * series.
   */
  public boolean createdTimestamps() {
    return createdTimestamps;
  }

  /** These options with another {@link #targetLabels()}. */
  public PrometheusOptions withTargetLabels(boolean targetLabels) {
    return new PrometheusOptions(targetLabels, scopeLabels, targetInfo, createdTimestamps);
  }

  /** These options with another {@link #scopeLabels()}. */
  public PrometheusOptions withScopeLabels(boolean scopeLabels) {
    return new PrometheusOptions(targetLabels, scopeLabels, targetInfo, createdTimestamps);
  }

  /** These options with another {@link #targetInfo()}. */
  public PrometheusOptions withTargetInfo(boolean targetInfo) {
    return new PrometheusOptions(targetLabels, scopeLabels, targetInfo, createdTimestamps);
  }

  /** These options with another {@link #createdTimestamps()}. */
  public PrometheusOptions withCreatedTimestamps(boolean createdTimestamps) {
    return new PrometheusOptions(targetLabels, scopeLabels, targetInfo, createdTimestamps);
  }
}
